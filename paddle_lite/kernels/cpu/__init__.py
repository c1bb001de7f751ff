"""Kernels for the CPU, in the families of operators."""
