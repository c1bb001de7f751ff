"""Rows of arrays that indices select: index tuples of gather_nd and scatter_nd as indices of rows, and sums into rows.

An index tuple selects an element, or a slice if it is shorter than the array's rank.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.indexed import add_at
from ...core.ranges import require_range


def rows_of_tuples(xp: Any, where: str, Index: Any, shape: tuple[int, ...]) -> Any:
    """Return, for each tuple, the index of its row in `as_rows` of an array of this shape; raise for an index out of range."""
    rows = xp.zeros(Index.shape[:-1], "int64")
    for axis, size in enumerate(shape[: Index.shape[-1]]):
        each = Index[..., axis]
        require_range(where, f"Input(Index) for axis {axis}", each, size)
        rows = rows * size + each
    return rows.reshape(-1)


def as_rows(array: Any, depth: int) -> Any:
    """Return the array as a matrix whose rows are its first `depth` dimensions flattened."""
    return array.reshape(prod(array.shape[:depth]), prod(array.shape[depth:]))


def add_to_rows(xp: Any, out: Any, index: Any, values: Any) -> None:
    """Add `values[i]` to row `index[i]` of `out`, in place and in this order.

    Arguments:
        out: [rows, ...], C-contiguous. index: integers [n] from 0 to rows - 1. values: [n, ...].
    """
    add_at(xp, out, index.reshape(-1), values.reshape(index.size, *out.shape[1:]))
