"""Shapes, indices, selection, sorting, scattering, padding and filling."""
