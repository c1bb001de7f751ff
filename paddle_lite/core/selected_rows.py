"""SelectedRows: the sparse gradient of a table of which only some rows were read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import ArgumentTypeError, DenseNeeded, IndexRangeError, ShapeError, describe, message
from .indexed import add_at

PREDICATES = (np.isfinite, np.isinf, np.isnan)
UNBOUNDED = -1
"""The height of a table that has a row for each id of int64 that occurs."""


class SelectedRows:
    """Rows of a [height, ...] table: `values[i]` belongs to row `rows[i]`; a row may occur more than once.

    Arguments:
        rows: int64 [n], indices into the table.
        values: [n, ...], one entry a row.
        height: the number of rows of the table; UNBOUNDED where `rows` are ids of any size.

    Raises:
        ArgumentTypeError: rows or values is not an array of the right rank.
        ShapeError: there are more rows than values, or fewer.
    """

    __slots__ = ("height", "rows", "values")

    def __init__(self, rows: Any, values: Any, height: int) -> None:
        if getattr(rows, "ndim", None) != 1 or not getattr(values, "ndim", None):
            wrong, needs = ("values", "[n, ...]") if getattr(rows, "ndim", None) == 1 else ("rows", "[n]")
            got = describe(values if wrong == "values" else rows)
            raise ArgumentTypeError(message("SelectedRows", wrong, got, f"an array of shape {needs}"))
        if len(rows) != len(values):
            raise ShapeError(
                message("SelectedRows", "values", describe(values), f"{len(rows)} entries, one for each row")
            )
        self.rows = rows
        self.values = values
        self.height = height

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """Compute what Paddle's programs ask of sparse gradients: predicates of the values, and products with one number.

        Raises:
            DenseNeeded: another function is applied.
        """
        if method == "__call__" and not options and inputs[0] is self:
            if ufunc in PREDICATES:
                return ufunc(self.values)
            if ufunc is np.multiply and inputs[1].size == 1:
                return self.scaled(inputs[1].reshape(-1)[0])
        raise _refusal(ufunc.__name__)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise _refusal(function.__name__)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise _refusal("an array")

    def __getattr__(self, name: str) -> Any:
        raise _refusal(name)

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.height, *self.values.shape[1:])

    @property
    def dtype(self) -> Any:
        return self.values.dtype

    def __repr__(self) -> str:
        return f"SelectedRows(height={self.height}, rows={len(self.rows)}, width={list(self.values.shape[1:])}, {self.dtype})"

    def merged(self, xp: Any) -> SelectedRows:
        """Return the same gradient with each row at most once, in increasing order.

        Repeated rows are summed in order.
        """
        if xp is not np:
            rows, where = xp.unique(self.rows, return_inverse=True)
            values = xp.zeros((len(rows), *self.values.shape[1:]), self.values.dtype)
            add_at(xp, values, where.reshape(-1), self.values)
            return SelectedRows(rows, values, self.height)
        if (self.rows[1:] > self.rows[:-1]).all():
            return self
        order = self.rows.argsort(kind="stable")
        rows, values = self.rows[order], self.values[order]
        new = np.ones(len(rows), bool)
        np.not_equal(rows[1:], rows[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        if len(starts) == len(rows):
            return SelectedRows(rows, values, self.height)
        if 2 * len(starts) < len(rows):
            return SelectedRows(rows[starts], np.add.reduceat(values, starts, axis=0), self.height)
        sums = values[starts]  # few rows repeat: adding them one by one is faster than np.add.reduceat
        np.add.at(sums, new.cumsum()[~new] - 1, values[~new])
        return SelectedRows(rows[starts], sums, self.height)

    def places(self, where: str, argument: str, numbers: Any, xp: Any) -> Any:
        """Return the place of each number among `rows`, the first of equal ones, for a table that holds only these rows.

        Raises:
            IndexRangeError: a number is not among the rows.
        """
        order = xp.argsort(self.rows, kind="stable")
        rows = self.rows[order]
        found = xp.searchsorted(rows, numbers)
        missing = found == len(rows)
        missing[~missing] = rows[found[~missing]] != numbers[~missing]
        if missing.any():
            needs = f"one of the {len(rows)} rows that the table holds"
            raise IndexRangeError(message(where, argument, int(numbers[missing][0]), needs))
        return order[found]

    def to_dense(self, xp: Any) -> Any:
        """Return the gradient as a full [height, ...] array."""
        merged, dense = self.merged(xp), xp.zeros(self.shape, self.values.dtype)
        dense[merged.rows] = merged.values
        return dense

    def added_to(self, dense: Any, xp: Any) -> Any:
        """Add this gradient to a full [height, ...] array in place and return the array."""
        merged = self.merged(xp)
        dense[merged.rows] += merged.values
        return dense

    def concat(self, other: SelectedRows, xp: Any) -> SelectedRows:
        """Return the sum of two sparse gradients: the concatenation of their rows."""
        return sum_of_sparse((self, other), xp)

    def scaled(self, factor: Any, offset: Any = 0) -> SelectedRows:
        """Return the gradient times a number.

        Raises:
            DenseNeeded: `offset`, which would change every row of the table, is not 0.
        """
        if offset != 0:
            raise _refusal("adding a number")
        return SelectedRows(self.rows, self.values * factor, self.height)


def sum_of_sparse(parts: Sequence[SelectedRows], xp: Any) -> SelectedRows:
    """Return the sum of sparse gradients of one table, at least one: the concatenation of their rows.

    >>> one = SelectedRows(np.array([1]), np.ones((1, 2)), 3)
    >>> sum_of_sparse([one, one, one], np).rows.tolist()
    [1, 1, 1]
    """
    if len(parts) == 1:
        return parts[0]
    rows, values = ([getattr(part, name) for part in parts] for name in ("rows", "values"))
    return SelectedRows(xp.concatenate(rows), xp.concatenate(values), parts[0].height)


def _refusal(asked: str) -> DenseNeeded:
    """Return the error for what dense arrays can do and sparse gradients cannot."""
    fix = "get_tensor_from_selected_rows(merge_selected_rows(x)) gives its values as a dense Variable."
    return DenseNeeded(message("a sparse gradient", asked, "SelectedRows", "a dense array", fix))


def need_sparse(where: str, X: Any, slot: str = "X") -> None:
    """Raise unless an input of an operator is SelectedRows."""
    if not isinstance(X, SelectedRows):
        needs = "SelectedRows, as the gradient of a sparse embedding is"
        raise ArgumentTypeError(message(where, f"Input({slot})", describe(X), needs))
