"""Values of logs as numbers and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, describe, message


def as_array(value: Any, where: str, name: str) -> np.ndarray:
    """Return an array, a Variable with values, or nested lists of numbers as an array.

    Raises:
        ArgumentTypeError: it is none of these.
    """
    numpy = getattr(value, "numpy", None)
    array = np.asarray(numpy() if callable(numpy) else value)
    if array.dtype.kind not in "biuf":
        raise ArgumentTypeError(message(where, name, describe(value), "an array, a Variable or a list of numbers"))
    return array


def as_number(value: Any, where: str, name: str) -> float:
    """Return a number, an array with one number, or such a Variable as a float.

    Raises:
        ArgumentTypeError: it is none of these.
    """
    if isinstance(value, (int, float)):
        return float(value)
    array = as_array(value, where, name)
    if array.size != 1:
        needs, fix = "one number", "Take the mean, or log each of them under a name of its own."
        raise ArgumentTypeError(message(where, name, f"an array of shape {list(array.shape)}", needs, fix))
    return float(array.reshape(-1)[0])
