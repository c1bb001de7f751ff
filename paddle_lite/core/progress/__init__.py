"""How far something is, for those who watch and for logs."""
