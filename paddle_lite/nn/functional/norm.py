"""Normalisation."""

from ...layers.distance import l2_normalize

__all__ = ["l2_normalize"]
