"""What kernels over ragged batches do with the states before the first step, and with those one step earlier."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops.support.time_steps import Steps
from ..support.scratch import scratch

__all__ = ["FEW", "earlier_rows", "first_state", "of_first_state"]

FEW = 512  # numbers of the input below which Numba's import is never earned back


def earlier_rows(when: Steps, first: Any, values: np.ndarray, use: str) -> np.ndarray:
    """For each row of a ragged array the row of the step before.

    That of `first` (zeros without it) at a sequence's start.
    """
    before = scratch(use, values.shape, values.dtype)
    if when.way == 1:
        before[1:] = values[:-1]
    else:
        before[:-1] = values[1:]
    n = when.alive
    before[when.rows[:n]] = 0 if first is None else first[when.order[:n]]
    return before


def first_state(when: Steps, first: Any, size: int, dtype: np.dtype) -> np.ndarray:
    """Return the state before step 0 in batch order, zeros where none is given."""
    n = when.alive
    return np.zeros((n, size), dtype) if first is None else first[when.order[:n]]


def of_first_state(when: Steps, first: Any, gradient: np.ndarray) -> np.ndarray | None:
    """Return the gradient of a first state, in the order of the sequences."""
    if first is None:
        return None
    out = np.zeros(first.shape, first.dtype)
    out[when.order[: when.alive]] = gradient
    return out
