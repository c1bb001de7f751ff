"""RankTable: the sequences of a batch in order of decreasing length, as a DynamicRNN steps through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import LoDError, message
from .lod import LoD


class RankTable:
    """Sequences in order of decreasing length; sequences of equal length keep their order.

    order: their indices in the batch, int64 [n].
    lengths: their lengths, decreasing, int64 [n].
    level: the level of the LoD whose entries they are.
    lod: the LoD of the batch.
    """

    __slots__ = ("lengths", "level", "lod", "order")

    dtype = shape = None  # a rank table is not an array

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
        """Return the number of sequences longer than `step`."""
        return int(np.count_nonzero(self.lengths > step))

    def entries(self, step: int) -> Any:
        """Return the index, at the level below, of entry `step` of each sequence longer than `step`, int64."""
        count = self.alive(step)
        return np.asarray(self.lod[self.level])[self.order[:count]] + step

    def __repr__(self) -> str:
        return f"RankTable(level={self.level}, order={self.order.tolist()}, lengths={self.lengths.tolist()})"
