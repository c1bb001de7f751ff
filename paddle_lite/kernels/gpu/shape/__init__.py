"""Shapes, indices, selection, sorting."""

MOST_FOUND = 64
"""Elements that top_k finds one after the other; each takes a pass over the row. More are sorted, which waits for the device."""
