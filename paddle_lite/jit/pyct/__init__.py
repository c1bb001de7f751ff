"""Syntax trees of Python: parsing a function, the names that it reads and writes, liveness, code templates."""
