"""Records of slots: the values of many samples, one array for each slot."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from ...core.errors import ShapeError, message
from ...core.tensor import LoDTensor

DTYPES: dict[str, np.dtype] = {"uint64": np.dtype("int64"), "float": np.dtype("float32")}
"""The dtype of the values of a slot by its type: ids are stored as the int64 of the same bits, as Programs read them."""

KEPT, KEPT_LENGTH = 64, 4096  # how many levels are kept as tuples, and how long they may be


class Slot(NamedTuple):
    """A slot of a data set.

    name: the name of the Variable that it feeds. kind: "uint64" or "float". dense: whether its values are an array of a
    fixed shape for each sample, rather than a ragged row. used: whether it is fed. shape: the shape of a batch, with -1
    for unknown sizes; () where none was given.
    """

    name: str
    kind: str
    dense: bool
    used: bool = True
    shape: tuple[int, ...] = ()


class Column(NamedTuple):
    """The values of a slot. Sample i has values[offsets[i]:offsets[i + 1]]; the offsets start at any number.

    each: how many values each sample has, if that is known and the same for all.
    """

    values: np.ndarray
    offsets: np.ndarray
    each: int | None = None

    def measured(self) -> Column:
        """Return the column, with `each` if that can be said."""
        count, first = len(self.offsets) - 1, int(self.offsets[0])
        if self.each is not None or count < 1:
            return self
        each = int(self.offsets[1]) - first
        even = first + each * count == self.offsets[-1] and bool((np.diff(self.offsets) == each).all())
        return self._replace(each=each) if even else self

    def part(self, first: int, last: int) -> Column:
        """Return the column of the samples from `first` to before `last`."""
        return Column(self.values, self.offsets[first : last + 1], self.each)


def ragged_indices(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return starts[0], starts[0] + 1, ... (counts[0] numbers), then the same of starts[1], and so on.

    >>> ragged_indices(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts - ends + counts, counts)


class Records:
    """Samples of slots.

    Arguments:
        slots: the slots that are used.
        columns: the Column of each slot, with the same number of samples.
        ids: the instance ids of the samples, or None if they have none.
    """

    __slots__ = ("columns", "ids", "slots")

    def __init__(self, slots: Sequence[Slot], columns: Sequence[Column], ids: np.ndarray | None = None) -> None:
        self.slots, self.columns, self.ids = tuple(slots), list(columns), ids

    @classmethod
    def empty(cls, slots: Sequence[Slot]) -> Records:
        """Return no records of these slots."""
        zero = np.zeros(1, np.int64)
        return cls(slots, [Column(np.empty(0, DTYPES[slot.kind]), zero) for slot in slots])

    def __len__(self) -> int:
        return len(self.columns[0].offsets) - 1 if self.columns else 0

    def part(self, first: int, last: int) -> Records:
        """Return the records from `first` to before `last`; the values are shared."""
        ids = None if self.ids is None else self.ids[first:last]
        return Records(self.slots, [column.part(first, last) for column in self.columns], ids)

    def measured(self) -> Records:
        """Return the records, with how many values each sample has of a slot where all have as many: their feeds are made sooner."""
        return self.with_columns(column.measured() for column in self.columns)

    def take(self, indices: np.ndarray) -> Records:
        """Return the records at these indices, in their order."""
        columns = [taken(column, indices) for column in self.columns]
        return Records(self.slots, columns, None if self.ids is None else self.ids[indices])

    def with_columns(self, columns: Iterable[Column]) -> Records:
        """Return the same samples with other values."""
        return Records(self.slots, list(columns), self.ids)

    def without_zeros(self) -> Records:
        """Return the records without the zeros of ragged slots; a row that has no other value keeps one."""
        pairs = zip(self.slots, self.columns, strict=True)
        return self.with_columns(column if slot.dense else _nonzero(column) for slot, column in pairs)

    def feed(self) -> dict[str, LoDTensor]:
        """Return the feed of the records: the name of each slot with its tensor.

        Raises:
            ShapeError: the values of a dense slot do not fill its shape.
        """
        return {
            slot.name: _dense(slot, column, len(self)) if slot.dense else _ragged(column)
            for slot, column in zip(self.slots, self.columns, strict=True)
        }


def joined(parts: Sequence[Records]) -> Records:
    """Return the records of all parts, one after another; there is at least one part."""
    if len(parts) == 1:
        return parts[0]
    columns = []
    for same in zip(*(part.columns for part in parts), strict=True):
        values = np.concatenate([c.values[c.offsets[0] : c.offsets[-1]] for c in same])
        counts = np.concatenate([np.diff(c.offsets) for c in same])
        sizes = {c.each for c in same}
        columns.append(Column(values, offsets_of(counts), sizes.pop() if len(sizes) == 1 else None))
    ids = [part.ids for part in parts if part.ids is not None]
    return Records(parts[0].slots, columns, np.concatenate(ids) if len(ids) == len(parts) else None)


def batches(blocks: Iterable[Records], size: int, drop_last: bool = False) -> Iterator[Records]:
    """Cut records to batches of `size`, which span blocks; the last one may be smaller, unless `drop_last`."""
    waiting: list[Records] = []
    count = 0
    for block in map(Records.measured, blocks):
        first = 0
        while count + len(block) - first >= size:
            last = first + size - count
            yield joined([*waiting, block.part(first, last)])
            waiting, count, first = [], 0, last
        if first < len(block):
            waiting.append(block.part(first, len(block)))
            count += len(block) - first
    if waiting and not drop_last:
        yield joined(waiting)


def offsets_of(counts: np.ndarray) -> np.ndarray:
    """Return the offsets of rows with these numbers of values."""
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def taken(column: Column, indices: np.ndarray) -> Column:
    """Return the rows of a column at these indices, in their order."""
    starts = column.offsets[:-1][indices]
    counts = column.offsets[1:][indices] - starts
    return Column(column.values[ragged_indices(starts, counts)], offsets_of(counts))


def _nonzero(column: Column) -> Column:
    """Return a ragged column without its zeros; a row that has no other value keeps one."""
    first, last = column.offsets[0], column.offsets[-1]
    values = column.values[first:last]
    keep = values != 0
    if keep.all():
        return column
    before = np.concatenate([[0], np.cumsum(keep)])
    starts = column.offsets[:-1] - first
    lost = before[column.offsets[1:] - first] == before[starts]
    keep[starts[lost]] = True
    before = np.concatenate([[0], np.cumsum(keep)])
    return Column(values[keep], before[column.offsets - first])


def _ragged(column: Column) -> LoDTensor:
    first, last = int(column.offsets[0]), int(column.offsets[-1])
    count = len(column.offsets) - 1
    if column.each is not None and count < KEPT_LENGTH:
        level = _even_level(count, column.each)
    else:
        offsets = column.offsets - first if first else column.offsets
        level = _kept_level(offsets.tobytes()) if count < KEPT_LENGTH else tuple(offsets.tolist())
    return LoDTensor.of(column.values[first:last].reshape(-1, 1), (level,))


@functools.lru_cache(maxsize=KEPT)
def _even_level(count: int, each: int) -> tuple[int, ...]:
    """Return the level of so many rows of `each` values."""
    return tuple(range(0, (count + 1) * each, each)) if each else (0,) * (count + 1)


@functools.lru_cache(maxsize=KEPT)
def _kept_level(offsets: bytes) -> tuple[int, ...]:
    """Return offsets as a level of a LoD."""
    return tuple(np.frombuffer(offsets, np.int64).tolist())


def _dense(slot: Slot, column: Column, count: int) -> LoDTensor:
    values = column.values[int(column.offsets[0]) : int(column.offsets[-1])]
    shape = list(slot.shape) or [count, -1]
    if shape.count(-1) > 1:
        shape[0] = count
    known = prod(size for size in shape if size >= 0)
    fits = values.size % known == 0 if shape.count(-1) == 1 and known else values.size == known
    if shape.count(-1) > 1 or not fits:
        got = f"{values.size} values in {count} samples"
        needs = f"values that fill the shape {list(slot.shape)} of its Variable"
        raise ShapeError(
            message("dataset", f"slot {slot.name!r}", got, needs, "lod_level=1 makes a slot of ragged rows.")
        )
    return LoDTensor.of(values.reshape(shape))
