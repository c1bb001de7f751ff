"""Normalisation."""

from ...layers.math.distance import l2_normalize
from ...layers.nn.lrn import lrn

__all__ = [
    "l2_normalize",
    "lrn",
]
