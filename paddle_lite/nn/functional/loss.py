"""Losses."""

from ...layers.loss import cross_entropy, softmax_with_cross_entropy, square_error_cost

__all__ = ["cross_entropy", "softmax_with_cross_entropy", "square_error_cost"]
