"""Arithmetic, comparisons, products, reductions and distances."""
