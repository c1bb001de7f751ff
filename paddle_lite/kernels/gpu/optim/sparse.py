"""Updates from sparse gradients, without a wait for the device: how many different rows there are stays there."""

from __future__ import annotations

from math import prod
from typing import Any

from ....core.selected_rows import SelectedRows
from ...registry import array_module
from ..device.kernel import launch
from ..support.indexed_rows import first_rows, merged_rows
from ..support.shape import MOST_THREADS, blocks_for
from ..support.sorting import sorted_rows


class TableRows:
    """The rows of a table that a sparse gradient changes, sorted; equal ones stay.

    Attributes:
        gradient: [n, ...], the sum of all values of a row for the first of equal rows, 0 for the others.
    """

    def __init__(self, gradient: SelectedRows) -> None:
        xp, values = array_module("gpu"), array_module("gpu").ascontiguousarray(gradient.values)
        self._rows, order = sorted_rows(xp.ascontiguousarray(gradient.rows % gradient.height))
        self._sizes = len(self._rows), prod(values.shape[1:])
        self.gradient = xp.empty_like(values)
        launch(merged_rows, *self._grid(), self._rows, order, values, self.gradient, *self._sizes)

    def _grid(self) -> tuple[int, int]:
        return blocks_for(self.gradient.size), MOST_THREADS

    def taken(self, table: Any) -> Any:
        """Return the rows of a table."""
        return table[self._rows]

    def placed(self, table: Any, values: Any) -> Any:
        """Return the table with other values in the rows."""
        new = table.copy()
        launch(first_rows, *self._grid(), self._rows, values, new, *self._sizes)
        return new


__all__ = ["TableRows"]
