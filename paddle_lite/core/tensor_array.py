"""Values of a Program's loops: the arrays of a LoDTensorArray, and the sequences of a batch by length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .errors import LoDError, message
from .lod import LoD

Element = tuple[Any, LoD | None]


class TensorArray:
    """An immutable list of (array, LoD), with None for entries that were never written.

    `written` returns a new TensorArray. Appending shares the list of the original, so that a loop which appends one
    element after another takes constant time for each.
    """

    __slots__ = ("_items", "_length")

    dtype = None  # a TensorArray is not an array
    shape = None

    def __init__(self, items: list[Element | None] | None = None) -> None:
        self._items = [] if items is None else items
        self._length = len(self._items)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Element | None:
        if not 0 <= index < self._length:
            raise IndexError(index)
        return self._items[index]

    def __iter__(self) -> Iterator[Element | None]:
        return iter(self._items[: self._length])

    def written(self, index: int, array: Any, lod: LoD | None) -> TensorArray:
        """Return a TensorArray with this element at `index`, extended if the index is beyond the end."""
        result = object.__new__(TensorArray)
        if index == self._length == len(self._items):
            self._items.append((array, lod))
            result._items = self._items
        else:
            items = self._items[: self._length]
            items += [None] * (index + 1 - len(items))
            items[index] = (array, lod)
            result._items = items
        result._length = max(self._length, index + 1)
        return result

    def copy(self) -> TensorArray:
        """Return a TensorArray of these elements: itself, since none changes."""
        return self

    def __add__(self, other: TensorArray) -> TensorArray:
        """Return the elementwise sum of two arrays of gradients; None stands for zeros."""
        items = []
        for i in range(max(len(self), len(other))):
            a = self._items[i] if i < len(self) else None
            b = other._items[i] if i < len(other) else None
            items.append(b if a is None else a if b is None else (a[0] + b[0], a[1]))
        return TensorArray(items)

    def __repr__(self) -> str:
        return f"TensorArray({self._length} elements)"


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
