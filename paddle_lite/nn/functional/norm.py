"""Normalisation."""

from ...layers.distance import l2_normalize
from ...layers.lrn import lrn

__all__ = [
    "l2_normalize",
    "lrn",
]
