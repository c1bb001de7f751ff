"""The rows of a loop over the steps of sequences: their kinds, and the arrays that a kernel has of them.

Rows of kind 1 are those of the sequences that have the step. Rows of a further kind belong to sequences that all steps read, such as
the words that a decoder looks at: a step reads those of the sequences that have the step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from ....core.lod import LoD
from ....kernels.codegen.ragged_loops import Array, Backed, Handed, Part, RaggedLoop, Size
from ..ir import Value
from .limits import Unfit


def like(value: Value, name: str) -> Value:
    """Return a value of the same shape and dtype."""
    return Value(name, name, -1, value.shape, value.dtype, sure=True)


def shape_of(value: Value) -> tuple[bool, tuple[int, ...]]:
    """Return whether a value has rows, whose number is known at run time, and the shape of a row, or of the value.

    Raises:
        Unfit: its other sizes are unknown.
    """
    has = bool(value.shape) and value.shape[0] == -1
    shape = value.shape[1:] if has else value.shape
    if min(shape, default=1) < 1 or value.dtype is None:
        raise Unfit(f"{value.name} has unknown sizes")
    return has, shape


def row_of(value: Value) -> int:
    """Return the number of elements of a row."""
    return prod(value.shape[1:])


def with_rows(value: Value | None) -> Value:
    """Return a value that has rows; raise Unfit for others."""
    if value is None or not shape_of(value)[0]:
        raise Unfit("a state or an output has no row for each sequence")
    return value


class Rows(NamedTuple):
    """The rows of a kind in a run.

    bounds: where those of each step begin, one after another, and their number. offsets: where those of each sequence begin; None for
    kind 1.
    """

    bounds: Sequence[int]
    offsets: np.ndarray | None = None

    def of_sequences(self, lods: Collection[LoD | None]) -> Rows | None:
        """Return the rows of sequences with these LoDs, if all are the same of one level; `self` is kind 1."""
        found = {tuple(lod[0]) if lod is not None and len(lod) == 1 else None for lod in lods}
        if len(found) != 1 or None in found:
            return None
        offsets = np.array(found.pop(), np.int64)
        alive = [b - a for a, b in pairwise(self.bounds)]
        if len(offsets) <= alive[0]:
            return None
        return Rows([0, *np.cumsum(offsets[alive]).tolist()], offsets)


class Kinds:
    """The kinds of the rows of values. Kinds of sequences that a step computes with together are one.

    Attributes:
        static: name of sequences that all steps read -> the kind of their rows.
    """

    def __init__(self) -> None:
        self.static: dict[str, int] = {}
        self._of: dict[Value, int] = {}
        self._same: dict[int, int] = {}

    def add_static(self, name: str, value: Value) -> None:
        """Note sequences that all steps read, each of which has rows of its own."""
        self.static[name] = kind = 2 + len(self.static)
        self._of[value] = kind

    def note(self, value: Value, kind: int) -> None:
        """Note the kind of a value's rows, if it has rows."""
        if shape_of(value)[0]:
            self._of[value] = kind

    def of(self, value: Value) -> int:
        """Return the kind of a value's rows; 0 for a value without rows."""
        if not shape_of(value)[0]:
            return 0
        if value not in self._of:
            raise Unfit(f"{value.name} is not computed in the step")
        return self._whole(self._of[value])

    def _whole(self, kind: int) -> int:
        while kind in self._same:
            kind = self._same[kind]
        return kind

    def common(self, values: Iterable[Value], what: str) -> int:
        """Return the kind of rows that an operator computes with; 0 for none.

        Raises:
            Unfit: some have a row for each sequence, and others several.
        """
        kinds = sorted({self.of(value) for value in values} - {0})
        if len(kinds) > 1 and kinds[0] == 1:
            raise Unfit(f"{what} computes with rows of sequences and with steps")
        for other in kinds[1:]:
            self._same[other] = kinds[0]
        return kinds[0] if kinds else 0

    def numbered(self) -> None:
        """Number the kinds one after another."""
        kinds = sorted({1, *map(self._whole, self.static.values())})
        number = {kind: i for i, kind in enumerate(kinds, 1)}
        self.static = {name: number[self._whole(kind)] for name, kind in self.static.items()}
        self._of = {value: number[self._whole(kind)] for value, kind in self._of.items()}
        self._same = {}


class Place(NamedTuple):
    """An array of a kernel.

    shape: of a row; of the whole where it has no rows. dtype: its dtype. rows, steps, zeros, lead: as of an Array.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    rows: int = 0
    steps: bool = False
    zeros: bool = False
    lead: int = 0

    def made(self, rows: Sequence[Rows]) -> np.ndarray:
        """Return a new array for steps with these rows of each kind."""
        bounds = rows[max(self.rows, 1) - 1].bounds
        first = [bounds[-1] if self.steps else bounds[1]] if self.rows else [len(bounds) - 1] * self.steps
        return np.empty([*first, *self.shape], self.dtype)


class Compiled(NamedTuple):
    """A kernel: its source, its arrays, the numbers of its fused loops, and the arrays that are others transposed."""

    loop: RaggedLoop
    places: dict[Value, Place]
    numbers: list[np.ndarray]
    transposed: dict[Value, Value]


class Arrays:
    """The arrays of a kernel.

    Arguments:
        kept: the values of which each step has its own. same: value -> the value that it is an alias of. kinds: of their rows.
    """

    def __init__(self, kept: set[Value], same: Mapping[Value, Value], kinds: Kinds) -> None:
        self.kept, self.same, self.kinds = kept, same, kinds
        self.places: dict[Value, Place] = {}
        self.numbers: list[np.ndarray] = []
        self.transposed: dict[Value, Value] = {}

    def add(self, value: Value, *, steps: bool = False, whole: bool = False, zeros: bool = False) -> None:
        """Add an array; steps: whether each step has its own; whole: whether it has no rows."""
        rows, shape = shape_of(value)
        if rows and whole:
            raise Unfit(f"{value.name} has rows in all steps")
        assert value.dtype is not None
        self.take(value, Place(shape, value.dtype, self.kinds.of(value), steps, zeros))

    def take(self, value: Value, place: Place) -> None:
        """Add an array in this place."""
        self.places.setdefault(value, place)

    def number(self, value: Value) -> int:
        """Return the number of an array in the kernel."""
        while value in self.same:
            value = self.same[value]
        if value not in self.places:
            raise Unfit(f"{value.name} is not computed in the step")
        return list(self.places).index(value)

    def rows_of(self, value: Value) -> Size:
        """Return the number of rows of a value: the first of its sizes."""
        return Size(1, self.kinds.of(value)) if shape_of(value)[0] else Size(value.shape[0])

    def turned(self, value: Value) -> Value:
        """Return the value of a matrix transposed, and add it."""
        for turned, of in self.transposed.items():
            if of is value:
                return turned
        turned = Value(f"{value.name} transposed", value.register, -1, value.shape[::-1], value.dtype, sure=True)
        self.transposed[turned] = value
        self.add(turned, whole=True)
        return turned

    def compiled(self, parts: list[Part], states: Sequence[Handed | Backed], back: bool) -> Compiled:
        """Return the kernel."""
        dtypes = list(dict.fromkeys(place.dtype for place in self.places.values()))
        arrays = [
            Array(prod(each.shape), dtypes.index(each.dtype), each.rows, each.steps, each.zeros, each.lead)
            for each in self.places.values()
        ]
        return Compiled(RaggedLoop(parts, arrays, states, dtypes, back), self.places, self.numbers, self.transposed)
