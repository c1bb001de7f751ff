"""LoDTensor: an array with a LoD, what Scopes hold and Executors are fed with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .dtype import VarType, to_vartype
from .errors import ArgumentTypeError, describe, message
from .lod import LoD, from_lengths, from_offsets, lengths, offsets


class LoDTensor:
    """An array and how its rows are grouped into sequences.

    `array` is the NumPy array (CuPy's on a GPU), None before anything was set; `levels` the LoD or None.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> t = fluid.LoDTensor()
    >>> t.set(np.ones([3, 2], 'float32'), fluid.CPUPlace())
    >>> t.set_recursive_sequence_lengths([[1, 2]])
    >>> t.lod(), t.shape()
    ([[0, 1, 3]], [3, 2])
    """

    __slots__ = ("__weakref__", "array", "levels")

    def __init__(self, array: Any = None, levels: LoD | None = None) -> None:
        self.array = array
        self.levels = levels

    def set(self, array: Any, place: Any = None) -> None:
        """Take a copy of an ndarray; the LoD stays."""
        if not isinstance(array, np.ndarray):
            raise ArgumentTypeError(message("LoDTensor.set", "array", describe(array), "an ndarray"))
        to_vartype(array.dtype, "LoDTensor.set")
        self.array = np.array(array, order="C")

    def shape(self) -> list[int]:
        """The size of each dimension; [0] before anything was set."""
        return [0] if self.array is None else list(self.array.shape)

    def lod(self) -> list[list[int]]:
        """The LoD as offsets, one list a level."""
        return offsets(self.levels)

    def set_lod(self, lod: Sequence[Sequence[int]]) -> None:
        """Group the rows by offsets, one list a level."""
        self.levels = from_offsets(lod, None, "LoDTensor.set_lod")

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """The LoD as lengths, one list a level."""
        return lengths(self.levels)

    def set_recursive_sequence_lengths(self, recursive_sequence_lengths: Sequence[Sequence[int]]) -> None:
        """Group the rows by lengths, one list a level."""
        self.levels = from_lengths(recursive_sequence_lengths, None, "LoDTensor.set_recursive_sequence_lengths")

    def _dtype(self) -> VarType:
        return VarType.FP32 if self.array is None else to_vartype(self.array.dtype)

    def _is_initialized(self) -> bool:
        return self.array is not None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.array.get() if hasattr(self.array, "get") else self.array
        return np.array(array, dtype)
