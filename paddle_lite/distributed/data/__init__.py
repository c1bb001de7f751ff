"""Data sets of files for training by several processes: so far the generators of their lines."""
