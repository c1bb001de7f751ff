"""RankTable: the sequences of a batch from the longest to the shortest, what a DynamicRNN walks along."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import LoDError, message
from .lod import LoD


class RankTable:
    """Sequences in falling order of length; those of one length stay in their order.

    order: their indices in the batch, int64 [n].
    lengths: their lengths, falling, int64 [n].
    level: the level of the LoD that they are the entries of.
    lod: the LoD of the batch.
    """

    __slots__ = ("lengths", "level", "lod", "order")

    dtype = shape = None  # no array, for those that ask

    def __init__(self, lod: LoD | None, level: int) -> None:
        if lod is None or not 0 <= level < len(lod):
            got = "no LoD" if lod is None else f"a LoD of {len(lod)} levels"
            raise LoDError(message("lod_rank_table", "Input(X)", got, f"one with a level {level}"))
        self.lod, self.level = lod, level
        offsets = np.asarray(lod[level])
        lengths = np.diff(offsets)
        self.order = np.argsort(-lengths, kind="stable")
        self.lengths = lengths[self.order]

    def __len__(self) -> int:
        return len(self.order)

    @property
    def steps(self) -> int:
        """The length of the longest sequence."""
        return int(self.lengths[0]) if len(self.lengths) else 0

    def alive(self, step: int) -> int:
        """The number of sequences that have an entry `step`."""
        return int(np.count_nonzero(self.lengths > step))

    def entries(self, step: int) -> Any:
        """For each sequence alive the place of its entry `step` at the level below, int64."""
        count = self.alive(step)
        return np.asarray(self.lod[self.level])[self.order[:count]] + step

    def __repr__(self) -> str:
        return f"RankTable(level={self.level}, order={self.order.tolist()}, lengths={self.lengths.tolist()})"
