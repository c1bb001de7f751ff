"""Convolution."""

from ..conv import Conv2d as Conv2D

__all__ = ["Conv2D"]
