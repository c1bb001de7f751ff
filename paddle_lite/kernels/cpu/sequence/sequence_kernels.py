"""CPU kernels of operators that compute over the rows of each sequence."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ....ops.support import sequence_rows as seq
from ...numba_jit import jit
from ...registry import kernel
from ..vecmath import exp
from .row_copies import KEPT, as_matrix, offsets_array

# --- pooling ----------------------------------------------------------------------------------------------------------


@jit
def _sum(x, starts, shares, pad, out):
    for s in range(starts.size - 1):
        first, end, share = starts[s], starts[s + 1], shares[s]
        if first == end:
            for j in range(x.shape[1]):
                out[s, j] = pad
            continue
        if first + 1 == end:
            for j in range(x.shape[1]):
                out[s, j] = x[first, j] * share
            continue
        for j in range(x.shape[1]):
            out[s, j] = x[first, j]
        for i in range(first + 1, end):
            for j in range(x.shape[1]):
                out[s, j] += x[i, j]
        for j in range(x.shape[1]):
            out[s, j] *= share


@jit
def _share(dout, starts, shares, dx):
    for s in range(starts.size - 1):
        for i in range(starts[s], starts[s + 1]):
            for j in range(dx.shape[1]):
                dx[i, j] = dout[s, j] * shares[s]


@jit
def _largest(x, starts, pad, out, index):
    for s in range(starts.size - 1):
        first = starts[s]
        empty = first == starts[s + 1]
        for j in range(x.shape[1]):
            out[s, j] = pad if empty else x[first, j]
            index[s, j] = -1 if empty else first
        for i in range(first + 1, starts[s + 1]):
            for j in range(x.shape[1]):
                if x[i, j] > out[s, j] or (x[i, j] != x[i, j] and out[s, j] == out[s, j]):
                    out[s, j] = x[i, j]
                    index[s, j] = i


@jit
def _to_largest(dout, index, dx):
    for s in range(index.shape[0]):
        for j in range(index.shape[1]):
            if index[s, j] >= 0:
                dx[index[s, j], j] = dout[s, j]


def _shares(starts: Any, pooltype: str, dtype: Any) -> np.ndarray:
    """Return the factor of each sequence's sum."""
    if pooltype == "SUM":
        return _ones(len(starts) - 1, dtype)
    counts = np.maximum(np.diff(starts), 1)
    return (1 / (counts if pooltype == "AVERAGE" else np.sqrt(counts))).astype(dtype)


@functools.lru_cache(maxsize=KEPT)
def _ones(count: int, dtype: Any) -> np.ndarray:
    """Return ones; nobody writes into them, for most operators of a step need the same."""
    return np.ones(count, dtype)


def _ends(starts: Any, pooltype: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the non-empty sequences, and the first or last row of each."""
    at = offsets_array(starts)
    full = np.flatnonzero(at[1:] > at[:-1])
    return full, at[full] if pooltype == "FIRST" else at[full + 1] - 1


@kernel("sequence_pool")
def sequence_pool(X, *, lod, pooltype, pad_value):
    starts = seq.starts_of("sequence_pool", "X", lod, X.shape[0], most=len(lod or ()))
    pad = X.dtype.type(pad_value)
    out = np.empty((len(starts) - 1, *X.shape[1:]), X.dtype)
    if pooltype in ("MAX", "MIN"):
        index = np.empty(out.shape, np.int32)
        sign = 1 if pooltype == "MAX" else -1  # the minimum is minus the maximum of -x
        _largest(as_matrix(X if sign == 1 else -X), offsets_array(starts), sign * pad, as_matrix(out), as_matrix(index))
        return (out if sign == 1 else -out), index
    if pooltype in ("FIRST", "LAST"):
        full, rows = _ends(starts, pooltype)
        out[...] = pad
        out[full] = X[rows]
        return out, None
    _sum(as_matrix(X), offsets_array(starts), _shares(starts, pooltype, X.dtype), pad, as_matrix(out))
    return out, None


@kernel("sequence_pool_grad")
def sequence_pool_grad(X, MaxIndex, dOut, *, lod, pooltype):
    starts = lod[-1]
    if pooltype in ("SUM", "AVERAGE", "SQRT"):
        dx = np.empty(X.shape, dOut.dtype)
        _share(as_matrix(dOut), offsets_array(starts), _shares(starts, pooltype, dOut.dtype), as_matrix(dx))
        return dx
    dx = np.zeros(X.shape, dOut.dtype)
    if pooltype in ("MAX", "MIN"):
        _to_largest(as_matrix(dOut), as_matrix(MaxIndex), as_matrix(dx))
    else:
        full, rows = _ends(starts, pooltype)
        dx[rows] = dOut[full]
    return dx


# --- softmax ----------------------------------------------------------------------------------------------------------


@jit
def _softmax(x, starts, out):
    for s in range(starts.size - 1):
        a, b = starts[s], starts[s + 1]
        if a == b:
            continue
        top = x[a]
        for i in range(a + 1, b):
            if x[i] > top or x[i] != x[i]:
                top = x[i]
        for i in range(a, b):
            out[i] = exp(x[i] - top)
        total = out[a]
        for i in range(a + 1, b):
            total += out[i]
        for i in range(a, b):
            out[i] /= total


@jit
def _softmax_back(y, dy, starts, dx):
    for s in range(starts.size - 1):
        a, b = starts[s], starts[s + 1]
        if a == b:
            continue
        total = y[a] * dy[a]
        for i in range(a + 1, b):
            total += y[i] * dy[i]
        for i in range(a, b):
            dx[i] = y[i] * (dy[i] - total)


@kernel("sequence_softmax")
def sequence_softmax(X, *, lod, reference):
    if X.size != X.shape[0]:
        return reference(X, lod=lod)
    starts = seq.starts_of("sequence_softmax", "X", lod, X.shape[0], most=len(lod or ()))
    out = np.empty(X.shape, X.dtype)
    _softmax(np.ascontiguousarray(X).reshape(-1), offsets_array(starts), out.reshape(-1))
    return out


@kernel("sequence_softmax_grad")
def sequence_softmax_grad(X, Out, dOut, *, lod):
    dx = np.empty(Out.shape, Out.dtype)
    y, dy = (np.ascontiguousarray(a).reshape(-1) for a in (Out, dOut))
    _softmax_back(y, dy, offsets_array(lod[-1]), dx.reshape(-1))
    return dx


# --- convolution ------------------------------------------------------------------------------------------------------


@jit
def _windows(x, padding, starts, begin, length, col):
    width = x.shape[1]
    up = max(0, -begin)
    for s in range(starts.size - 1):
        first, count = starts[s], starts[s + 1] - starts[s]
        for t in range(count):
            for j in range(length):
                row = t + begin + j
                to = j * width
                if 0 <= row < count:
                    for d in range(width):
                        col[first + t, to + d] = x[first + row, d]
                elif padding.shape[0] > 0:
                    row = up + (row if row < 0 else row - count)
                    for d in range(width):
                        col[first + t, to + d] = padding[row, d]
                else:
                    for d in range(width):
                        col[first + t, to + d] = 0


@jit
def _from_windows(dcol, starts, begin, length, dx, dpadding):
    width = dx.shape[1]
    up = max(0, -begin)
    for s in range(starts.size - 1):
        first, count = starts[s], starts[s + 1] - starts[s]
        for t in range(count):
            for j in range(length):
                row = t + begin + j
                at = j * width
                if 0 <= row < count:
                    for d in range(width):
                        dx[first + row, d] += dcol[first + t, at + d]
                elif dpadding.shape[0] > 0:
                    row = up + (row if row < 0 else row - count)
                    for d in range(width):
                        dpadding[row, d] += dcol[first + t, at + d]


def _padding(PaddingData: np.ndarray | None, trainable: bool, like: np.ndarray) -> np.ndarray:
    """Return the padding rows; none if the padding is 0."""
    if trainable and PaddingData is not None:
        return np.ascontiguousarray(PaddingData)
    return np.empty((0, like.shape[1]), like.dtype)


def _columns(X: np.ndarray, padding: np.ndarray, starts: Any, begin: int, length: int) -> np.ndarray:
    """Return the rows of each row's window, concatenated."""
    col = np.empty((X.shape[0], length * X.shape[1]), X.dtype)
    _windows(np.ascontiguousarray(X), padding, offsets_array(starts), begin, length, col)
    return col


@kernel("sequence_conv")
def sequence_conv(X, PaddingData, Filter, *, lod, paddingTrainable, contextLength, contextStart, contextStride):
    starts = seq.starts_of("sequence_conv", "X", lod, X.shape[0])
    return _columns(X, _padding(PaddingData, paddingTrainable, X), starts, contextStart, contextLength) @ Filter


@kernel("sequence_conv_grad")
def sequence_conv_grad(
    X, PaddingData, Filter, dOut, *, lod, paddingTrainable, contextLength, contextStart, need=(True, True, True)
):
    padding = _padding(PaddingData, paddingTrainable, X)
    dfilter = _columns(X, padding, lod[0], contextStart, contextLength).T @ dOut if need[2] else None
    if not need[0] and not need[1]:
        return None, None, dfilter
    dx, dpadding = np.zeros(X.shape, dOut.dtype), np.zeros(padding.shape, dOut.dtype)
    dcol = np.ascontiguousarray(dOut @ Filter.T)
    _from_windows(dcol, offsets_array(lod[0]), contextStart, contextLength, dx, dpadding)
    if PaddingData is None:
        return dx, None, dfilter
    return dx, dpadding if paddingTrainable else np.zeros(PaddingData.shape, dOut.dtype), dfilter
