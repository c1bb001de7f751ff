"""The inputs that a Plan usually has: whether those of a run have the same shapes and dtypes, in one call for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernels.array_pointers import array_description
from ...kernels.availability import jit_available
from ...kernels.inplace_safety import lists_readable, match_descriptions

__all__ = ["UsualInputs"]

SLOW_COMPARISONS = (
    1 << 14
)  # arrays compared in Python; they take several times as long as loading the kernel that compares them, a part of compiling it


class UsualInputs:
    """The shapes and dtypes of the inputs that a Plan has had in two runs after each other."""

    __slots__ = ("_compared", "_described", "_key")

    def __init__(self) -> None:
        self._compared, self._key = 0, None
        self._described = -1, np.empty(0, np.int64)  # their number and descriptions: other threads see both or neither

    def match(self, values: Sequence[Any]) -> bool:
        """Return whether the inputs of a run are C-contiguous arrays of the usual shapes and dtypes.

        False does not say that they are none: the kernel that compares them is not used before it pays.
        """
        count, descriptions = self._described
        fits = count == len(values) and type(values) is list
        return fits and bool(match_descriptions(id(values), count, descriptions))

    def ran(self, key: Any, values: Sequence[Any]) -> None:
        """Take notice of a run that was compared in Python; key: equal for runs of the same shapes and dtypes."""
        self._compared += len(values)
        if self._compared <= SLOW_COMPARISONS or not jit_available() or not lists_readable():
            return
        if key == self._key and all(type(value) is np.ndarray for value in values):
            words = [word for value in values for word in array_description(value.shape, value.dtype)]
            self._described = len(values), np.array(words, np.int64)
        self._key = key
