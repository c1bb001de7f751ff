"""`variable.value().get_tensor()`: reading and setting the array of a Variable, as Fluid code does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, describe, message
from ..core.lod import from_lengths, from_offsets
from .arrays import at_place


class Tensor:
    """The array of a Variable. Setting it changes the Variable, including its shape and dtype."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Any) -> None:
        self._variable = variable

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self._variable.numpy(), dtype)

    def set(self, array: Any, place: Any = None) -> None:
        """Set the array to a copy of an ndarray, on the place of the guard; the LoD is removed.

        Arguments:
            array: an ndarray of any shape.
            place: ignored; accepted since Fluid code passes it.

        Raises:
            ArgumentTypeError: `array` is not an ndarray.
            DtypeError: Paddle does not have its dtype.
        """
        if not isinstance(array, np.ndarray):
            raise ArgumentTypeError(message("Tensor.set", "array", describe(array), "an ndarray"))
        self._variable.array = at_place(array, zero_copy=False)
        self._variable.levels = None

    def shape(self) -> list[int]:
        """Return the size of each dimension."""
        return self._variable.shape

    def lod(self) -> list[list[int]]:
        """Return the LoD as offsets, one list a level."""
        return self._variable.lod()

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """Return the LoD as lengths, one list a level."""
        return self._variable.recursive_sequence_lengths()

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Set the LoD from offsets, one list a level.

        Raises:
            LoDError: the LoD does not cover the rows.
        """
        self._variable.levels = from_offsets(lod, self._rows(), "set_lod")

    def set_recursive_sequence_lengths(self, lengths: Sequence[Sequence[int]]) -> None:
        """Set the LoD from lengths, one list a level.

        Raises:
            LoDError: the LoD does not cover the rows.
        """
        self._variable.levels = from_lengths(lengths, self._rows(), "set_recursive_sequence_lengths")

    def _rows(self) -> int:
        return self._variable.shape[0] if self._variable.shape else 0

    def _dtype(self) -> VarType:
        return self._variable.dtype

    def _is_initialized(self) -> bool:
        return self._variable.array.size > 0


class TensorAccess:
    """The result of `Variable.value()`, which gives access to the Tensor."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Any) -> None:
        self._variable = variable

    def get_tensor(self) -> Tensor:
        """Return the Tensor, which reads and sets the array."""
        return Tensor(self._variable)
