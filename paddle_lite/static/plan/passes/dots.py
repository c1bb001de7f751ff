"""Products of small matrices: a call of NumPy each, without the kernel around it, which would take half of the time."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ..graph import Graph, Step, Value, register
from .products import product_of

if TYPE_CHECKING:
    from ..source import Source

LARGEST = 4096
"""Elements of the right matrix; for larger ones the kernel may know something better."""


class Dot:
    """A product.

    Arguments:
        step: the operator. x, y, made: what it reads and makes.
    """

    kind, note = "dot", ""

    def __init__(self, step: Step, x: Value, y: Value, made: Value) -> None:
        self.step, self.x, self.y, self.made = step, x, y, made
        self.places = [step.place]

    def __repr__(self) -> str:
        return f"<{self.x.name}.dot({self.y.name})>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The call."""
        x, y, made = (register(source, v) for v in (self.x, self.y, self.made))
        lods = source.lod_lines.get(place, [])
        used = [source.lod[name] for name in (x, y, made) if name in source.lod]
        source.touched[place], source.measured[place] = list(dict.fromkeys([x, y, made, *used])), []
        return [f"{made} = {x}.dot({y})", *lods]


def call_dots(graph: Graph) -> None:
    """Enter such products."""
    for step in graph.steps:
        product = product_of(graph, step)
        if product is None:
            continue
        x, y, made = product
        if all(len(v.shape) == 2 and v.sure for v in (x, y)) and 0 < prod(y.shape) <= LARGEST and min(y.shape) > 0:
            graph.enter(Dot(step, x, y, made))
