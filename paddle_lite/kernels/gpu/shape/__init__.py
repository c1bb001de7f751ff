"""Shapes, indices, selection, sorting."""
