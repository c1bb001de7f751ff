"""A call of an operator as its traits see it: what a Plan knows of the values that it reads and makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np


class Operand(Protocol):
    """A value that a call reads or makes."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape, with -1 for sizes that are known at run time only."""

    @property
    def dtype(self) -> np.dtype | None:
        """Its dtype; None for what is no tensor of numbers."""

    @property
    def sure(self) -> bool:
        """Whether it always has this shape, given that the inputs of the Plan have theirs."""


class Call(Protocol):
    """A call of an operator."""

    @property
    def attrs(self) -> Mapping[str, Any]:
        """The attributes that matter to its kernel."""

    @property
    def read(self) -> Mapping[str, Sequence[Operand | None]]:
        """The values in each input slot; None stands for what is left out."""

    @property
    def made(self) -> Mapping[str, Sequence[Operand | None]]:
        """The values in each output slot; None stands for what nobody wants."""

    def one(self, slot: str) -> Operand | None:
        """Return the value in an input slot that holds one."""

    def out(self, slot: str) -> Operand | None:
        """Return the value in an output slot that holds one."""

    def reads(self) -> Sequence[Operand]:
        """Return all values that it reads."""

    def makes(self) -> Sequence[Operand]:
        """Return all values that it makes."""


class PlannedCall(Call, Protocol):
    """A call in a Plan, which tells who uses what it makes."""

    def used(self, value: Any) -> bool:
        """Return whether anybody reads a value of the call, or its shape, or the Plan returns it; None is no value."""
