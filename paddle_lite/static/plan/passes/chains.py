"""Chains: the rounds of an unrolled recurrence as one kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ....ops.framework.traits import Unstack
from ..chains.chain import Rolled
from ..chains.readers import few_rows, readers
from ..chains.rounds import repeats, rounds_of
from ..chains.steps import Step, steps_of
from ..chains.wiring import Wiring, wired
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value

ATTEMPTS = 8
"""The limit of failed tries to roll up one repetition."""


def roll_chains(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of the recurrences that run as one kernel."""
    steps = list(steps_of(graph))
    rows = dict(_unstacked(graph))
    found = list(_chains(graph, steps, rows))
    if not found:
        return
    old: set[Unit] = set()
    taken = {place for rolled in found for step in rolled.wiring.steps for place in step.places}
    changed = {each.place: each for each in readers(graph, taken, rows)}
    instructions = [changed.get(each.place, each) for each in graph.instructions]
    read = _read(instructions, taken) | graph.results
    for rolled in found:
        read.update(rolled.loads())
    for rolled in found:
        yield from rolled.instructions(graph, read, old)
    changed.update((each.place, each) for step in graph.instructions if (each := few_rows(step, read)) is not None)
    before = {place: graph.instructions[place].unit for place in changed}
    yield from (each for place, each in changed.items() if before[place] is None)
    old.update(unit for unit in before.values() if unit is not None)
    yield from _left([changed.get(each.place, each) for each in graph.instructions], old, taken)


def _read(instructions: Iterable[Instruction], taken: set[int]) -> set[Value]:
    """Return the values that instructions read, except those in some places."""
    found: set[Value] = set()
    for instruction in instructions:
        if instruction.place not in taken:
            found.update(instruction.loads)
            found.update(instruction.measures)
    return found


def _chains(graph: FunctionGraph, steps: list[Step], rows: dict[Value, tuple[Value, int]]) -> Iterator[Rolled]:
    """Yield the chains of a Plan, in order, and add the rows of their arrays to `rows`."""
    signatures = [step.signature for step in steps]
    spans = repeats(signatures)
    failed: dict[int, int] = {}  # the end of a repetition -> the number of tries
    at = 0
    while at < len(steps):
        wiring: Wiring | None = None
        for each in rounds_of(signatures, at, spans):
            end = at + spans[each.period - 1][at]
            if failed.get(end, 0) < ATTEMPTS:
                wiring = wired(graph, steps, each, rows)
                if wiring is not None:
                    break
                failed[end] = failed.get(end, 0) + 1
        if wiring is None:
            at += 1
            continue
        own = {place for step in wiring.steps for place in step.places}
        rolled = Rolled(wiring, _read(graph.instructions, own) | graph.results)
        rows.update(rolled.row_of())
        at += len(wiring.steps)
        yield rolled


def _unstacked(graph: FunctionGraph) -> Iterator[tuple[Value, tuple[Value, int]]]:
    """Yield the rows of arrays that operators unpack, with array and number."""
    for step in graph.instructions:
        view = step.op.definition.traits.view if step.unit is not None and step.unit.kind == "view" else None
        given = step.one(view.given) if isinstance(view, Unstack) else None
        if given is not None and isinstance(view, Unstack) and given.sure and min(given.shape, default=-1) > 0:
            yield from ((value, (given, i)) for i, value in enumerate(step.made[view.made]) if value is not None)


def _left(instructions: Sequence[Instruction], old: set[Unit], taken: set[int]) -> Iterator[Instruction]:
    """Return the instructions of units of which chains have taken others."""
    for unit in sorted(old, key=lambda each: each.places):
        places = tuple(place for place in unit.places if place not in taken)
        if not places:
            continue
        calling = [place for place in places if instructions[place].lines]
        home = unit.home if unit.home in places else (calling or places)[0]
        renewed = replace(unit, places=places, home=home, takes=frozenset({unit}))
        yield from (replace(instructions[place], unit=renewed) for place in places)
