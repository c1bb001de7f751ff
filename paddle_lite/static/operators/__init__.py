"""Operators that only Programs have: those with blocks, those on arrays of tensors, py_func."""
