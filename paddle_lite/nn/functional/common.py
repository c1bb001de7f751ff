"""Dropout."""

from ...layers.random import dropout

__all__ = ["dropout"]
