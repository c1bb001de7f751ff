"""Products of small matrices: direct NumPy calls, which avoid the overhead of the kernel (half of the time)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ..graph import FunctionGraph
from ..ir import Instruction, Unit, line, with_lods
from .products import product_of

LARGEST = 4096
"""The limit of elements of the right matrix; for larger matrices the kernel may choose a faster method."""


def call_dots(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of products that call NumPy directly."""
    for step in graph.instructions:
        product = product_of(step)
        if product is None:
            continue
        x, y, made = product
        if all(len(v.shape) == 2 and v.sure for v in (x, y)) and 0 < prod(y.shape) <= LARGEST and min(y.shape) > 0:
            call = line("{} = {}.dot({})", made, x, y)
            unit = Unit("dot", (step.place,), home=step.place)
            yield step.run_as(unit, [call, *step.lods()], with_lods([x, y]), with_lods([made]))
