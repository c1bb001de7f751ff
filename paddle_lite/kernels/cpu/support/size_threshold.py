"""Which calls row kernels leave to NumPy."""

from __future__ import annotations

import numpy as np

__all__ = ["by_rows"]

FEW = 512  # elements below which Numba's import (half a second) is never earned back


def by_rows(x: np.ndarray, axis: int = -1) -> bool:
    """Return whether the compiled kernel over the rows of x is to run.

    Many elements, float32 or float64, the last axis.
    """
    return x.size >= FEW and x.dtype.char in "fd" and axis in (-1, x.ndim - 1)
