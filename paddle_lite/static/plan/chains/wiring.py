"""The wiring of rounds: where each part of a round takes what it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from ..graph import FunctionGraph
from ..ir import Value
from .rounds import LEAST, Rounds
from .steps import Step


class Fixed(NamedTuple):
    """The same value in each round."""

    value: Value


class Handed(NamedTuple):
    """What a part of the same round (back=0) or of the round before (back=1) has made: its position, its result."""

    position: int
    result: int
    back: int


class Stepped(NamedTuple):
    """The rows of an array: `first` in the first round, and `stride`, 1 or -1, further in the next one."""

    array: Value
    first: int
    stride: int


class Listed(NamedTuple):
    """A value of its own in each round."""

    values: tuple[Value, ...]


Source = Fixed | Handed | Stepped | Listed
RowsOf = Mapping[Value, tuple[Value, int]]
"""A value -> the array of which it is a row, and the number of that row."""


class Unwired(Exception):
    """Raised if a round differs from those before it; its number is `at`."""

    def __init__(self, at: int) -> None:
        super().__init__(f"round {at} differs")
        self.at = at


@dataclass(frozen=True, eq=False)
class Wiring:
    """Rounds with the source of each value that they read.

    rounds: the parts of each round. sources: for each part of a round, the source of each value.
    initial: (position, result) -> the value that the first round reads in place of this result of the round before.
    made: value -> (round, position, result).
    """

    rounds: Sequence[Sequence[Step]]
    sources: Sequence[Sequence[Source]]
    initial: Mapping[tuple[int, int], Value]
    made: Mapping[Value, tuple[int, int, int]]
    aliases: Mapping[Value, Value] = field(default_factory=dict)

    @property
    def steps(self) -> list[Step]:
        """All parts, in order."""
        return [step for each in self.rounds for step in each]

    @property
    def home(self) -> int:
        """The place of the last part."""
        return self.rounds[-1][-1].home.place


def wired(graph: FunctionGraph, steps: Sequence[Step], found: Rounds, rows: RowsOf) -> Wiring | None:
    """Return the wiring of rounds, or of as many of them as are alike; None for too few."""
    count = found.number
    while count >= LEAST:
        try:
            wiring = _Wirer(steps, found._replace(number=count), rows).wiring()
        except Unwired as error:
            count = min(error.at, count - 1)
            continue
        return wiring if _runs_together(graph, wiring) else None
    return None


class _Wirer:
    def __init__(self, steps: Sequence[Step], found: Rounds, rows: RowsOf) -> None:
        first, period, count = found
        self.rounds = [steps[first + t * period : first + (t + 1) * period] for t in range(count)]
        self.rows = rows
        self.aliases = {v: same for each in self.rounds for step in each for v, same in step.aliases.items()}
        self.made = {
            value: (t, position, result)
            for t, each in enumerate(self.rounds)
            for position, step in enumerate(each)
            for result, value in enumerate(step.gives)
        }
        self.initial: dict[tuple[int, int], Value] = {}

    def wiring(self) -> Wiring:
        """Return the wiring; raise Unwired if rounds differ."""
        sources = [[self._source(j, k) for k in range(len(step.reads))] for j, step in enumerate(self.rounds[0])]
        return Wiring(self.rounds, sources, self.initial, self.made, self.aliases)

    def _source(self, position: int, operand: int) -> Source:
        products = [each[position].product for each in self.rounds]
        values = [self._resolved(each[position].reads[operand]) for each in self.rounds]
        if operand == 2 and products[0] is not None:
            return self._progression([(values[0], product.step) for product in products if product is not None])
        where = [self.made.get(value) for value in values]
        second = where[1]
        if second is not None:
            return self._handed(position, operand, values, second)
        for t, place in enumerate(where):
            if place is not None:
                raise Unwired(t)
        if len(set(values)) == 1:
            return Fixed(values[0])
        if operand == 1 and products[0] is not None and products[0].factor:
            raise Unwired(1)
        rows = [self.rows[value] for value in values if value in self.rows]
        if len(rows) == len(values) and len({array for array, _ in rows}) == 1:
            strides = {b - a for (_, a), (_, b) in pairwise(rows)}
            if strides in ({1}, {-1}):
                return self._progression(rows)
        return Listed(tuple(values))

    def _progression(self, rows: Sequence[tuple[Value, int]]) -> Stepped:
        """Return the source of rows that follow each other."""
        (array, first), (_, second) = rows[:2]
        stride = second - first
        if abs(stride) != 1:
            raise Unwired(1)
        for t, (_, number) in enumerate(rows):
            if number != first + stride * t:
                raise Unwired(t)
        return Stepped(array, first, stride)

    def _handed(
        self, position: int, operand: int, values: Sequence[Value], second: tuple[int, int, int]
    ) -> Handed:  # fmt: skip
        """Return the source of what rounds hand to parts; second: where the value of the second round is made."""
        back, maker, result = 1 - second[0], second[1], second[2]
        if back not in (0, 1) or (back == 0 and maker >= position):
            raise Unwired(1)
        for t in range(1 - (back == 0), len(values)):
            if self.made.get(values[t]) != (t - back, maker, result):
                raise Unwired(t)
        if back == 1:
            start, like = values[0], values[1]
            known = self.initial.setdefault((maker, result), start)
            if known is not start or start in self.made or (start.shape, start.dtype) != (like.shape, like.dtype):
                raise Unwired(1)
        return Handed(maker, result, back)

    def _resolved(self, value: Value) -> Value:
        """Return the value that a value is an alias of."""
        while value in self.aliases:
            value = self.aliases[value]
        return value


def _runs_together(graph: FunctionGraph, wiring: Wiring) -> bool:
    """Return whether the rounds may run in the place of the last part: what they read is there and stays as it is."""
    steps, home = wiring.steps, wiring.home
    own = {place for step in steps for place in step.places}
    first = min(step.home.place for step in steps)
    if len({graph.part(place) for place in own}) != 1:
        return False
    inner = {*wiring.made, *wiring.aliases, *(value for step in steps for value in step.shaped)}
    for instruction in graph.instructions[first:home]:
        if instruction.place not in own and not inner.isdisjoint((*instruction.loads, *instruction.measures)):
            return False
    outer = {v for each in wiring.sources for source in each for v in values_of(source)} | {*wiring.initial.values()}
    return all(v.sure or not v.shape for v in outer) and all(graph.unchanged(v, home) for v in outer)


def values_of(source: Source) -> tuple[Value, ...]:
    """Return the values from outside that a source refers to."""
    if isinstance(source, Listed):
        return source.values
    if isinstance(source, Handed):
        return ()
    return (source.value if isinstance(source, Fixed) else source.array,)
