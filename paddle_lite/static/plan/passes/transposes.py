"""Elimination of transposes that keep the order of the axes, or that undo the previous transpose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....ops.framework.traits import Transpose
from ..graph import FunctionGraph
from ..ir import Instruction, Value
from .copies import alias


class Transposing(NamedTuple):
    """A transpose: axis i of `made` is axis order[i] of `given`."""

    given: Value
    made: Value
    order: tuple[int, ...]


def drop_transposes(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return idle instructions for the transposes whose results are aliases of existing values."""
    same: dict[Value, Value] = {}
    for step in graph.instructions:
        found = _transposing(step.substituted(same)) if step.plain and step.free else None
        if (
            found is None
            or (graph.block.idx == 0 and graph.wanted(found.made))
            or found.made.ragged
            or found.given.ragged
        ):
            continue
        if any(graph.used(value) for value in step.makes() if value is not found.made):
            continue
        before = graph.maker(found.given)
        first = _transposing(before.substituted(same)) if before is not None and before.plain else None
        given, order = found.given, found.order
        if first is not None and first.made is given:
            given, order = first.given, tuple(first.order[axis] for axis in order)
        if order == tuple(range(len(order))) and graph.overwritten(given) is None and given.dtype == found.made.dtype:
            why = "keeps every axis" if given is found.given else "undoes the transpose before it"
            same[found.made] = given
            yield alias(step, {found.made: given}, why)


def _transposing(step: Instruction) -> Transposing | None:
    """Return the axes' order of a transpose or of its gradient; None for other operators."""
    view = step.op.definition.traits.view
    if not isinstance(view, Transpose):
        return None
    given, made, order = step.one(view.given), step.out(view.made), view.order(step.attrs)
    if given is None or made is None or made.dtype is None or given.dtype is None:
        return None
    return Transposing(given, made, tuple(axis % len(order) for axis in order))
