"""prelu: negative elements are multiplied by slopes, on NumPy arrays in float32 or float64.

There is one slope for each run of x, [N, S, run] with [S], or one for each element of a row, [N, S] with [S].
"""

from __future__ import annotations

import numpy as np

from ...numba_jit import jit

__all__ = ["prelu_backward", "prelu_forward"]


def prelu_forward(x: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Return x where it is positive, slope * x elsewhere.

    Example:
        >>> prelu_forward(np.array([[-1.0, 2.0]]), np.array([0.5, 0.5]))
        array([[-0.5,  2. ]])
    """
    out = np.empty(x.shape, x.dtype)
    (_rows if x.ndim == 2 else _runs)(np.ascontiguousarray(x), np.ascontiguousarray(slopes), out)
    return out


def prelu_backward(x: np.ndarray, slopes: np.ndarray, dout: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradients of x and of the slopes."""
    dx, dslopes = np.empty(x.shape, x.dtype), np.zeros(slopes.shape, np.float64)
    arrays = [np.ascontiguousarray(a) for a in (x, slopes, dout)]
    (_rows_grad if x.ndim == 2 else _runs_grad)(*arrays, dx, dslopes)
    return dx, dslopes.astype(slopes.dtype)


@jit
def _rows(x, slopes, out):
    for n in range(x.shape[0]):
        row, to = x[n], out[n]
        for k in range(row.size):
            to[k] = row[k] if row[k] > 0 else slopes[k] * row[k]


@jit
def _runs(x, slopes, out):
    for n in range(x.shape[0]):
        for s in range(x.shape[1]):
            run, to, slope = x[n, s], out[n, s], slopes[s]
            for k in range(run.size):
                to[k] = run[k] if run[k] > 0 else slope * run[k]


@jit
def _rows_grad(x, slopes, dout, dx, dslopes):
    for n in range(x.shape[0]):
        row, dy, to = x[n], dout[n], dx[n]
        for k in range(row.size):
            to[k] = dy[k] if row[k] > 0 else slopes[k] * dy[k]
            dslopes[k] += 0 if row[k] > 0 else row[k] * dy[k]


@jit(reassoc=True)
def _runs_grad(x, slopes, dout, dx, dslopes):
    for n in range(x.shape[0]):
        for s in range(x.shape[1]):
            run, dy, to, slope = x[n, s], dout[n, s], dx[n, s], slopes[s]
            total = x.dtype.type(0)
            for k in range(run.size):
                to[k] = dy[k] if run[k] > 0 else slope * dy[k]
                total += x.dtype.type(0) if run[k] > 0 else run[k] * dy[k]
            dslopes[s] += total
