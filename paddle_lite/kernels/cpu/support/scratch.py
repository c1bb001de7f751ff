"""Working memory that kernels use again from call to call."""

from __future__ import annotations

import math
import threading

import numpy as np

__all__ = ["scratch"]

LARGEST_KEPT = 1 << 24  # bytes; larger buffers are made for the one call that needs them
_kept = threading.local()


def scratch(use: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Return an uninitialised C-contiguous array over the calling thread's one buffer for a use.

    Each use has one buffer a thread, replaced by a larger one when it has to be. The array is good until the next call
    for the same use: it must not leave the kernel.
    """
    size = math.prod(shape) * dtype.itemsize
    buffer = _kept.__dict__.get(use)
    if buffer is None or buffer.size < size:
        buffer = np.empty(size, np.uint8)
        if size <= LARGEST_KEPT:
            _kept.__dict__[use] = buffer
    return buffer[:size].view(dtype).reshape(shape)
