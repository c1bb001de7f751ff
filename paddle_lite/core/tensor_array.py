"""Values of a Program's loops: the arrays of a LoDTensorArray, and the sequences of a batch by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from .errors import LoDError, message
from .lod import LoD

Element = tuple[Any, LoD | None]


class TensorArray:
    """An immutable list of (array, LoD), with None for entries that were never written.

    `written`, `without` and `+` return a new TensorArray. Versions share a list, so that a loop which appends, adds or removes one
    element after another takes constant time for each. Versions made by appending are beginnings of one list, in which nothing
    changes. Of those made by other changes, the newest has a list of its own; an older one knows the element in which it differs.

    Arguments:
        items: the elements. only: the place of the only one that is not None, if that is known.
    """

    __slots__ = ("_items", "_length", "_newer", "_only", "_own")

    dtype = None  # a TensorArray is not an array
    shape = None

    def __init__(self, items: list[Element | None] | None = None, only: int | None = None) -> None:
        self._items = [] if items is None else items
        self._length = len(self._items)
        self._only = only
        self._own = False  # whether versions that differ from this one in an element may share its list
        self._newer: tuple[TensorArray, int, Element | None] | None = (
            None  # a version, and what differs in it: place, element
        )

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Element | None:
        if not 0 <= index < self._length:
            raise IndexError(index)
        version = self
        while version._newer is not None:
            version, place, element = version._newer
            if place == index:
                return element
        return version._items[index]

    def __iter__(self) -> Iterator[Element | None]:
        if self._newer is None:
            return iter(self._items[: self._length])
        return iter([self[i] for i in range(self._length)])

    def written(self, index: int, array: Any, lod: LoD | None) -> TensorArray:
        """Return a TensorArray with this element at `index`, extended if the index is beyond the end."""
        if index == self._length == len(self._items) and not self._own:
            self._items.append((array, lod))
            result = TensorArray(self._items)
            result._length = index + 1
            return result
        items = list(self)
        items += [None] * (index + 1 - len(items))
        items[index] = (array, lod)
        return TensorArray(items)

    def without(self, index: int) -> TensorArray:
        """Return a TensorArray with None at `index`: itself, if it has no such element."""
        return self._changed(index, None) if 0 <= index < self._length else self

    def _changed(self, index: int, element: Element | None) -> TensorArray:
        """Return a TensorArray with another element at `index`, which it has."""
        if self._own and self._newer is None:
            result = TensorArray(self._items)
            self._newer = (result, index, self._items[index])
        else:
            result = TensorArray(list(self))
        result._own = True
        result._items[index] = element
        return result

    def copy(self) -> TensorArray:
        """Return a TensorArray of these elements: itself, since none changes."""
        return self

    def __add__(self, other: TensorArray) -> TensorArray:
        """Return the elementwise sum of two arrays of gradients; None stands for zeros."""
        for one, whole in ((other, self), (self, other)):
            if one._only is not None and len(one) <= len(whole):
                return whole._changed(one._only, _sum(self, other, one._only))
        return TensorArray([_sum(self, other, i) for i in range(max(len(self), len(other)))])

    def __repr__(self) -> str:
        return f"TensorArray({self._length} elements)"


class PackedArray(TensorArray):
    """An immutable array of tensors without LoDs whose elements are rows of one array, which follow each other.

    The elements, views of that array, are made when one is asked for.

    Arguments:
        whole: the rows of all elements. bounds: where each element starts in it, and its length.
        before: elements in front of these, which are arrays of their own.
    """

    __slots__ = ("_before", "_made", "bounds", "whole")

    def __init__(self, whole: Any, bounds: Sequence[int], before: Sequence[Element] = ()) -> None:
        self.whole, self.bounds, self._before = whole, bounds, before
        self._length = len(before) + len(bounds) - 1
        self._made: list[Element | None] | None = None
        self._only = self._newer = None
        self._own = False

    @property
    def _items(self) -> list[Element | None]:  # type: ignore[override]  # of the elements that are asked for
        if self._made is None:
            whole = self.whole
            self._made = [*self._before, *((whole[a:b], None) for a, b in pairwise(self.bounds))]
        return self._made

    def rows_of(self, bounds: Sequence[int]) -> Any:
        """Return the rows of all elements if these start at `bounds`, and no others are in front of them; else None."""
        return self.whole if not self._before and self.bounds == bounds else None

    def stacked(self) -> Any:
        """Return all elements along a new first axis, a view; None if they differ in their numbers of rows, or there are others in front."""
        rows = self.bounds[1] if self._length else 0
        if not rows or self.rows_of(list(range(0, rows * self._length + 1, rows))) is None:
            return None
        return self.whole.reshape(self._length, rows, *self.whole.shape[1:])


def _sum(first: TensorArray, second: TensorArray, index: int) -> Element | None:
    """Return the sum of two elements; None stands for zeros."""
    a = first[index] if index < len(first) else None
    b = second[index] if index < len(second) else None
    return b if a is None else a if b is None else (a[0] + b[0], a[1])


class RankTable:
    """Sequences in order of decreasing length; sequences of equal length keep their order.

    order: their indices in the batch, int64 [n].
    lengths: their lengths, decreasing, int64 [n].
    level: the level of the LoD whose entries they are.
    lod: the LoD of the batch.
    bounds: where the entries of each step start, of all entries step by step, and their number, a list [steps + 1].
    """

    __slots__ = ("_alive", "_entries", "_first", "bounds", "lengths", "level", "lod", "order")

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
        self._first = offsets[self.order]  # the first entry of each, at the level below
        self._alive = np.searchsorted(-self.lengths, -np.arange(self.steps), "left").tolist()
        self.bounds = [0, *accumulate(self._alive)]
        self._entries: Any = None

    def __len__(self) -> int:
        return len(self.order)

    @property
    def steps(self) -> int:
        """The length of the longest sequence."""
        return int(self.lengths[0]) if len(self.lengths) else 0

    def items(self) -> list[tuple[int, int]]:
        """Return (index in the batch, length) of each sequence, the longest first."""
        return list(zip(self.order.tolist(), self.lengths.tolist(), strict=True))

    def alive(self, step: int) -> int:
        """Return the number of sequences longer than `step`."""
        return self._alive[max(step, 0)] if step < self.steps else 0

    def entries(self, step: int) -> Any:
        """Return the index, at the level below, of entry `step` of each sequence longer than `step`, int64."""
        return self._first[: self.alive(step)] + step

    def all_entries(self) -> Any:
        """Return the entries of all steps, one step after another, int64."""
        if self._entries is None:
            step = np.repeat(np.arange(self.steps), self._alive)
            self._entries = self._first[np.arange(len(step)) - np.asarray(self.bounds, np.int64)[step]] + step
        return self._entries

    def __repr__(self) -> str:
        return f"RankTable(level={self.level}, order={self.order.tolist()}, lengths={self.lengths.tolist()})"
