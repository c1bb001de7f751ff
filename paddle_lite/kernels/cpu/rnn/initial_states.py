"""Initial and previous states of recurrences over ragged batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....ops.support.time_steps import Steps
from ..support.scratch import scratch

__all__ = ["initial_state", "initial_state_gradient", "previous_rows", "read_only"]


def previous_rows(when: Steps, first: Any, values: np.ndarray, use: str) -> np.ndarray:
    """Return the previous step's row for each row of a ragged array.

    At the start of a sequence it is the row of `first`, or zeros.
    """
    before = scratch(use, values.shape, values.dtype)
    if when.way == 1:
        before[1:] = values[:-1]
    else:
        before[:-1] = values[1:]
    n = when.alive
    before[when.rows[:n]] = 0 if first is None else first[when.order[:n]]
    return before


def read_only(rows: np.ndarray) -> np.ndarray:
    """Return row numbers that cannot be written, as those of ragged batches: one compiled step serves both."""
    rows.flags.writeable = False
    return rows


def initial_state(when: Steps, first: Any, size: int, dtype: np.dtype) -> np.ndarray:
    """Return the initial state in batch order, a contiguous array; zeros if none is given."""
    n = when.alive
    return np.zeros((n, size), dtype) if first is None else np.ascontiguousarray(first[when.order[:n]])


def initial_state_gradient(when: Steps, first: Any, gradient: np.ndarray) -> np.ndarray | None:
    """Return the gradient of an initial state, in the order of the sequences."""
    if first is None:
        return None
    out = np.zeros(first.shape, first.dtype)
    out[when.order[: when.alive]] = gradient
    return out
