"""What `variable.value().get_tensor()` gives: the array inside of a Variable, as Fluid code reaches for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, describe, message
from ..core.lod import from_lengths, from_offsets
from .base import to_variable
from .variable import Variable


class Tensor:
    """The array of a Variable; setting it changes the Variable, its shape and dtype too."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self._variable.numpy(), dtype)

    def set(self, array: Any, place: Any = None) -> None:
        """Take a copy of an ndarray. The place is kept for Fluid code: the array goes where the guard computes."""
        if not isinstance(array, np.ndarray):
            raise ArgumentTypeError(message("Tensor.set", "array", describe(array), "an ndarray"))
        self._variable.array = to_variable(array, name="", zero_copy=False).array
        self._variable.levels = None

    def shape(self) -> list[int]:
        """The size of each dimension."""
        return self._variable.shape

    def lod(self) -> list[list[int]]:
        """The LoD as offsets, one list a level."""
        return self._variable.lod()

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """The LoD as lengths, one list a level."""
        return self._variable.recursive_sequence_lengths()

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Group the rows by offsets, one list a level."""
        self._variable.levels = from_offsets(lod, self._rows(), "set_lod")

    def set_recursive_sequence_lengths(self, lengths: Sequence[Sequence[int]]) -> None:
        """Group the rows by lengths, one list a level."""
        self._variable.levels = from_lengths(lengths, self._rows(), "set_recursive_sequence_lengths")

    def _rows(self) -> int:
        return self._variable.shape[0] if self._variable.shape else 0

    def _dtype(self) -> VarType:
        return self._variable.dtype

    def _is_initialized(self) -> bool:
        return self._variable.array.size > 0


class Holder:
    """What Fluid calls the variable behind a VarBase."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    def get_tensor(self) -> Tensor:
        """Its array, to read or to set."""
        return Tensor(self._variable)


def _value(self: Variable) -> Holder:
    """The holder of the array, for Fluid code: `v.value().get_tensor().set(array, place)`."""
    return Holder(self)


def install() -> None:
    """Put the method on Variable; imperative mode does it once."""
    Variable.value = _value  # type: ignore[attr-defined]
