"""CPU kernels of local response normalisation: sums over neighbouring channels, plane by plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numba_jit import jit
from ...registry import kernel
from ..support.kernel_applies import kernel_applies


def _taken(x: np.ndarray, data_format: str) -> bool:
    return data_format != "NHWC" and kernel_applies(x)


@kernel("lrn")
def lrn(X, *, n, k, alpha, beta, data_format, reference):
    if not _taken(X, data_format):
        return reference(X, n=n, k=k, alpha=alpha, beta=beta, data_format=data_format)
    x = np.ascontiguousarray(X).reshape(*X.shape[:2], -1)
    middle = np.empty(x.shape, x.dtype)
    _window_sums(x * x, n, middle)
    middle *= x.dtype.type(alpha)
    middle += x.dtype.type(k)
    return (x * _power(middle, beta)).reshape(X.shape), middle.reshape(X.shape)


@kernel("lrn_grad")
def lrn_grad(X, Out, MidOut, dOut, *, n, alpha, beta, data_format, reference):
    if not _taken(X, data_format):
        return reference(X, Out, MidOut, dOut, n=n, alpha=alpha, beta=beta, data_format=data_format)
    shape = (*X.shape[:2], -1)
    x, out, middle, dy = (np.ascontiguousarray(a).reshape(shape) for a in (X, Out, MidOut, dOut))
    shares, dx = np.empty(x.shape, x.dtype), dy * _power(middle, beta)
    _window_sums(dy * out / middle, n, shares)
    shares *= x
    shares *= x.dtype.type(2 * alpha * beta)
    dx -= shares
    return dx.reshape(X.shape)


def _power(middle: Any, beta: float) -> Any:
    """Return middle ** -beta, for the usual 0.75 and 0.5 by square roots, which are faster than logarithms."""
    if np.float32(beta) == np.float32(0.75):
        root = np.sqrt(middle)
        root *= np.sqrt(root)
        return np.reciprocal(root, out=root)
    return 1 / np.sqrt(middle) if beta == 0.5 else middle ** middle.dtype.type(-beta)


@jit
def _window_sums(x, n, out):
    """Compute out[i, c], the sum of x over the n channels around c."""
    before = (n - 1) // 2
    for i in range(x.shape[0]):
        for c in range(x.shape[1]):
            target = out[i, c]
            target[:] = 0
            for other in range(max(c - before, 0), min(c + n - before, x.shape[1])):
                source = x[i, other]
                for k in range(target.size):
                    target[k] += source[k]
