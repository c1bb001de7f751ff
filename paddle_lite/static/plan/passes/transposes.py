"""Transposes that leave every axis where it is, or put back what the one before has moved."""

from __future__ import annotations

from typing import NamedTuple

from ....ops.framework.traits import Transpose
from ..graph import Graph, Step, Value
from .copies import drop


class Transposing(NamedTuple):
    """made is given with its axes in another order: axis i of it is axis order[i] of given."""

    given: Value
    made: Value
    order: tuple[int, ...]


def drop_transposes(graph: Graph) -> None:
    """Enter the transposes that need not run."""
    for step in graph.steps:
        found = _transposing(step) if step.plain and graph.free(step.place) else None
        if found is None or (graph.block.idx == 0 and found.made.wanted) or found.made.ragged or found.given.ragged:
            continue
        if any(v.used for v in step.makes() if v is not found.made):
            continue
        before = graph.maker(found.given)
        first = _transposing(before) if before is not None and before.plain else None
        given, order = found.given, found.order
        if first is not None and first.made is given:
            given, order = first.given, tuple(first.order[axis] for axis in order)
        if order == tuple(range(len(order))) and given not in graph.old and given.dtype == found.made.dtype:
            why = "keeps every axis" if given is found.given else "undoes the transpose before it"
            drop(graph, step, {found.made: given}, why)


def _transposing(step: Step) -> Transposing | None:
    """Return what a transpose or its gradient does; None for other operators."""
    view = step.op.definition.traits.view
    if not isinstance(view, Transpose):
        return None
    given, made, order = step.one(view.given), step.out(view.made), view.order(step.attrs)
    if given is None or made is None or made.dtype is None or given.dtype is None:
        return None
    return Transposing(given, made, tuple(axis % len(order) for axis in order))
