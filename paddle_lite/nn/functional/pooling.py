"""Pooling."""

from ...layers.nn.pool import adaptive_pool2d, adaptive_pool3d, pool2d, pool3d

__all__ = ["adaptive_pool2d", "adaptive_pool3d", "pool2d", "pool3d"]
