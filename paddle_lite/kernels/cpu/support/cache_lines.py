"""Arrays that begin at a cache line: no vector of a kernel that starts at a multiple of its size then lies in two lines.

NumPy's arrays begin at any multiple of 16 bytes.
"""

from __future__ import annotations

import math

import numpy as np

from paddle_lite.kernels.array_pointers import word_at
from paddle_lite.kernels.numba_jit import jit
from paddle_lite.kernels.object_layout import DATA_AT

__all__ = ["LINE", "at_line"]

LINE = 64  # bytes


def at_line(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Return an uninitialised C-contiguous array that begins at a cache line; its memory is that of an array behind it.

    >>> at_line((2, 3), np.dtype("float32")).ctypes.data % LINE
    0
    """
    room = np.empty(math.prod(shape) * dtype.itemsize + LINE, np.uint8)
    return np.ndarray(shape, dtype, room, _to_line(id(room)))


@jit
def _to_line(address):
    """Return how many bytes the data of the array whose object is at an address lie before the next line."""
    return -word_at(address + DATA_AT) & (LINE - 1)
