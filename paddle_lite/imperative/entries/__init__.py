"""Entries of the tape that run operators in their gradient: composed and differentiable gradients, and calls that are repeated."""
