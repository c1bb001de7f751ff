"""Images [N, C, H, W] whose channels are last in memory: a view of an array [N, H, W, C].

Such a view has the shape that every operator expects; operators that know nothing of it copy it.
"""

from __future__ import annotations

import numpy as np

from paddle_lite.kernels.numba_jit import jit
from paddle_lite.kernels.threads import parallel_for

__all__ = ["as_images", "first", "last"]

AT_ONCE = 16  # channels that are copied together: a cache line of float32


def last(x: np.ndarray) -> np.ndarray:
    """Return images [N, C, H, W] as a contiguous array [N, H, W, C]: a view where their memory has this order.

    >>> x = np.arange(8.0).reshape(1, 2, 2, 2)
    >>> last(x)[0, 0].tolist(), last(as_images(last(x))).base is None
    ([[0.0, 4.0], [1.0, 5.0]], False)
    """
    y = x.transpose(0, 2, 3, 1)
    return y if y.flags.c_contiguous else _exchanged(x.reshape(*x.shape[:2], -1)).reshape(y.shape)


def first(x: np.ndarray) -> np.ndarray:
    """Return an array [N, H, W, C] as contiguous images [N, C, H, W]."""
    n, height, width, channels = x.shape
    return _exchanged(x.reshape(n, height * width, channels)).reshape(n, channels, height, width)


def as_images(x: np.ndarray) -> np.ndarray:
    """Return an array [N, H, W, C] as images [N, C, H, W], a view."""
    return x.transpose(0, 3, 1, 2)


def _exchanged(x: np.ndarray) -> np.ndarray:
    """Return x [N, A, B] with its last two axes exchanged, contiguous."""
    x = np.ascontiguousarray(x)
    n, a, b = x.shape
    y = np.empty((n, b, a), x.dtype)
    parallel_for(_exchange, n * -(-a // AT_ONCE), x.size, (x, y))
    return y


@jit(shared=True)
def _exchange(begin, end, x, y):
    """Write y[n, b, a] = x[n, a, b] for some blocks of values of a."""
    a, b = x.shape[1], x.shape[2]
    blocks = -(-a // AT_ONCE)
    for unit in range(begin, end):
        n, start = unit // blocks, unit % blocks * AT_ONCE
        stop = min(a, start + AT_ONCE)
        if stop - start == AT_ONCE:
            for k in range(b):
                for i in range(AT_ONCE):
                    y[n, k, start + i] = x[n, start + i, k]
        else:
            for i in range(start, stop):
                for k in range(b):
                    y[n, k, i] = x[n, i, k]
