"""GPU kernels of row_conv: one launch for all sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.support.sequence_spans import starts_of_rows
from ...registry import array_module, kernel
from ..device.kernel import accumulated, launch
from ..support.shape import MOST_THREADS, alike, blocks_for
from .lookahead import weighted_rows, weighted_rows_grad
from .maps import device_offsets, sequence_of_rows

MOST_PARTS = 64
"""Parts of the rows whose gradients of the weights are summed by threads of their own, and then added up."""


def _weighted(x: Any, weights: Any, starts: Any, way: int) -> Any:
    xp, out = array_module("gpu"), array_module("gpu").empty(x.shape, x.dtype)
    given = xp.ascontiguousarray(x), xp.ascontiguousarray(weights), device_offsets(starts), sequence_of_rows(starts)
    sizes = out.size, weights.shape[1], len(weights), way
    launch(weighted_rows, blocks_for(out.size), MOST_THREADS, *given, out, *sizes)
    return out


def _of_weights(x: Any, d_out: Any, shape: tuple[int, int], starts: Any) -> Any:
    xp, rows = array_module("gpu"), starts[-1]
    each = max(1, -(-rows // MOST_PARTS))
    sums = xp.empty((-(-rows // each), *shape), accumulated({"T": x.dtype}))
    given = xp.ascontiguousarray(x), xp.ascontiguousarray(d_out), device_offsets(starts), sequence_of_rows(starts), sums
    sizes = sums.size, rows, shape[1], shape[0], each
    launch(weighted_rows_grad, blocks_for(sums.size), MOST_THREADS, *given, *sizes)
    return sums.sum(axis=0).astype(x.dtype)


@kernel("row_conv", device="gpu")
def row_conv(X: Any, Filter: Any, *, lod: Any, reference: Callable) -> Any:
    if not alike(X, Filter):
        return reference(X, Filter, lod=lod)
    return _weighted(X, Filter, starts_of_rows(X, lod), 1)


@kernel("row_conv_grad", device="gpu")
def row_conv_grad(
    X: Any, Filter: Any, dOut: Any, *, lod: Any, need: tuple = (True, True), reference: Callable
) -> tuple:
    if not alike(X, Filter, dOut):
        return reference(X, Filter, dOut, lod=lod, need=need)
    starts = starts_of_rows(X, lod)
    return (
        _weighted(dOut, Filter, starts, -1) if need[0] else None,
        _of_weights(X, dOut, Filter.shape, starts) if need[1] else None,
    )
