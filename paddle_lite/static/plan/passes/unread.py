"""Operators whose results nobody reads any more, since other passes have found what they were for elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph import FunctionGraph
from ..ir import Instruction


def drop_unread(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return idle instructions for such operators, the last ones first: what they alone have read is unread then, too."""
    used = set(graph.results)
    for step in reversed(graph.instructions):
        if step.plain and step.free and used.isdisjoint(step.makes()):
            yield step.idle("unread", "nobody reads what it makes")
        else:
            used.update(step.reads())
