"""Loops: a `while` whose rounds compute numbers and small arrays, or the steps of sequences, runs as one kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..graph import FunctionGraph
from ..ir import Instruction, Line, Unit


def compile_loops(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of loops that run as one kernel, and of the gradients that run as another one."""
    for step in graph.instructions:
        call = step.body[0].in_one_kernel() if step.body is not None and step.free else None
        if call is None or step.body is None:
            continue
        body, number = step.body
        starts = [0, *(part.start for part in body.parts), len(body.built.instructions)]
        unit = _unit(step, body.built.instructions[starts[number] : starts[number + 1]])
        if number:  # the loop's trace says that it ran as one kernel
            yield step.run_as(unit, step.lines, step.loads, step.stores, scope=step.scope)
            continue
        [before] = [key for key, value in step.scope.items() if value is call.loop]
        name = f"loop_kernel{step.place}"
        lines = [_renamed(line, f"{before}(", f"{name}(") for line in step.lines]
        yield step.run_as(unit, lines, step.loads, step.stores, scope={name: call})


def _unit(step: Instruction, inside: Sequence[Instruction]) -> Unit:
    """Return the unit of a loop that runs these operators in each round."""
    counts = Counter(each.type for each in inside)
    types = " + ".join(type if n == 1 else f"{type} x {n}" for type, n in counts.items())
    return Unit("loop", (step.place,), f"each round in it: {types}", step.place, step.loads)


def _renamed(line: Line, before: str, after: str) -> Line:
    """Return a line with other text in the place of some."""
    return tuple(part.replace(before, after) if isinstance(part, str) else part for part in line)
