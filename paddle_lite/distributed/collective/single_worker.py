"""The group of a job with one worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .group import Group, checked_operation


class SingleWorker(Group):
    """The group of a job of one worker: nothing is exchanged.

    >>> import numpy as np
    >>> group = SingleWorker()
    >>> group.share({'step': 3}), group.size
    ([{'step': 3}], 1)
    """

    def allreduce(self, arrays: Sequence[Any], op: str = "sum", out: Sequence[Any] | None = None) -> None:
        """Copy the arrays to `out`."""
        checked_operation(op)
        for array, target in zip(arrays, arrays if out is None else out, strict=True):
            if target is not array:
                target[...] = array

    def broadcast(self, arrays: Sequence[Any], root: int = 0) -> None:
        """Do nothing."""

    def allgather(self, array: Any) -> list[Any]:
        """Return the array in a list."""
        return [array]

    def barrier(self, call: str = "barrier") -> None:
        """Do nothing."""

    def check(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
