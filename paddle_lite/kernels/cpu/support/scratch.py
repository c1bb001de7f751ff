"""Working memory that kernels reuse from call to call."""

from __future__ import annotations

import math
import threading

import numpy as np

from paddle_lite.kernels.cpu.support.cache_lines import at_line

__all__ = ["scratch"]

BYTES = np.dtype(np.uint8)
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
        buffer = at_line((size,), BYTES)
        if size <= LARGEST_KEPT:
            _kept.__dict__[use] = buffer
    return buffer[:size].view(dtype).reshape(shape)
