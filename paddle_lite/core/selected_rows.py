"""SelectedRows: the gradient of a table of which only some rows were read."""

from __future__ import annotations

from typing import Any

import numpy as np


class SelectedRows:
    """Rows of a [height, ...] table: `values[i]` belongs to row `rows[i]`; a row may stand more than once.

    Arguments:
        rows: int64 [n], indices into the table.
        values: [n, ...], one entry a row.
        height: the number of rows of the table.
    """

    __slots__ = ("height", "rows", "values")

    def __init__(self, rows: Any, values: Any, height: int) -> None:
        self.rows = rows
        self.values = values
        self.height = height

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """`np.multiply(rows, number)`, the number an array of one element: how Programs of Paddle clip sparse gradients."""
        if ufunc is not np.multiply or method != "__call__" or options or inputs[0] is not self or inputs[1].size != 1:
            return NotImplemented
        return self.scaled(inputs[1].reshape(-1)[0])

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.height, *self.values.shape[1:])

    @property
    def dtype(self) -> Any:
        return self.values.dtype

    def __repr__(self) -> str:
        return f"SelectedRows(height={self.height}, rows={len(self.rows)}, width={list(self.values.shape[1:])}, {self.dtype})"

    def merged(self, xp: Any) -> SelectedRows:
        """The same gradient with each row at most once, in rising order; repeated rows are added up."""
        rows, where = xp.unique(self.rows, return_inverse=True)
        if len(rows) == len(self.rows):
            order = xp.argsort(self.rows)
            return SelectedRows(rows, self.values[order], self.height)
        values = xp.zeros((len(rows), *self.values.shape[1:]), self.values.dtype)
        xp.add.at(values, where.reshape(-1), self.values)
        return SelectedRows(rows, values, self.height)

    def to_dense(self, xp: Any) -> Any:
        """The gradient as a full [height, ...] array."""
        dense = xp.zeros(self.shape, self.values.dtype)
        xp.add.at(dense, self.rows, self.values)
        return dense

    def concat(self, other: SelectedRows, xp: Any) -> SelectedRows:
        """The sum of two such gradients: their rows, one after the other."""
        return SelectedRows(
            xp.concatenate((self.rows, other.rows)), xp.concatenate((self.values, other.values)), self.height
        )

    def scaled(self, factor: Any) -> SelectedRows:
        """The gradient times a number."""
        return SelectedRows(self.rows, self.values * factor, self.height)
