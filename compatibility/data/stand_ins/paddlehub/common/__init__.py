"""Where files are."""
