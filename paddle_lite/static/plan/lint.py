"""Checks of what passes have made of a Plan: a list of what is wrong, for tests of passes and for who writes one."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from .fusion.fused import FusedUnit
from .graph import Graph, Step, Unit, Value, register
from .passes.updates import Gathered
from .source import Source


def graph_problems(graph: Graph) -> list[str]:
    """What is wrong with a Graph and its units; nothing of it needs the function that is written from it."""
    return [*_of_units(graph), *_of_readers(graph), *_of_order(graph)]


def source_problems(source: Source, text: str) -> list[str]:
    """What is wrong with the function that a Source wrote, and with its local variables."""
    found = [] if source.graph is None else [*_of_registers(source, source.graph), *_of_updates(source, source.graph)]
    return [*found, *_of_names(text, {*source.scope, *dir(builtins)})]


# --- the graph ------------------------------------------------------------------------------------------------------------


def _units(graph: Graph) -> list[Unit]:
    return list({id(unit): unit for unit in graph.units.values()}.values())


def _of_units(graph: Graph) -> Iterator[str]:
    """Units know their places, and the places their units."""
    for place, unit in graph.units.items():
        if place not in unit.places:
            yield f"operator {place} is of {unit}, which does not know of it"
    for unit in _units(graph):
        if list(unit.places) != sorted(set(unit.places)):
            yield f"the places {unit.places} of {unit} are not in order"
        if any(graph.units.get(place) is not unit for place in unit.places):
            yield f"a place of {unit} is of another unit, or of none"
        if len({graph.part(place) for place in unit.places}) > 1 and not isinstance(unit, Gathered):
            yield f"{unit} is of several parts of the Plan"


def _of_readers(graph: Graph) -> Iterator[str]:
    """Values know their readers, and operators read what has been made before."""
    for step in graph.steps:
        for value in step.reads():
            if value.place >= step.place:
                yield f"{_said(step)} reads {value}, which is made later"
            if step.place not in (*value.readers, *value.shaped):
                yield f"{value} does not know that {_said(step)} reads it"
    for step in graph.steps:
        for value in step.makes():
            for place in (*value.readers, *value.shaped):
                if not any(each is value for each in graph.steps[place].reads()):
                    yield f"{value} is not read by {_said(graph.steps[place])}, which it believes"


def _of_order(graph: Graph) -> Iterator[str]:
    """What runs together, in the place of the last, reads nothing that has been written over until then."""
    for unit in _units(graph):
        if isinstance(unit, Gathered):
            continue
        for place in unit.places:
            for value in graph.steps[place].reads():
                at = graph.old.get(value)
                if at is not None and at < unit.places[-1] and isinstance(graph.units.get(at), Gathered):
                    yield f"{unit} reads {value} behind operator {at}, which writes over it"


def _said(step: Step) -> str:
    return f"operator {step.place} ({step.type})"


# --- local variables ------------------------------------------------------------------------------------------------------


def _of_registers(source: Source, graph: Graph) -> Iterator[str]:
    """Operators that run by themselves read the local variables that hold what the Graph says."""
    for step in graph.steps:
        if step.place in graph.units or step.op.definition is None:
            continue
        read = source.then[id(step.op)][0]
        for slot, values in step.read.items():
            names = step.op.inputs.get(slot) or []
            for name, value in zip(names, values, strict=False):
                if value is not None and name in read and read[name] != register(source, value):
                    yield f"{_said(step)} reads {name} from {read[name]}, the Graph says {register(source, value)}"


def _of_updates(source: Source, graph: Graph) -> Iterator[str]:
    """What updates and kernels write in place is not read behind them."""
    for unit in _units(graph):
        if isinstance(unit, Gathered):
            last = unit.own[-1]
            written = [v for p in unit.own for v in graph.steps[p].reads() if _renews(graph, p, v)]
        elif isinstance(unit, FusedUnit):
            last = unit.places[-1]
            written = [unit.kernel.reads[i] for i in unit.kernel.into.values()]
        else:
            continue
        renewed = {register(source, value): value for value in written}
        for place in range(last + 1, len(graph.steps)):
            for name in renewed.keys() & {*source.touched[place]}:
                yield f"{_said(graph.steps[place])} reads {renewed[name]} behind {unit}, which writes over it"


def _renews(graph: Graph, place: int, value: Value) -> bool:
    return graph.old.get(value) == place


def _of_names(text: str, known: set[str]) -> Iterator[str]:
    """Functions read only what they have assigned and not deleted, or what their scope holds."""
    module = ast.parse(text)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    known = known | {function.name for function in functions}
    for function in functions:
        stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        given = {each.arg for each in function.args.args}
        yield from _Names(text.splitlines(), known, stored | given).problems(function.body, set(given))


class _Names:
    """Which names a function may read, line by line.

    Arguments:
        lines: of the text. known: the names that its scope holds. local: its own.
    """

    def __init__(self, lines: Sequence[str], known: set[str], local: set[str]) -> None:
        self.lines, self.known, self.local = lines, known, local

    def problems(self, body: Sequence[ast.stmt], here: set[str]) -> Iterator[str]:
        """What is wrong with statements; `here`, the names that are assigned, is brought up to date."""
        for statement in body:
            if isinstance(statement, ast.If):
                yield from self._loads(statement.test, here)
                either, other = set(here), set(here)
                yield from self.problems(statement.body, either)
                yield from self.problems(statement.orelse, other)
                here.clear()
                here.update(either & other)
                continue
            if isinstance(statement, (ast.While, ast.For)):
                yield from self._rounds(statement, here)
                continue
            yield from self._loads(statement, here)
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    here.add(node.id)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
                    if node.id not in here:
                        yield self._said(node, "is deleted, but not assigned")
                    here.discard(node.id)

    def _rounds(self, loop: ast.While | ast.For, here: set[str]) -> Iterator[str]:
        """What is wrong with a loop: two rounds, since the second finds what the first has left."""
        yield from self._loads(loop.test if isinstance(loop, ast.While) else loop.iter, here)
        inside, found = set(here), {}
        for _ in range(2):
            if isinstance(loop, ast.For):
                inside.update(node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name))
            found.update(dict.fromkeys(self.problems(loop.body, inside)))
            if isinstance(loop, ast.While):
                found.update(dict.fromkeys(self._loads(loop.test, inside)))
        yield from found
        here &= inside

    def _loads(self, part: ast.AST, here: set[str]) -> Iterator[str]:
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                if node.id in self.local and node.id not in here:
                    yield self._said(node, "is read, but not assigned")
                elif node.id not in self.local and node.id not in self.known:
                    yield self._said(node, "is read, but known nowhere")

    def _said(self, node: ast.Name, what: str) -> str:
        return f"line {node.lineno}: {node.id} {what}: {self.lines[node.lineno - 1].strip()}"
