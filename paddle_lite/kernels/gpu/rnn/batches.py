"""Ragged batches on the device: which rows a step has, and what a recurrence was before it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....ops.support.time_steps import Steps, steps_of
from ...registry import array_module
from ..support.caches import kept_on_device
from ..support.shape import current_device

CODES = {"identity": 0, "sigmoid": 1, "tanh": 2, "relu": 3}
"""The numbers of activations in Paddle's gru_unit, which the device functions take, too."""


class Batch(NamedTuple):
    """The steps of a ragged batch, and its arrays on the device.

    order: the indices of the sequences, longest first. rows: the row of each position in batch order. ends: the offset of
    each step in batch order, and the end of the last one.
    """

    steps: Steps
    order: Any
    rows: Any
    ends: Any

    @property
    def number(self) -> int:
        """The number of steps."""
        return len(self.steps.ends) - 1

    def before(self, values: Any, first: Any) -> Any:
        """Return the previous step's row for each row of `values`; for the first row of a sequence that of `first`, or zeros."""
        xp, alive, way = array_module("gpu"), self.steps.alive, self.steps.way
        found = xp.empty_like(values)
        if way > 0:
            found[way:] = values[:-way]
        else:
            found[:way] = values[-way:]
        found[self.rows[:alive]] = 0 if first is None else first[self.order[:alive]]
        return found


def _of(steps: Steps) -> Batch:
    xp = array_module("gpu")
    return Batch(steps, *(xp.asarray(each, "int64") for each in (steps.order, steps.rows, steps.ends)))


@kept_on_device(64)
def _ragged(starts: tuple[int, ...], is_reverse: bool, device: int) -> Batch:
    return _of(steps_of(starts, is_reverse))


@kept_on_device(64)
def _even(steps: int, sequences: int, is_reverse: bool, device: int) -> Batch:
    rows = np.arange(steps * sequences).reshape(steps, sequences)
    ends = [*range(0, steps * sequences + 1, sequences)]
    way = -sequences if is_reverse else sequences
    return _of(Steps(np.arange(sequences), (rows[::-1] if is_reverse else rows).reshape(-1), ends, way))


def batch_of(lod: Any, rows: int, is_reverse: bool, *firsts: Any) -> Batch | None:
    """Return the batch of a LoD; None if it does not fit the rows or the first states, or has no rows."""
    if lod is None or len(lod) != 1 or lod[0][-1] != rows or not rows:
        return None
    if any(first is not None and len(first) != len(lod[0]) - 1 for first in firsts):
        return None
    return _ragged(tuple(lod[0]), is_reverse, current_device())


def even_batch(steps: int, sequences: int, is_reverse: bool) -> Batch:
    """Return the batch of rows [steps, sequences]: sequences of one length, of which row `t` of all stands before row `t + 1`."""
    return _even(steps, sequences, is_reverse, current_device())
