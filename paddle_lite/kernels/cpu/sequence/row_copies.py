"""Copies and sums of runs of rows.

ops/support/sequence_rows.py defines spans.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ....ops.support.sequence_rows import Span
from ...numba_jit import jit

KEPT, KEPT_LENGTH = 32, 4096  # how many offsets are kept as arrays, and how long they may be


@jit
def _copy(x, spans, out):
    for k in range(spans.shape[0]):
        source, target, count = spans[k, 0], spans[k, 1], spans[k, 2]
        for i in range(count):
            for j in range(x.shape[1]):
                out[target + i, j] = x[source + i, j]


@jit
def _add(dout, spans, dx):
    for k in range(spans.shape[0]):
        source, target, count = spans[k, 0], spans[k, 1], spans[k, 2]
        for i in range(count):
            for j in range(dx.shape[1]):
                dx[source + i, j] += dout[target + i, j]


@jit
def _reverse(x, starts, out):
    for s in range(starts.size - 1):
        first, last = starts[s], starts[s + 1] - 1
        for i in range(starts[s + 1] - starts[s]):
            for j in range(x.shape[1]):
                out[first + i, j] = x[last - i, j]


def spans_array(spans: Sequence[Span]) -> np.ndarray:
    """Return spans as an array [n, 3]."""
    return np.array(spans, np.int64).reshape(-1, 3)


def offsets_array(starts: Any) -> np.ndarray:
    """Return offsets as an array; it may be one that earlier callers got, so nobody writes into it."""
    return _kept_array(starts) if type(starts) is tuple and len(starts) <= KEPT_LENGTH else np.array(starts, np.int64)


@functools.lru_cache(maxsize=KEPT)
def _kept_array(starts: tuple[int, ...]) -> np.ndarray:
    """Return offsets as an array: most operators of a step, and often those of the next, need the same."""
    return np.array(starts, np.int64)


def as_matrix(x: np.ndarray) -> np.ndarray:
    """Return an array as a C-ordered matrix with the same rows."""
    whole = np.ascontiguousarray(x)
    return whole if whole.ndim == 2 else whole.reshape(x.shape[0], prod(x.shape[1:]))


def copy_spans(x: np.ndarray, spans: Sequence[Span], out: np.ndarray) -> np.ndarray:
    """Copy spans of rows of x into `out`, which is C-ordered, and return it."""
    _copy(as_matrix(x).view(np.uint8), spans_array(spans), as_matrix(out).view(np.uint8))
    return out


def add_spans(dout: np.ndarray, spans: Sequence[Span], dx: np.ndarray) -> np.ndarray:
    """Add spans of rows of dout to the rows of `dx` that they were copied from, and return it; dx is C-ordered."""
    _add(as_matrix(dout), spans_array(spans), as_matrix(dx))
    return dx


def reversed_rows(x: np.ndarray, starts: Any) -> np.ndarray:
    """Return an array with the rows of each sequence reversed."""
    out = np.empty(x.shape, x.dtype)
    _reverse(as_matrix(x).view(np.uint8), offsets_array(starts), as_matrix(out).view(np.uint8))
    return out
