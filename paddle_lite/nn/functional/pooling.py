"""Pooling."""

from ...layers.pool import adaptive_pool2d, pool2d

__all__ = ["adaptive_pool2d", "pool2d"]
