"""The instructions of chains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ....kernels.codegen.chained_loops import AHEAD, BEHIND, LATEST, Array, Chain, FusedPart, Part, ProductPart, Row
from ....ops.framework.dispatch import ArraySpec
from ..graph import FunctionGraph
from ..ir import Instruction, Line, Unit, Value, joined, line, listed, values_in
from .call import ChainCall, Taken
from .steps import Step
from .wiring import Fixed, Handed, Listed, Source, Stepped, Wiring


class Rows(NamedTuple):
    """The rows that a part of a chain writes.

    value: the array of all of them. lead: the row of the first round. kept: whether each round has its own; if not, only
    what the last round has written is read afterwards.
    """

    value: Value
    lead: int
    kept: bool


class Rolled:
    """Rounds as one kernel.

    Arguments:
        wiring: the rounds. read: the values that anything else reads.

    Attributes:
        rows: (position, result) -> the rows that are written.
    """

    def __init__(self, wiring: Wiring, read: Iterable[Value]) -> None:
        self.wiring = wiring
        self.count = len(wiring.rounds)
        home, outside = wiring.home, set(read)
        leads = {*wiring.initial}
        self.rows: dict[tuple[int, int], Rows] = {}
        same = _with_aliases(wiring, outside)
        for position, step in enumerate(wiring.rounds[0]):
            for result, value in enumerate(step.gives):
                key, lead = (position, result), int((position, result) in leads)
                kept = any(each[position].gives[result] in same for each in wiring.rounds[:-1])
                rows = self.count + lead if kept else 1 + lead
                shape = (rows, *step.shapes[len(step.reads) + result])
                name = f"r{home}_{len(self.rows)}"
                array = Value(name, name, home, shape, value.dtype, sure=True)
                self.rows[key] = Rows(array, lead, kept)

    def row_of(self) -> Iterator[tuple[Value, tuple[Value, int]]]:
        """Yield each value that is a row afterwards, with its array and number."""
        made = self.wiring.made
        resolved = {value: self._original(value) for value in self.wiring.aliases}
        for value, original in ({value: value for value in made} | resolved).items():
            if original in made:
                t, position, result = made[original]
                array, lead, kept = self.rows[position, result]
                if kept:
                    yield value, (array, t + lead)
        for (position, result), value in self.wiring.initial.items():
            array, _, kept = self.rows[position, result]
            if kept:
                yield value, (array, 0)

    # --- what the kernel takes ----------------------------------------------------------------------------------------

    def arguments(self) -> tuple[list[Source], list[Listed]]:
        """Return what the kernel reads: arrays, and lists of arrays."""
        sources = [Fixed(value) for value in self.wiring.initial.values()]
        sources += [source for each in self.wiring.sources for source in each]  # type: ignore[misc]
        single = [source for source in dict.fromkeys(sources) if isinstance(source, (Fixed, Stepped))]
        return single, [source for source in dict.fromkeys(sources) if isinstance(source, Listed)]  # type: ignore

    def loads(self) -> list[Value]:
        """Return the values that the call loads."""
        single, lists = self.arguments()
        found = [source.value if isinstance(source, Fixed) else source.array for source in single]  # type: ignore
        return list(dict.fromkeys([*found, *(value for each in lists for value in each.values)]))

    def call(self) -> ChainCall:
        """Return the call of the kernel."""
        single, lists = self.arguments()
        sized = self._shapes()
        dtypes = list(dict.fromkeys(dtype for _, dtype in (*sized.values(), *self._made())))
        numbers: dict[Any, int] = {}
        arrays: list[Array] = []
        taken, named = [], []
        for source in single:
            shape, dtype = sized[source]
            numbers[source] = len(arrays)
            arrays.append(Array(prod(shape), dtypes.index(dtype)))
            taken.append(self._taken(source) if isinstance(source, Stepped) else Taken(shape, dtype))
        for key, rows in self.rows.items():
            numbers[key] = len(arrays)
            like = dtypes.index(_dtype(rows.value))
            arrays.append(Array(prod(rows.value.shape[1:]), like, made=True, lead=rows.lead, kept=rows.kept))
        for source in lists:
            shape, dtype = sized[source]
            numbers[source] = len(arrays)
            arrays.append(Array(prod(shape), dtypes.index(dtype), listed=True))
            named.append(Taken(shape, dtype))
        initial = [(numbers[key], numbers[Fixed(value)]) for key, value in self.wiring.initial.items()]
        parts = [self._part(position, step, numbers) for position, step in enumerate(self.wiring.rounds[0])]
        kernels = [step.kernel for step in self.wiring.rounds[0] if step.kernel is not None]
        chain = Chain(parts, arrays, initial, dtypes)
        return ChainCall(chain, self.count, kernels, taken, named, self._made())

    def _taken(self, source: Stepped) -> Taken:
        """Return what a chain reads of an array of rows."""
        last = source.first + source.stride * (self.count - 1)
        return Taken(source.array.shape, _dtype(source.array), source.first, max(source.first, last) + 1)

    def _made(self) -> list[tuple[tuple[int, ...], np.dtype]]:
        """Return shapes and dtypes of the results."""
        return [(rows.value.shape, _dtype(rows.value)) for rows in self.rows.values()]

    def _shapes(self) -> dict[Source, tuple[tuple[int, ...], np.dtype]]:
        """Return the shape and dtype that each source has in a round."""
        found: dict[Source, tuple[tuple[int, ...], np.dtype]] = {}
        for position, step in enumerate(self.wiring.rounds[0]):
            own = _dtype(step.gives[0])
            for source, value, shape in zip(self.wiring.sources[position], step.reads, step.shapes, strict=False):
                found[source] = (shape, own if step.kernel is None else _dtype(value))
        for (position, result), value in self.wiring.initial.items():
            rows = self.rows[position, result].value
            found[Fixed(value)] = (rows.shape[1:], _dtype(rows))
        return found

    def _part(self, position: int, step: Step, numbers: dict[Any, int]) -> Part:
        """Return a part of the kernel."""
        reads = [self._row(source, numbers) for source in self.wiring.sources[position]]
        gives = [Row(numbers[position, result], LATEST) for result in range(len(step.gives))]
        if step.kernel is not None:
            kernel, loop = step.kernel, step.kernel.into_new_arrays()
            assert loop is not None
            sizes = tuple(kernel.sizes(kernel.frame.shape))
            return FusedPart(loop, kernel.frame.dtype, sizes, tuple(reads), tuple(gives))
        assert step.product is not None
        start = reads[2] if len(reads) > 2 else None
        rows = step.shapes[0][0]
        return ProductPart(rows, step.product.inner, step.product.columns, reads[0], reads[1], start, gives[0])

    def _row(self, source: Source, numbers: dict[Any, int]) -> Row:
        """Return what a round reads of a source."""
        if isinstance(source, Handed):
            return Row(numbers[source.position, source.result], LATEST, source.back)
        if isinstance(source, Stepped):
            return Row(numbers[source], AHEAD if source.stride > 0 else BEHIND)
        return Row(numbers[source])

    # --- instructions -------------------------------------------------------------------------------------------------

    def instructions(self, graph: FunctionGraph, read: Iterable[Value], old: set[Unit]) -> Iterator[Instruction]:
        """Return the instructions in the places of the parts; read: the values that anything else still reads.

        Add the units of the instructions to `old`.
        """
        wiring, home = self.wiring, self.wiring.home
        places = tuple(sorted({place for step in wiring.steps for place in step.places}))
        old.update(u for place in places if (u := graph.instructions[place].unit) is not None)
        kernels = len(wiring.rounds[0])
        note = f"{self.count} rounds of {kernels} {'kernel' if kernels == 1 else 'kernels'}"
        loads = self.loads()
        unit = Unit("chain", places, note, home, tuple(loads), takes=frozenset(old))
        kept = {step.home.place for step in wiring.steps if step.product is not None}
        for place in places:
            instruction = graph.instructions[place]
            before = instruction.lines[:-1] if place in kept else ()
            if not before and place != home:
                yield instruction.silent(unit)
                continue
            inside = set(values_in(before))
            changed = replace(
                instruction, unit=unit, lines=before, loads=tuple(v for v in instruction.loads if v in inside),
                stores=tuple(v for v in instruction.stores if v in inside), measures=(), outlines=(), donated=(), product=None,
                scope=instruction.scope if before else {},
            )  # fmt: skip
            yield self._with_call(changed, loads, read) if place == home else changed

    def _with_call(self, instruction: Instruction, loads: Sequence[Value], read: Iterable[Value]) -> Instruction:
        """Return the last instruction with the call."""
        name = f"x{instruction.place}"
        single, lists = self.arguments()
        factors = {step.product.y for step in self.wiring.rounds[0] if step.product is not None and step.product.factor}
        given: list[Line] = []
        for source in single:
            value = source.value if isinstance(source, Fixed) else source.array  # type: ignore[union-attr]
            given.append(line("{}.contiguous()" if value in factors else "{}", value))
        given += [line("[{}]", joined(each.values)) for each in lists]
        arrays = [rows.value for rows in self.rows.values()]
        lines = [line(f"{{}} = {name}({{}})", listed(arrays), joined(given))]
        outlines: list[Value] = []
        stored: list[Value] = []
        for text, value, outline in self._rows_read(set(read)):
            lines.append(text)
            stored.append(value)
            outlines += [value] * outline
        own = {v.register for v in instruction.stores}
        return replace(
            instruction, lines=(*instruction.lines, *lines),
            loads=tuple(dict.fromkeys([*instruction.loads, *(v for v in loads if v.register not in own)])),
            stores=(*instruction.stores, *arrays, *stored), outlines=tuple(outlines),
            scope={**instruction.scope, name: self.call(), "Like": ArraySpec},
        )  # fmt: skip

    def _rows_read(self, read: set[Value]) -> Iterator[tuple[Line, Value, bool]]:
        """Yield the lines that assign values which anything else reads; whether each is only an outline."""
        wiring = self.wiring
        for value, (t, position, result) in wiring.made.items():
            if value in read:
                yield line("{} = {}", value, self._text(t, position, result)), value, False
        for value in wiring.aliases:
            if value in read:
                yield line("{} = {}", value, self._of(value)), value, False
        for step in wiring.steps:
            for value, like in step.shaped.items():
                if value in read:
                    yield line("{} = Like({})", value, self._of(like)), value, True

    def _of(self, value: Value) -> Line:
        """Return the text of a value that a part makes, or of its like from outside."""
        value = self._original(value)
        made = self.wiring.made.get(value)
        return line("{}", value) if made is None else self._text(*made)

    def _original(self, value: Value) -> Value:
        """Return the value that a value is an alias of, or the value itself."""
        while value in self.wiring.aliases:
            value = self.wiring.aliases[value]
        return value

    def _text(self, t: int, position: int, result: int) -> Line:
        array, lead, kept = self.rows[position, result]
        return line(f"{{}}[{t + lead if kept else lead and (t + lead) & 1}]", array)


def _with_aliases(wiring: Wiring, values: set[Value]) -> set[Value]:
    """Return the values with those that they are aliases of."""
    found = set(values)
    for value in wiring.aliases:
        if value in values:
            while value in wiring.aliases:
                value = wiring.aliases[value]
                found.add(value)
    return found


def _dtype(value: Value) -> np.dtype:
    assert value.dtype is not None
    return value.dtype
