"""Products of few rows with one weight, as at each step of a recurrence: the weight is packed once for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import prod

from ....kernels.cpu.math.packed_matrix import SMALLEST, Factor
from ....kernels.cpu.math.register_blocks import MOST
from ..graph import FunctionGraph
from ..ir import Instruction, MatrixProduct, Unit, Value, line
from .products import OFTEN, is_matrix, product_of


def share_factors(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of products that share a packed weight."""
    found: dict[tuple[Value, int], list[Instruction]] = defaultdict(list)
    for step in graph.instructions:
        product = product_of(step)
        if product is None or not all(map(is_matrix, product)):
            continue
        x, y, _ = product
        if min(y.shape) > 0 and prod(y.shape) >= SMALLEST and x.shape[0] <= MOST:
            found[y, graph.part(step.place)].append(step)
    for (weight, _), steps in found.items():
        if len(steps) >= OFTEN and graph.unchanged(weight, steps[-1].place):
            yield from _sharing(steps, weight)


def _sharing(steps: list[Instruction], weight: Value) -> Iterator[Instruction]:
    """Return the packing of the weight in the place of the first product, and the products in their places."""
    first = steps[0]
    unit = Unit("products", tuple(step.place for step in steps), f"{weight.name} is laid out once", first.place)
    name = f"h{first.place}"
    factor = Value(name, name, first.place)
    for step in steps:
        x, [made] = step.reads()[0], step.makes()
        product = line("{} = {}({})", made, factor, x)
        does = MatrixProduct(made, x, factor, weight.shape[0], weight.shape[1], True)
        if step is not first:
            yield step.run_as(unit, [product], [x, factor], [made], product=does)
            continue
        layout = line(f"{{}} = Factor({{}}, {len(steps)})", factor, weight)
        yield step.run_as(unit, [layout, product], [x, weight], [factor, made], scope={"Factor": Factor}, product=does)
