"""Data sets of files for training: their descriptions, formats, pipe commands and generators."""
