"""GPU kernels of operators that compute over the rows of each sequence."""

from __future__ import annotations

import math
from typing import Any

from ....ops.support import sequence_rows as seq
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, blocks_for, threads_for
from . import pools
from .maps import device_offsets, sequence_of_rows

_HOW = {name: getattr(pools, name) for name in ("SUM", "AVERAGE", "SQRT", "MAX", "MIN", "FIRST", "LAST")}


def _width(x: Any) -> int:
    return math.prod(x.shape[1:])


@kernel("sequence_pool", device="gpu")
def sequence_pool(X: Any, *, lod: Any, pooltype: str, pad_value: float) -> tuple:
    starts = seq.starts_of("sequence_pool", "X", lod, X.shape[0], most=len(lod or ()))
    xp, x = array_module("gpu"), array_module("gpu").ascontiguousarray(X)
    out = xp.empty((len(starts) - 1, *X.shape[1:]), X.dtype)
    kept = pooltype in ("MAX", "MIN")
    index = xp.empty(out.shape if kept else 0, "int32")
    given = _width(x), out.size, _HOW[pooltype], pad_value
    launch(pools.pooled_sequences, blocks_for(out.size), MOST_THREADS, x, device_offsets(starts), out, index, *given)
    return out, index if kept else None


@kernel("sequence_pool_grad", device="gpu")
def sequence_pool_grad(X: Any, MaxIndex: Any, dOut: Any, *, lod: Any, pooltype: str) -> Any:
    xp, starts = array_module("gpu"), lod[-1]
    dx = xp.empty(X.shape, dOut.dtype)
    index = xp.empty(0, "int32") if MaxIndex is None else xp.ascontiguousarray(MaxIndex)
    given = device_offsets(starts), sequence_of_rows(starts), dx, _width(dx), dx.size, _HOW[pooltype]
    d = xp.ascontiguousarray(dOut)
    launch(pools.pooled_sequences_grad, blocks_for(dx.size), MOST_THREADS, d, index, *given)
    return dx


def _block_threads(starts: Any) -> int:
    return threads_for(max(seq.lengths_of(starts), default=1))


@kernel("sequence_softmax", device="gpu")
def sequence_softmax(X: Any, *, lod: Any) -> Any:
    starts = seq.starts_of("sequence_softmax", "X", lod, X.shape[0], most=len(lod or ()))
    xp, x = array_module("gpu"), array_module("gpu").ascontiguousarray(X)
    out = xp.empty_like(x)
    launch(pools.softmax_sequences, len(starts) - 1, _block_threads(starts), x, device_offsets(starts), out)
    return out


@kernel("sequence_softmax_grad", device="gpu")
def sequence_softmax_grad(X: Any, Out: Any, dOut: Any, *, lod: Any) -> Any:
    xp, starts = array_module("gpu"), lod[-1]
    out, d = xp.ascontiguousarray(Out), xp.ascontiguousarray(dOut)
    dx, at = xp.empty_like(out), device_offsets(starts)
    launch(pools.softmax_sequences_grad, len(starts) - 1, _block_threads(starts), out, d, at, dx)
    return dx


def _windows(X: Any, padding: Any, starts: Any, begin: int, length: int) -> Any:
    """Return [rows, length * D]: for each row the rows of its window."""
    xp, x = array_module("gpu"), array_module("gpu").ascontiguousarray(X)
    out = xp.empty((x.shape[0], length * x.shape[1]), x.dtype)
    filled = x if padding is None else xp.ascontiguousarray(padding)
    place = device_offsets(starts), sequence_of_rows(starts)
    given = x.shape[1], out.size, length, begin, int(padding is not None)
    launch(pools.sequence_windows, blocks_for(out.size), MOST_THREADS, x, filled, *place, out, *given)
    return out


@kernel("sequence_conv", device="gpu")
def sequence_conv(
    X: Any, PaddingData: Any, Filter: Any,
    *, lod: Any, paddingTrainable: bool, contextLength: int, contextStart: int, contextStride: int,
) -> Any:  # fmt: skip
    starts = seq.starts_of("sequence_conv", "X", lod, X.shape[0])
    return _windows(X, PaddingData if paddingTrainable else None, starts, contextStart, contextLength) @ Filter


@kernel("sequence_conv_grad", device="gpu")
def sequence_conv_grad(
    X: Any, PaddingData: Any, Filter: Any, dOut: Any,
    *, lod: Any, paddingTrainable: bool, contextLength: int, contextStart: int, need: tuple = (True, True, True),
) -> tuple:  # fmt: skip
    xp, starts, padding = array_module("gpu"), lod[0], PaddingData if paddingTrainable else None
    d_filter = _windows(X, padding, starts, contextStart, contextLength).T @ dOut if need[2] else None
    if not need[0] and not need[1]:
        return None, None, d_filter
    d_windows, width = xp.ascontiguousarray(dOut @ Filter.T), X.shape[1]
    dx, at = xp.empty(X.shape, dOut.dtype), device_offsets(starts)
    given = d_windows, at, sequence_of_rows(starts), dx, width, dx.size, contextLength, contextStart
    launch(pools.sequence_windows_grad, blocks_for(dx.size), MOST_THREADS, *given)
    if PaddingData is None or padding is None:
        return dx, None if PaddingData is None else xp.zeros(PaddingData.shape, PaddingData.dtype), d_filter
    d_padding = xp.empty(padding.shape, dOut.dtype)
    sums = d_windows, at, d_padding, len(starts) - 1, width, d_padding.size, contextLength, contextStart
    launch(pools.sequence_padding_grad, blocks_for(d_padding.size), MOST_THREADS, *sums)
    return dx, d_padding, d_filter
