"""A call of an operator as its traits see it: what a Plan knows of the values that the call reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np


class Operand(Protocol):
    """A value that a call reads or writes."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape, with -1 for sizes that are known at run time only."""

    @property
    def dtype(self) -> np.dtype | None:
        """Return the dtype; None for a value that is not a tensor of numbers."""

    @property
    def sure(self) -> bool:
        """Return whether the value always has this shape, provided that the Plan's inputs have theirs."""


class Call(Protocol):
    """A call of an operator."""

    @property
    def attrs(self) -> Mapping[str, Any]:
        """Return the attributes that the kernel reads."""

    @property
    def read(self) -> Mapping[str, Sequence[Operand | None]]:
        """Return the values in each input slot; None stands for an input that is left out."""

    @property
    def made(self) -> Mapping[str, Sequence[Operand | None]]:
        """Return the values in each output slot; None stands for an output that nothing reads."""

    def one(self, slot: str) -> Operand | None:
        """Return the value in an input slot that holds one."""

    def out(self, slot: str) -> Operand | None:
        """Return the value in an output slot that holds one."""

    def reads(self) -> Sequence[Operand]:
        """Return all values that the call reads."""

    def makes(self) -> Sequence[Operand]:
        """Return all values that the call writes."""


class PlannedCall(Call, Protocol):
    """A call in a Plan, which knows whether its results are used."""

    def used(self, value: Any) -> bool:
        """Return whether a value, or its shape, is read by another call or returned by the Plan; False for None."""


def without(*slots: str) -> Callable[[Call], bool]:
    """Return a function that tells whether a call leaves out these input slots, such as those that the host would read."""

    def left_out(call: Call) -> bool:
        return not any(each is not None for slot in slots for each in call.read.get(slot, ()))

    left_out.__name__ = f"without {' '.join(slots)}"  # as the listing of operators shows it
    return left_out
