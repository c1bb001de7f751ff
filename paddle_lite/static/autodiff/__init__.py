"""Gradients of Programs: append_backward, gradients of control flow, recomputation, clipping."""
