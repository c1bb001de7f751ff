"""Which values count as numbers: `fluid.average` and `fluid.metrics` of 1.8.5 ask with these."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_number", "is_number_or_matrix", "is_numpy"]


def is_number(var: Any) -> bool:
    """Return whether a value is a Python number, or an array of shape [1]; a NumPy scalar is none, as in 1.8.5."""
    return (isinstance(var, (int, float)) and not isinstance(var, np.generic)) or _is_one(var)


def _is_one(var: Any) -> bool:
    return isinstance(var, np.ndarray) and var.shape == (1,)


def is_number_or_matrix(var: Any) -> bool:
    """Return whether a value is a number as `is_number` says, or any array."""
    return is_number(var) or isinstance(var, np.ndarray)


def is_numpy(var: Any) -> bool:
    """Return whether a value is an array or a scalar of NumPy."""
    return isinstance(var, (np.ndarray, np.generic))
