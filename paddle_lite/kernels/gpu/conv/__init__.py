"""Convolutions: windows as columns for products of matrices, and sums without columns."""
