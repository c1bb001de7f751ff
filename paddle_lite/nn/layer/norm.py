"""Normalisation."""

from ..group_norm import GroupNorm
from ..norm import BatchNorm, LayerNorm
from ..spectral_norm import SpectralNorm

__all__ = ["BatchNorm", "GroupNorm", "LayerNorm", "SpectralNorm"]
