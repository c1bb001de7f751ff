"""Gathering of table rows by index, by several threads if there are many."""

from __future__ import annotations

from typing import Any

import numpy as np

from .threads import parallel_for, threads_for

__all__ = ["gather_rows"]

ELEMENT = 4  # the cost of an element for `parallel_for`: the rows are scattered in memory


def gather_rows(table: Any, index: Any) -> Any:
    """Return table[index].

    Args:
        table: [rows, width], a NumPy or CuPy array.
        index: integers [n] from 0 to rows - 1; not checked.

    Example:
        >>> gather_rows(np.array([[1, 2], [3, 4]]), np.array([1, 0, 1]))
        array([[3, 4],
               [1, 2],
               [3, 4]])
    """
    work = ELEMENT * index.size * table.shape[1]
    if type(table) is not np.ndarray or threads_for(work) == 1:
        return table.take(index, axis=0)
    out = np.empty((index.size, table.shape[1]), table.dtype)
    parallel_for(_take, index.size, work, (table, index, out))
    return out


def _take(first: int, last: int, table: np.ndarray, index: np.ndarray, out: np.ndarray) -> None:
    table.take(index[first:last], axis=0, out=out[first:last], mode="clip")  # other modes make a copy of `out`
