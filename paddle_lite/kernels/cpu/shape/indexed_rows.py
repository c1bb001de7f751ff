"""Operations on rows of matrices: scatter-add by index, merging of repeated rows, and top-k of each row."""

from __future__ import annotations

import numpy as np

from ....core.selected_rows import SelectedRows
from ...numba_jit import jit
from ...threads import parallel_for

__all__ = ["merge_rows", "scatter_add_rows", "top_k_rows"]

ADDED = 8  # the work, for threads.parallel_for, of an element that is added to a row at a random address


def scatter_add_rows(shape: tuple[int, ...], index: np.ndarray, values: np.ndarray, skip: int = -1) -> np.ndarray:
    """Return zeros with `values[i]` added to row `index[i]`.

    Args:
        shape: the shape of the result, [rows, ...].
        index: integers [n] from 0 to rows - 1, or `skip`.
        values: [n, ...].
        skip: an index whose values are ignored.

    Example:
        >>> scatter_add_rows((3, 1), np.array([2, 0, 2]), np.array([[1.0], [2.0], [3.0]]))
        array([[2.],
               [0.],
               [4.]])
    """
    out = np.zeros(shape, values.dtype)
    _add_rows(out, index, values, skip)
    return out


def sum_of_rows(
    shape: tuple[int, ...],
    others: list[np.ndarray],
    indices: list[np.ndarray],
    values: list[np.ndarray],
    skips: list[int],
) -> np.ndarray:
    """Return the sum of `others` and of `scatter_add_rows(shape, index, rows, skip)` for each index, with its rows and its skip.

    Args:
        shape: the shape of the result, [rows, width].
        others: arrays of this shape.
        indices: integers of any shape. values: for each of them an array of as many rows.
        skips: for each index the one that is ignored.

    Example:
        >>> sum_of_rows((2, 1), [np.ones((2, 1))], [np.array([1, 1])], [np.array([[2.0], [3.0]])], [-1])
        array([[1.],
               [6.]])
    """
    out = np.zeros(shape, values[0].dtype) if len(others) != 1 else others[0].copy()
    if len(others) > 1:
        np.add(others[0], others[1], out=out)
    for other in others[2:]:
        out += other
    for index, rows, skip in zip(indices, values, skips, strict=True):
        _add_rows(out, index.reshape(-1), rows.reshape(-1, shape[1]), skip)
    return out


def _add_rows(out: np.ndarray, index: np.ndarray, values: np.ndarray, skip: int) -> None:
    """Add `values[i]` to row `index[i]` of a contiguous array."""
    if values.dtype == np.float16:
        kept = index != skip
        np.add.at(out, index[kept], values[kept])
    elif out.size and index.size:
        args = out.reshape(len(out), -1), index, values.reshape(len(values), -1), skip
        parallel_for(_add_to_rows, len(out), ADDED * values.size, args)


@jit(shared=True)
def _add_to_rows(first, last, out, index, values, skip):
    """Add to the rows from `first` to `last`."""
    for i in range(index.size):
        row = index[i]
        if row != skip and first <= row < last:
            for j in range(out.shape[1]):
                out[row, j] += values[i, j]


def merge_rows(gradient: SelectedRows, rising: bool = True) -> SelectedRows:
    """Return the same gradient with each row at most once; repeated rows are summed in order.

    Args:
        gradient: a sparse gradient with non-negative row indices.
        rising: whether to sort the rows; otherwise they are in the order of their first occurrence.

    Example:
        >>> gradient = SelectedRows(np.array([2, 0, 2]), np.array([[1.0], [2.0], [3.0]]), 5)
        >>> merge_rows(gradient).values
        array([[2.],
               [4.]])
    """
    rows, values = gradient.rows, gradient.values
    if values.size < _MANY or values.dtype == np.float16 or (rows[1:] > rows[:-1]).all():
        return gradient.merged(np)
    places = np.full(2 << (len(rows) - 1).bit_length(), -1)
    found, sums = np.empty(len(rows), np.int64), np.empty((len(rows), values[0].size), values.dtype)
    count = _merge(np.ascontiguousarray(rows, np.int64), values.reshape(sums.shape), places, found, sums)
    found, sums = found[:count], sums[:count]
    if rising:
        order = found.argsort()
        found, sums = found[order], sums.take(order, axis=0)
    return SelectedRows(found, sums.reshape(count, *values.shape[1:]), gradient.height)


_MANY = 4096  # elements from which on Numba is worthwhile


@jit
def _merge(rows, values, places, found, sums):
    """Write the k-th distinct row to `found[k]` and its sum to `sums[k]`; return their number. places: a hash table of -1."""
    count, last = 0, places.size - 1
    for i in range(rows.size):
        row = rows[i]
        at = (row * 40503 + (row >> 16)) & last
        while places[at] >= 0 and found[places[at]] != row:
            at = (at + 1) & last
        k = places[at]
        if k < 0:
            places[at], found[count] = count, row
            for j in range(sums.shape[1]):
                sums[count, j] = values[i, j]
            count += 1
        else:
            for j in range(sums.shape[1]):
                sums[k, j] += values[i, j]
    return count


def top_k_rows(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the k largest elements of each row and their indices.

    Args:
        x: [..., D].
        k: from 1 to D.

    Returns:
        Values like x and int64 indices, both [..., k], in descending order; equal elements are ordered by index, and NaN
            comes last.

    Example:
        >>> top_k_rows(np.array([[1.0, 3.0, 2.0, 3.0]]), 3)[1]
        array([[1, 3, 2]])
    """
    rows = x.reshape(-1, x.shape[-1])
    indices = np.empty((len(rows), k), np.int64)
    wide = rows.astype(np.float32) if x.dtype == np.float16 else rows
    if k <= _FEW:
        values = np.empty((len(rows), k), wide.dtype)
        _select(wide, values, indices)
    else:
        indices[...] = np.argsort(-wide, axis=-1, kind="stable")[:, :k]
        values = np.take_along_axis(wide, indices, -1)
    shape = (*x.shape[:-1], k)
    return values.astype(x.dtype, copy=False).reshape(shape), indices.reshape(shape)


_FEW = 64  # above this k, sorting whole rows is faster


@jit
def _select(x, values, indices):
    rows, k = values.shape
    for i in range(rows):
        count = 0
        for j in range(x.shape[1]):
            v = x[i, j]
            if v == v and (count < k or v > values[i, k - 1]):
                place = min(count, k - 1)
                while place > 0 and v > values[i, place - 1]:
                    values[i, place] = values[i, place - 1]
                    indices[i, place] = indices[i, place - 1]
                    place -= 1
                values[i, place] = v
                indices[i, place] = j
                count = min(count + 1, k)
        for j in range(x.shape[1]):
            if count < k and x[i, j] != x[i, j]:
                values[i, count] = x[i, j]
                indices[i, count] = j
                count += 1
