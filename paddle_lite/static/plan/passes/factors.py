"""Products of few rows with one weight, as at each step of a recurrence: the weight is laid out once for all of them."""

from __future__ import annotations

from collections import defaultdict
from math import prod
from typing import TYPE_CHECKING

from ....kernels.cpu.math.packed_matrix import SMALLEST, Factor
from ....kernels.cpu.math.register_blocks import MOST
from ..graph import Graph, Step, Value, register
from .products import OFTEN, is_matrix, product_of

if TYPE_CHECKING:
    from ..source import Source


class SharedFactor:
    """Products with one weight.

    Arguments:
        steps: the products, in order. weight: what they read in Y.
    """

    kind = "products"

    def __init__(self, steps: list[Step], weight: Value) -> None:
        self.steps, self.weight = steps, weight
        self.places = [step.place for step in steps]

    @property
    def note(self) -> str:
        """What is laid out."""
        return f"{self.weight.name} is laid out once"

    def __repr__(self) -> str:
        return f"<{len(self.steps)} products with {self.weight.name}>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The layout in the place of the first operator, a product in that of each."""
        step = self.steps[self.places.index(place)]
        factor = f"h{self.places[0]}"
        x, made = register(source, step.reads()[0]), register(source, step.makes()[0])
        source.touched[place], source.measured[place] = [x, factor, made], []
        line = f"{made} = {factor}({x})"
        if step is not self.steps[0]:
            return [line]
        weight = register(source, self.weight)
        source.touched[place].append(weight)
        source.scope["Factor"] = Factor
        return [f"{factor} = Factor({weight}, {len(self.steps)})", line]


def share_factors(graph: Graph) -> None:
    """Enter such products."""
    found: dict[tuple[Value, int], list[Step]] = defaultdict(list)
    for step in graph.steps:
        product = product_of(graph, step)
        if product is None or not all(map(is_matrix, product)):
            continue
        x, y, _ = product
        if min(y.shape) > 0 and prod(y.shape) >= SMALLEST and x.shape[0] <= MOST:
            found[y, graph.part(step.place)].append(step)
    for (weight, _), steps in found.items():
        if len(steps) >= OFTEN and graph.old.get(weight, steps[-1].place) >= steps[-1].place:
            graph.enter(SharedFactor(steps, weight))
