"""Python's syntax trees: from a function to its tree and back; what names a tree reads and writes; templates."""
