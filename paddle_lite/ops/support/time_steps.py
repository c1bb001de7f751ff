"""A ragged batch step by step: the longest sequence first, so that the sequences still alive are always a prefix.

Of sequences with 2, 4 and 1 rows step 0 takes the first row of each, longest sequence first, step 1 the second row of
the two longest, step 3 one row. The rows in this order are the batch order, which PaddlePaddle's Batch... outputs have
too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np


class Steps(NamedTuple):
    """How the rows of a ragged batch go through time; arrays on the host.

    order: the sequences, longest first.
    rows: for each place in batch order its row in the ragged array.
    ends: where each step starts in batch order, and where the last one ends.
    way: 1 where time goes from the first row of a sequence to its last one, else -1.
    """

    order: np.ndarray
    rows: np.ndarray
    ends: list[int]
    way: int

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where each step starts and ends in batch order."""
        return list(zip(self.ends, self.ends[1:]))

    @property
    def alive(self) -> int:
        """The number of sequences that are not empty."""
        return self.ends[1] if len(self.ends) > 1 else 0

    def before(self, xp: Any, first: Any, values: Any) -> Any:
        """What stood one step earlier, in batch order.

        Rows of `values`, and of `first` (a row a sequence) for step 0.
        """
        n = self.alive
        return xp.concatenate([first[xp.asarray(self.order[:n])], values[xp.asarray(self.rows[n:] - self.way)]])


@lru_cache(maxsize=64)
def steps_of(starts: tuple[int, ...], is_reverse: bool) -> Steps:
    """Return the steps of sequences that start and end at these offsets, from their last rows on if `is_reverse`."""
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
