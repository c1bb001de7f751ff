"""The lowest layer: errors, dtypes, places, flags, names, LoD, and the mode that every operator call consults."""
