"""`variable.value().get_tensor()`: the array of a Variable as Fluid code reads and sets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, describe, message
from ..core.lod import from_lengths, from_offsets
from .arrays import at_place


class Tensor:
    """The array of a Variable; setting it changes the Variable, its shape and dtype too."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Any) -> None:
        self._variable = variable

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self._variable.numpy(), dtype)

    def set(self, array: Any, place: Any = None) -> None:
        """Take a copy of an ndarray. The place is kept for Fluid code: the array goes where the guard computes."""
        if not isinstance(array, np.ndarray):
            raise ArgumentTypeError(message("Tensor.set", "array", describe(array), "an ndarray"))
        self._variable.array = at_place(array, zero_copy=False)
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


class TensorAccess:
    """What `value()` returns: gives the Tensor of a Variable. Fluid calls it the variable behind a VarBase."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Any) -> None:
        self._variable = variable

    def get_tensor(self) -> Tensor:
        """Its array, to read or to set."""
        return Tensor(self._variable)
