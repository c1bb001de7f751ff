"""A ragged batch in time-major order: sequences sorted by decreasing length, so that the active ones are a prefix.

For sequences of 2, 4 and 1 rows, step 0 consists of the first row of each, longest sequence first; step 1 of the second
row of the two longest; step 3 of one row. This row order is called batch order; PaddlePaddle's Batch... outputs have it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np


class Steps(NamedTuple):
    """The time-major order of the rows of a ragged batch; arrays on the host.

    order: the indices of the sequences, longest first.
    rows: for each position in batch order, its row in the ragged array.
    ends: the offset of each step in batch order, and the end of the last step.
    way: 1 if time runs from the first row of a sequence to the last, -1 if it is reversed.
    """

    order: np.ndarray
    rows: np.ndarray
    ends: list[int]
    way: int

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The start and the end of each step in batch order."""
        return list(zip(self.ends, self.ends[1:]))

    @property
    def alive(self) -> int:
        """The number of non-empty sequences."""
        return self.ends[1] if len(self.ends) > 1 else 0

    def before(self, xp: Any, first: Any, values: Any) -> Any:
        """Return the previous step's values in batch order: rows of `values`, and for step 0 rows of `first` [sequences, ...]."""
        n = self.alive
        return xp.concatenate([first[xp.asarray(self.order[:n])], values[xp.asarray(self.rows[n:] - self.way)]])


@lru_cache(maxsize=64)
def steps_of(starts: tuple[int, ...], is_reverse: bool) -> Steps:
    """Return the steps of the sequences with these offsets, starting at their last rows if `is_reverse`."""
    offsets = np.asarray(starts, np.int64)
    lengths = np.diff(offsets)
    order = np.argsort(-lengths, kind="stable")
    longest = int(lengths[order[0]]) if len(order) else 0
    alive = len(order) - np.cumsum(np.bincount(lengths, minlength=longest + 1))[:longest]  # at step t: longer than t
    ends = np.concatenate([[0], np.cumsum(alive)])
    step = np.repeat(np.arange(longest), alive)
    sequence = order[np.arange(len(step)) - ends[step]]
    rows = offsets[sequence + 1] - 1 - step if is_reverse else offsets[sequence] + step
    for array in (order, rows):
        array.flags.writeable = False
    return Steps(order, rows, ends.tolist(), -1 if is_reverse else 1)
