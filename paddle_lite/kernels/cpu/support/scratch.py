"""Working memory that kernels reuse from call to call."""

from __future__ import annotations

import math
import threading

import numpy as np

__all__ = ["scratch"]

LINE = 64  # bytes
LARGEST_KEPT = 1 << 20  # bytes; a larger buffer is of one call only, for others could have its memory until the next
_kept = threading.local()


def scratch(use: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Return an uninitialised C-contiguous array in the calling thread's buffer for a use, which begins at a cache line.

    Each use has one buffer a thread, which grows on demand. The array is valid until the next call for the same use: it must
    not leave the kernel.
    """
    size = math.prod(shape) * dtype.itemsize
    buffer = _kept.__dict__.get(use)
    if buffer is None or buffer.size < size:
        room = np.empty(size + LINE, np.uint8)
        first = -room.ctypes.data % LINE
        buffer = room[first : first + size]
        if size <= LARGEST_KEPT:
            _kept.__dict__[use] = buffer
    return buffer[:size].view(dtype).reshape(shape)
