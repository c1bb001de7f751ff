"""Cumulative sums over the middle dimension of [outer, D, inner], on NumPy arrays in float32 or float64."""

from __future__ import annotations

import numpy as np

from ...numba_jit import jit

__all__ = ["cumulative_sum"]


def cumulative_sum(x: np.ndarray, exclusive: bool = False, reverse: bool = False) -> np.ndarray:
    """Return the sum of each element and those before it (exclusive: without the element; reverse: and those after it).

    Example:
        >>> cumulative_sum(np.array([[[1.0], [2.0], [4.0]]]))[0, :, 0]
        array([1., 3., 7.])
    """
    out = np.empty(x.shape, x.dtype)
    if out.size:
        x = np.ascontiguousarray(x)
        if x.shape[2] == 1:
            _along_rows(x[:, :, 0], out[:, :, 0], exclusive, reverse)
        else:
            _down(x, out, exclusive, reverse)
    return out


@jit
def _along_rows(x, out, exclusive, reverse):
    size = x.shape[1]
    for n in range(x.shape[0]):
        total = x.dtype.type(0)
        for k in range(size):
            d = size - 1 - k if reverse else k
            before, total = total, total + x[n, d]
            out[n, d] = before if exclusive else total


@jit
def _down(x, out, exclusive, reverse):
    size = x.shape[1]
    for n in range(x.shape[0]):
        first = size - 1 if reverse else 0
        for i in range(x.shape[2]):
            out[n, first, i] = 0 if exclusive else x[n, first, i]
        for k in range(1, size):
            d = size - 1 - k if reverse else k
            last = d + 1 if reverse else d - 1
            sums, to, more = out[n, last], out[n, d], x[n, last if exclusive else d]
            for i in range(to.size):
                to[i] = sums[i] + more[i]
