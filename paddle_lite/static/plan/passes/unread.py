"""Operators whose results nobody reads any more, since other passes have found what they were for elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..graph import Graph, Step

if TYPE_CHECKING:
    from ..source import Source


class Unread:
    """An operator that does not run."""

    kind, note = "unread", "nobody reads what it makes"

    def __init__(self, step: Step) -> None:
        self.step = step
        self.places = [step.place]

    def __repr__(self) -> str:
        return f"<{self.step.type}: unread>"

    def lines(self, source: Source, place: int) -> list[str]:
        """Nothing."""
        source.touched[place], source.measured[place] = [], []
        return []


def drop_unread(graph: Graph) -> None:
    """Enter such operators, the last ones first: what they alone have read is unread then, too."""
    for step in reversed(graph.steps):
        if not step.plain or not graph.free(step.place):
            continue
        if not any(v.readers or v.shaped or v.wanted for v in step.makes()):
            graph.enter(Unread(step))
            graph.drop(step)
