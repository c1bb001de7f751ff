"""Dead code elimination: operators whose results are not read after other passes."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph import FunctionGraph
from ..ir import Instruction


def drop_unread(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return idle instructions for dead operators, from the last to the first, since a dead operator reads nothing."""
    used = set(graph.results)
    for step in reversed(graph.instructions):
        if step.plain and step.free and used.isdisjoint(step.makes()):
            yield step.idle("unread", "nobody reads what it makes")
        else:
            used.update(step.reads())
