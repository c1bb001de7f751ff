"""Nothing of librosa: for programs that import it and read no sound."""
