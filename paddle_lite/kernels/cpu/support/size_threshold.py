"""The size from which on compiled kernels are worthwhile."""

from __future__ import annotations

import numpy as np

__all__ = ["kernel_applies"]

MIN_ELEMENTS = 512  # number of elements below which the time of compiling is never regained


def kernel_applies(x: np.ndarray, axis: int = -1) -> bool:
    """Return whether a compiled kernel over the last axis applies: it is `axis`, x is large enough, float32 or float64."""
    return x.size >= MIN_ELEMENTS and x.dtype.char in "fd" and axis in (-1, x.ndim - 1)
