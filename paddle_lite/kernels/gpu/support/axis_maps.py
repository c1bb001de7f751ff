"""Linear maps along one axis of an array by sparse weights: interpolation, mirrored margins, and the gradients of both.

A map has, for each point of the result, the points that it reads and their weights. The gradient is the transposed map, so that no
two threads add to one element.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...registry import array_module
from ..device.kernel import device_kernel, launch
from ..device.language import block, blocks, thread, threads
from ..device.types import A, T
from .shape import MOST_THREADS, blocks_for


class AxisMap(NamedTuple):
    """A map on the device: point i of the result is the sum of weights[k] * x[places[k]] for k from starts[i] to starts[i + 1] - 1."""

    starts: Any
    places: Any
    weights: Any


def axis_map(taps: Sequence[tuple[Any, Any]], size: int, transposed: bool) -> AxisMap:
    """Return the map of some taps.

    Arguments:
        taps: pairs of arrays of NumPy; result point i is the sum of weights[i] * x[places[i]] over the pairs.
        size: the number of points of x.
        transposed: whether to return the transposed map.
    """
    places, weights = (np.stack(each, axis=1) for each in zip(*taps, strict=True))
    count, rows, columns = len(places), np.repeat(np.arange(len(places)), len(taps)), places.reshape(-1)
    if transposed:
        rows, columns, count = columns, rows, size
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(count + 1))
    xp = array_module("gpu")
    found = starts.astype(np.int64), columns[order].astype(np.int64), weights.reshape(-1)[order]
    return AxisMap(*(xp.asarray(each) for each in found))


@device_kernel(
    x="T[]", starts="int64[]", places="int64[]", weights="T[]", out="T[]", size="int64", inner="int64", given="int64", made="int64"
)  # fmt: skip
def mapped_axis(x, starts, places, weights, out, size, inner, given, made):
    """Map the middle axis of x [outer, given, inner] to that of out [outer, made, inner]."""
    for e in range(block() * threads() + thread(), size, blocks() * threads()):
        point = e // inner % made
        first = e // inner // made * given
        total = A(0)
        for k in range(starts[point], starts[point + 1]):
            total += A(weights[k]) * A(x[(first + places[k]) * inner + e % inner])
        out[e] = T(total)


def along_axis(x: Any, axis: int, by: AxisMap) -> Any:
    """Return x with an axis mapped, by a map of its dtype."""
    xp, made = array_module("gpu"), len(by.starts) - 1
    out = xp.empty((*x.shape[:axis], made, *x.shape[axis + 1 :]), x.dtype)
    sizes = out.size, math.prod(x.shape[axis + 1 :]), x.shape[axis], made
    launch(mapped_axis, blocks_for(out.size), MOST_THREADS, xp.ascontiguousarray(x), *by, out, *sizes)
    return out


__all__ = ["AxisMap", "along_axis", "axis_map"]
