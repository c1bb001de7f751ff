"""CPU kernels of operators that select elements by conditions and indices."""

from __future__ import annotations

import numpy as np

from ...numba_jit import jit
from ...registry import kernel
from .indexed_rows import scatter_add_rows

LARGE = 1000  # number of elements from which on a loop is faster than NumPy's `where`
WIDTHS = {4: np.dtype("uint32"), 8: np.dtype("uint64")}  # elements are copied as bits, whatever their dtype


@kernel("where")
def where(Condition, X, Y):
    if X.size < LARGE or X.itemsize not in WIDTHS:
        return np.where(Condition, X, Y)
    out = np.empty(X.shape, X.dtype)
    _choose(Condition.reshape(-1), _bits(X), _bits(Y), _bits(out))
    return out


@kernel("where_grad")
def where_grad(Condition, X, Y, dOut, *, need=(True, True)):
    if dOut.size < LARGE or dOut.itemsize not in WIDTHS:
        zero = np.zeros((), dOut.dtype)
        dX, dY = np.where(Condition, dOut, zero), np.where(Condition, zero, dOut)
    else:
        dX, dY = np.empty(dOut.shape, dOut.dtype), np.empty(dOut.shape, dOut.dtype)
        _divide(Condition.reshape(-1), _bits(dOut), _bits(dX), _bits(dY))
    return dX if need[0] else None, dY if need[1] else None


def _bits(array):
    """Return the elements as a flat array of unsigned integers."""
    return np.ascontiguousarray(array).reshape(-1).view(WIDTHS[array.itemsize])


@jit
def _choose(condition, x, y, out):
    for i in range(out.size):
        a, b = x[i], y[i]  # both are loaded, so that the selection needs no branch
        out[i] = a if condition[i] else b


@jit
def _divide(condition, d, dx, dy):
    zero = d[0] ^ d[0]
    for i in range(d.size):
        dx[i] = d[i] if condition[i] else zero
        dy[i] = zero if condition[i] else d[i]


@kernel("index_select_grad")
def index_select_grad(X, Index, dOut, *, dim):
    first = np.ascontiguousarray(np.moveaxis(dOut, dim, 0))
    shape = (X.shape[dim], *first.shape[1:])
    return np.moveaxis(scatter_add_rows(shape, Index.reshape(-1), first), 0, dim)
