"""CPU kernels of operators that move rows of sequences, by offsets, without index arrays or padding."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops.support import sequence_rows as seq
from ...numba_jit import jit
from ...registry import kernel
from .row_copies import add_spans, as_matrix, copy_spans, offsets_array, reversed_rows


def _rows(spans: list, x: Any) -> np.ndarray:
    """Return an uninitialised array for the rows that spans fill."""
    return np.empty((seq.rows_in(spans), *x.shape[1:]), x.dtype)


@jit
def _repeat(x, starts, out):
    for s in range(starts.size - 1):
        for i in range(starts[s], starts[s + 1]):
            for j in range(x.shape[1]):
                out[i, j] = x[s, j]


@jit
def _sum_up(dout, starts, dx):
    for s in range(starts.size - 1):
        for i in range(starts[s], starts[s + 1]):
            for j in range(dx.shape[1]):
                dx[s, j] += dout[i, j]


def _each_row(X: np.ndarray, starts: Any) -> np.ndarray:
    """Return row i of X repeated as often as sequence i has rows."""
    out = np.empty((starts[-1], *X.shape[1:]), X.dtype)
    _repeat(as_matrix(X).view(np.uint8), offsets_array(starts), as_matrix(out).view(np.uint8))
    return out


def _sum_of_each(dout: np.ndarray, starts: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return the sum of the rows of each sequence."""
    dx = np.zeros(shape, dout.dtype)
    _sum_up(as_matrix(dout), offsets_array(starts), as_matrix(dx))
    return dx


@kernel("sequence_expand")
def sequence_expand(X, Y, *, lod, ref_level):
    starts, times = seq.repetitions("sequence_expand", X.shape[0], lod, ref_level, Y.shape[0])
    if lod[0] is None:
        return _each_row(X, lod[1][ref_level]), None
    spans, levels = seq.repeat_spans(starts, times, True)
    return copy_spans(X, spans, _rows(spans, X)), levels


@kernel("sequence_expand_grad")
def sequence_expand_grad(X, Y, dOut, *, lod, ref_level):
    if lod[0] is None:
        return _sum_of_each(dOut, lod[1][ref_level], X.shape)
    starts, times = seq.repetitions("sequence_expand", X.shape[0], lod, ref_level, Y.shape[0])
    spans, _ = seq.repeat_spans(starts, times, True)
    return add_spans(dOut, spans, np.zeros(X.shape, dOut.dtype))


@kernel("sequence_expand_as")
def sequence_expand_as(X, Y, *, lod):
    starts = seq.starts_of("sequence_expand_as", "Y", lod, Y.shape[0])
    seq.require_one_each("sequence_expand_as", "Y", starts, X.shape[0], "the rows of X")
    return _each_row(X, starts)


@kernel("sequence_expand_as_grad")
def sequence_expand_as_grad(X, Y, dOut, *, lod):
    return _sum_of_each(dOut, lod[0], X.shape)


@kernel("sequence_concat")
def sequence_concat(X, *, lod):
    each, levels = seq.concat_spans("sequence_concat", lod, [len(x) for x in X])
    out = np.empty((sum(len(x) for x in X), *X[0].shape[1:]), X[0].dtype)
    for x, spans in zip(X, each, strict=True):
        copy_spans(x, spans, out)
    return out, levels


def _back(spans: list) -> list:
    """Return the inverse spans, from target to source."""
    return [(b, a, count) for a, b, count in spans]


@kernel("sequence_concat_grad")
def sequence_concat_grad(X, dOut, *, lod, need=None):
    each, _ = seq.concat_spans("sequence_concat", lod, [x.shape[0] for x in X])
    wanted = need[0] if need else (True,) * len(X)
    return [
        copy_spans(dOut, _back(spans), np.empty(x.shape, dOut.dtype)) if wants else None
        for x, spans, wants in zip(X, each, wanted, strict=True)
    ]


@kernel("sequence_slice")
def sequence_slice(X, Offset, Length, *, lod):
    spans, levels = seq.slice_spans(X, Offset, Length, lod)
    return copy_spans(X, spans, _rows(spans, X)), levels


@kernel("sequence_slice_grad")
def sequence_slice_grad(X, Offset, Length, dOut, *, lod):
    spans, _ = seq.slice_spans(X, Offset, Length, lod)
    return copy_spans(dOut, _back(spans), np.zeros(X.shape, dOut.dtype))


@kernel("sequence_pad")
def sequence_pad(X, PadValue, *, lod, padded_length):
    starts = seq.starts_of("sequence_pad", "X", lod, X.shape[0])
    spans, length = seq.pad_spans("sequence_pad", starts, padded_length)
    out = np.empty((len(spans) * length, *X.shape[1:]), X.dtype)
    out[...] = PadValue
    copy_spans(X, spans, out)
    return out.reshape(len(spans), length, *X.shape[1:]), np.array(seq.lengths_of(starts), np.int64)


@kernel("sequence_pad_grad")
def sequence_pad_grad(X, dOut, *, lod, padded_length):
    spans, length = seq.pad_spans("sequence_pad", lod[0], padded_length)
    flat = dOut.reshape(len(spans) * length, *X.shape[1:])
    return copy_spans(flat, _back(spans), np.empty(X.shape, dOut.dtype))


@kernel("sequence_unpad")
def sequence_unpad(X, Length):
    spans, levels = seq.unpad_spans("sequence_unpad", Length.tolist(), X.shape[1])
    inner = X.shape[2:] or (1,)
    flat = X.reshape(X.shape[0] * X.shape[1], *inner)
    return copy_spans(flat, spans, np.empty((seq.rows_in(spans), *inner), X.dtype)), levels


@kernel("sequence_unpad_grad")
def sequence_unpad_grad(X, Length, dOut):
    spans, _ = seq.unpad_spans("sequence_unpad", Length.tolist(), X.shape[1])
    dx = np.zeros((X.shape[0] * X.shape[1], *dOut.shape[1:]), dOut.dtype)
    return copy_spans(dOut, _back(spans), dx).reshape(X.shape)


@kernel("sequence_reverse")
def sequence_reverse(X, *, lod):
    return reversed_rows(X, seq.starts_of("sequence_reverse", "X", lod, X.shape[0]))
