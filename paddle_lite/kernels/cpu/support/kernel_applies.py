"""What compiled kernels over the last axis are written for, from one element on: a call of one costs less than NumPy's steps."""

from __future__ import annotations

import numpy as np

__all__ = ["kernel_applies"]


def kernel_applies(x: np.ndarray, axis: int = -1) -> bool:
    """Return whether a compiled kernel over the last axis applies: it is `axis`, and x holds numbers in float32 or float64."""
    return x.size > 0 and x.dtype.char in "fd" and axis in (-1, x.ndim - 1)
