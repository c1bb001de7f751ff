"""Consistency checks of a graph and of its generated source, for testing and writing passes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from functools import lru_cache

from .graph import FunctionGraph
from .ir import Instruction, Unit, Value
from .writer import Writer


def graph_problems(graph: FunctionGraph) -> list[str]:
    """Return the inconsistencies of the instructions of a graph."""
    return [*_of_units(graph), *_of_values(graph), *_of_memory(graph)]


def source_problems(writer: Writer, text: str) -> list[str]:
    """Return the inconsistencies of a Writer's instructions, and of the local variables in its source."""
    return [*graph_problems(writer.graph), *_of_names(text, frozenset((*writer.scope, *dir(builtins))))]


# --- the graph ------------------------------------------------------------------------------------------------------------


def _of_units(graph: FunctionGraph) -> Iterator[str]:
    """Check that units and instructions refer to each other, and that units other than updates are in one part."""
    units: dict[Unit, list[int]] = {}
    for place, each in enumerate(graph.instructions):
        if each.place != place:
            yield f"{_said(each)} stands in place {place}"
        if each.unit is not None:
            units.setdefault(each.unit, []).append(place)
    for unit, places in units.items():
        if sorted(unit.places) != places:
            yield f"{unit} has instructions in places {places}"
        if unit.home not in unit.places:
            yield f"the call of {unit} is in place {unit.home}"
        if len({graph.part(place) for place in places}) > 1 and unit.kind != "update":
            yield f"{unit} is of several parts of the Plan"


def _of_values(graph: FunctionGraph) -> Iterator[str]:
    """Check that values are stored once, before they are loaded, and that lines mention only declared values."""
    known = {value.register for value in graph.inputs}
    stored: set[Value] = set()
    for each in graph.instructions:
        for value in (*each.loads, *each.measures):
            if value.register not in known and not value.constant and value not in each.stores:
                yield f"{_said(each)} loads {value.register} ({value}), which nothing has stored before"
        for value in each.stores:
            if value in stored:
                yield f"{_said(each)} stores {value.register} ({value}) once more"
            stored.add(value)
            known.add(value.register)
        for value in _undeclared(each):
            yield f"the lines of {_said(each)} mention {value.register} ({value}), which it neither loads nor stores"
        for value in each.reads():
            if value.place >= each.place:
                yield f"{_said(each)} takes {value}, which is made later"


@lru_cache(maxsize=5000)
def _undeclared(step: Instruction) -> tuple[Value, ...]:
    """Return the values that the lines of an instruction mention, and that it neither loads nor stores.

    What is found is remembered: most passes leave most instructions as they are.
    """
    declared = {*step.loads, *step.measures, *step.stores, *step.makes()}
    mentioned = (part for each in step.lines for part in each if not isinstance(part, str) and part not in declared)
    return tuple(dict.fromkeys(value for value in mentioned if not value.constant))


def _of_memory(graph: FunctionGraph) -> Iterator[str]:
    """Check that donated values are not loaded after the instruction that overwrites them."""
    donated: dict[str, Instruction] = {}
    for each in graph.instructions:
        for value in each.loads:
            if value.register in donated:
                yield f"{_said(each)} reads {value} behind {_said(donated[value.register])}, which writes over it"
        donated.update((value.register, each) for value in each.donated)


def _said(step: Instruction) -> str:
    return f"operator {step.place} ({step.type})"


# --- local variables ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=500)
def _of_names(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """Check that functions read only assigned local variables that are not deleted, and globals in their scope.

    What is found is remembered: most texts that tests write are the same again.
    """
    module = ast.parse(text)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    known = known | {function.name for function in functions}
    problems: list[str] = []
    for function in functions:
        stored = {name.id for name in _names(function) if not isinstance(name.ctx, ast.Load)}
        given = {each.arg for each in function.args.args}
        problems += _Names(text.splitlines(), known, stored | given).problems(function.body, set(given))
    return tuple(problems)


def _names(node: ast.AST) -> list[ast.Name]:
    """Return the names in a node, breadth first as by `ast.walk`, which takes three times as long."""
    found: list[ast.Name] = []
    waiting = [node]
    for each in waiting:
        if isinstance(each, ast.Name):
            found.append(each)
            continue
        for field in each._fields:
            value = getattr(each, field)
            if isinstance(value, list):
                waiting += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(value)
    return found


class _Names:
    """The check of the names that a function reads, statement by statement.

    Arguments:
        lines: the lines of the source. known: the names of globals. local: the names of local variables.
    """

    def __init__(self, lines: Sequence[str], known: frozenset[str], local: set[str]) -> None:
        self.lines, self.known, self.local = lines, known, local

    def problems(self, body: Sequence[ast.stmt], here: set[str]) -> Iterator[str]:
        """Return the problems of statements; `here`, the set of assigned names, is updated in place."""
        for statement in body:
            if isinstance(statement, ast.If):
                yield from self._unknown(_names(statement.test), here)
                either, other = set(here), set(here)
                yield from self.problems(statement.body, either)
                yield from self.problems(statement.orelse, other)
                here.clear()
                here.update(either & other)
                continue
            if isinstance(statement, (ast.While, ast.For)):
                yield from self._rounds(statement, here)
                continue
            names = _names(statement)
            yield from self._unknown(names, here)
            for name in names:
                if isinstance(name.ctx, ast.Store):
                    here.add(name.id)
                elif isinstance(name.ctx, ast.Del):
                    if name.id not in here:
                        yield self._said(name, "is deleted, but not assigned")
                    here.discard(name.id)

    def _rounds(self, loop: ast.While | ast.For, here: set[str]) -> Iterator[str]:
        """Return the problems of a loop, whose second round starts with the names that the first has assigned."""
        yield from self._unknown(_names(loop.test if isinstance(loop, ast.While) else loop.iter), here)
        inside, found = set(here), {}
        for _ in range(2):
            if isinstance(loop, ast.For):
                inside.update(name.id for name in _names(loop.target))
            found.update(dict.fromkeys(self.problems(loop.body, inside)))
            if isinstance(loop, ast.While):
                found.update(dict.fromkeys(self._unknown(_names(loop.test), inside)))
        yield from found
        here &= inside

    def _unknown(self, names: Sequence[ast.Name], here: set[str]) -> Iterator[str]:
        """Return the problems of the names that are read."""
        for name in names:
            if isinstance(name.ctx, ast.Load):
                if name.id in self.local and name.id not in here:
                    yield self._said(name, "is read, but not assigned")
                elif name.id not in self.local and name.id not in self.known:
                    yield self._said(name, "is read, but known nowhere")

    def _said(self, node: ast.Name, what: str) -> str:
        return f"line {node.lineno}: {node.id} {what}: {self.lines[node.lineno - 1].strip()}"
