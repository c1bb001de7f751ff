"""Checks of indices on the device, which do not wait for it: what they find is raised at the next copy to the host.

A kernel that meets an index outside of its range writes the index and the range into the row of its operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core import host
from ....core.errors import EnforceNotMet
from ...registry import array_module
from ..device.kernel import device_function
from .shape import current_device

OPERATORS = 256  # that may check indices in one process; further ones share a row
FIELDS = 3  # 1 if an index was wrong, the index, the end of its range


class IndexChecks:
    """The table of what was found, one for each device."""

    def __init__(self) -> None:
        self._tables: dict[int, Any] = {}
        self._errors: list[Callable[[int, int], EnforceNotMet]] = []
        self._rows: dict[str, int] = {}
        self._launched = False

    def row(self, type: str, error: Callable[[int, int], EnforceNotMet]) -> tuple[Any, int]:
        """Return the table and the row of an operator, for a kernel that is to be launched.

        Arguments:
            type: the operator.
            error: makes the error from the wrong index and the end of its range.
        """
        if self.raise_found not in host.after_copy:
            host.after_copy.append(self.raise_found)
        device = current_device()
        if device not in self._tables:
            self._tables[device] = array_module("gpu").zeros(OPERATORS * FIELDS, "int64")
        if type not in self._rows and len(self._errors) < OPERATORS:
            self._rows[type] = len(self._errors)
            self._errors.append(error)
        row = self._rows.get(type, 0)
        self._errors[row] = error
        self._launched = True
        return self._tables[device], row * FIELDS

    def forget(self) -> None:
        """Drop the tables, such as those of a stand-in that is no longer in use."""
        self._tables.clear()
        self._launched = False

    def expect(self) -> None:
        """Note that a kernel which checks indices was launched."""
        self._launched = True

    def begin(self) -> bool:
        """Start to watch whether kernels that check indices are launched; return what `end` takes."""
        before, self._launched = self._launched, False
        return before

    def end(self, before: bool) -> bool:
        """Return whether such kernels were launched since `begin`."""
        found, self._launched = self._launched, self._launched or before
        return found

    def raise_found(self) -> None:
        """Raise the error of a wrong index that a kernel has met; the kernels must have ended."""
        if not self._launched:
            return
        self._launched = False
        found = [host.to_host(table).tolist() for table in self._tables.values()]
        for table in self._tables.values():
            table[:] = 0
        for numbers in found:
            for row, error in enumerate(self._errors):
                wrong, index, end = numbers[row * FIELDS : (row + 1) * FIELDS]
                if wrong:
                    raise error(index, end)


index_checks = IndexChecks()


@device_function(index="int64", end="int64", table="int64[]", row="int64")
def checked(index, end, table, row):
    """Return the index; for one outside of its range write it into the table, and return 0."""
    result = index
    if index < 0 or index >= end:
        table[row + 1] = index
        table[row + 2] = end
        table[row] = 1
        result = 0
    return result


__all__ = ["checked", "index_checks"]
