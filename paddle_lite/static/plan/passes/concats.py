"""Products of concatenations with one weight at every step of an unrolled loop, as in LSTM and GRU cells: [x_t, h] W.

They equal x_t W' + h W'' with the weight's rows for each part. The products of all steps of x are computed as one
before the first step; where steps are large, those of about ROWS_AT_ONCE rows are, each before the first step that reads
them, so that few are held. Only the gradients of h are computed. Steps whose gradients of x are read are not split: it
saves no time.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ....kernels.cpu.math.packed_matrix import Factor
from ....ops.framework.traits import Concat
from ..chains.steps import LARGEST_PRODUCT
from ..graph import FunctionGraph
from ..ir import Instruction, MatrixProduct, Unit, Value, line
from .products import (
    ROWS_AT_ONCE,
    Product,
    WeightGradient,
    differentiates,
    is_matrix,
    is_sum,
    product_of,
    rows_of,
    summed_by,
)
from .steps import LEAST, Place, place_of, product_of_steps


class Member(NamedTuple):
    """One step of the loop.

    Attributes:
        concat, product: the operators. parts: the concatenated values. at: the step of an array that one part is.
        which: the number of that part.
    """

    concat: Instruction
    product: Instruction
    parts: list[Value]
    at: Place
    which: int

    @property
    def part(self) -> Value:
        """The part that is a step of an array."""
        return self.parts[self.which]

    @property
    def other(self) -> Value:
        """The other part."""
        return self.parts[1 - self.which]


def split_concats(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of split products, and of their gradients."""
    found: dict[tuple[Value, Value, int, int], list[Member]] = defaultdict(list)
    for step in graph.instructions:
        member = _member(graph, step)
        if member is not None:
            weight = member.product.one("Y")
            assert weight is not None
            found[weight, member.at.array, member.at.axis, member.which].append(member)
    for (weight, array, _, _), members in found.items():
        begin, end = members[0].concat.place, max(m.product.place for m in members)
        known = all(v.place < begin and graph.unchanged(v, end) for v in (weight, array))
        parts = {graph.part(m.concat.place) for m in members}
        if not known or len({m.at.number for m in members}) < LEAST or len(parts) > 1:
            continue
        gradients = _gradients(graph, members)
        if gradients is not None or all(graph.readers(m.concat.makes()[0]) == [m.product.place] for m in members):
            yield from _products(members, weight)
            if gradients is not None:
                yield from _of_gradients(gradients)


def _products(members: list[Member], weight: Value) -> Iterator[Instruction]:
    """Return the products of the array's steps where the first of them is read, and those of the other parts in their own places."""
    first = members[0]
    array, start, axis = first.at.array, first.concat.place, first.at.axis
    note = f"{len(members)} steps of {array.name} times rows of {weight.name} at once"
    unit = Unit("split products", tuple(sorted(s.place for m in members for s in (m.concat, m.product))), note, start)
    steps = max(member.at.number for member in members) + 1
    at_once = min(steps, _steps_at_once(first, weight))
    factor = Value(f"h{start}", f"h{start}", start)
    rows = rows_of([part.shape[1] for part in first.parts])
    wholes: dict[int, Value] = {}  # the products of some steps by the number of the first of them
    for member in members:
        place, run = member.concat.place, member.concat.call
        assert run is not None
        known = min(member.part.shape[0], member.other.shape[0]) >= 0
        refused = line("if len({}) != len({}): {}", member.part, member.other, run.run)  # which raises the error
        lines, loads = ([], []) if known else ([refused], [member.part, member.other])
        scope, read, stores = dict(member.concat.scope), list(member.parts), []
        inside = member.at.number % at_once
        begin = member.at.number - inside
        if member is first:
            lines.insert(0, line(f"{{}} = Factor({{}}[{rows[1 - first.which]}], {len(members)})", factor, weight))
            scope["Factor"] = Factor
            stores.append(factor)
        if begin not in wholes:
            size = array.shape[axis] if at_once == steps else min(at_once, steps - begin)
            shape = (size, array.shape[1 - axis], weight.shape[1])
            whole = wholes[begin] = Value(f"s{place}", f"s{place}", place, shape, array.dtype, sure=True)
            cut = "" if at_once == steps else f"[{':, ' * axis}{begin}:{begin + size}]"
            text = f"{{}} = product_of_steps({{}}{cut}, {{}}[{rows[first.which]}], {axis})"
            lines.insert(0, line(text, whole, array, weight))
            scope["product_of_steps"] = product_of_steps
            stores.insert(0, whole)
            loads = [*loads, array, weight]
            read += [array, weight]
        yield member.concat.run_as(unit, lines, loads, stores, scope=scope, read={"": read})
        [made], whole = member.product.makes(), wholes[begin]
        text_of_product = line(f"{{}} = {{}}({{}}, {{}}[{inside}])", made, factor, member.other, whole)
        yield member.product.run_as(
            unit, [text_of_product], [whole, factor, member.other], [made], read={"": [member.other]},
            product=MatrixProduct(made, member.other, factor, member.other.shape[1], weight.shape[1], True, whole, inside),
        )  # fmt: skip


def _steps_at_once(member: Member, weight: Value) -> int:
    """Return how many steps of the array are multiplied as one.

    These are all steps if their rows are unknown, or if a step's own product is so small that the steps may run as a
    chain, which reads one array.
    """
    rows = member.at.array.shape[1 - member.at.axis]
    if rows < 1 or rows * member.other.shape[1] * weight.shape[1] <= LARGEST_PRODUCT:
        return sys.maxsize
    return max(1, ROWS_AT_ONCE // rows)


def _of_gradients(gradients: WeightGradient) -> Iterator[Instruction]:
    """Return the instructions of the gradients, which read the parts in place of the concatenations."""
    read: dict[int, list[Value]] = {p.home: [gradients.weight, p.arriving] for p in gradients.products}
    read[gradients.total.place] = [v for p in gradients.products for v in (p.arriving, *p.parts)]
    for instruction in gradients.instructions():
        taken = read.get(instruction.place)
        yield replace(instruction, read={} if taken is None else {"": taken})


def _member(graph: FunctionGraph, step: Instruction) -> Member | None:
    """Return the loop step of a concatenation; None for other operators."""
    made = step.out("Out")
    if made is None or not step.plain or not step.free:
        return None
    if not isinstance(step.op.definition.traits.algebra, Concat):
        return None
    parts = [part for part in step.read["X"] if part is not None]
    if step.one("AxisTensor") is not None or step.attrs["axis"] not in (1, -1) or len(parts) != 2:
        return None
    if graph.wanted(made) or graph.shaped(made) or not all(is_matrix(v) and v.shape[1] > 0 for v in (made, *parts)):
        return None
    readers = (graph.instructions[place] for place in graph.readers(made))
    products = ((reader, product_of(reader)) for reader in readers)
    product, known = next(((reader, found) for reader, found in products if found is not None), (None, None))
    if product is None or known is None:
        return None
    x, weight, out = known
    if x is not made or not is_matrix(out) or len(weight.shape) != 2:
        return None
    if weight.shape[0] != sum(part.shape[1] for part in parts):
        return None
    for which in (0, 1):
        at = place_of(graph, parts[which])
        if at is not None and at.array.dtype == made.dtype and graph.overwritten(parts[1 - which]) is None:
            return Member(step, product, parts, at, which)
    return None


def _gradients(graph: FunctionGraph, members: list[Member]) -> WeightGradient | None:
    """Return the gradients of the products as one unit; None if there are none, or they cannot be split."""
    products = [_gradient(graph, member) for member in members]
    found = [p for p, m in zip(products, members, strict=True) if p is not None and p.gradients[m.which] is None]
    totals = {place for p in found for v in [p.step.out("Y@GRAD")] if v is not None for place in graph.readers(v)}
    if len(found) < len(members) or len(totals) != 1:
        return None
    total = graph.instructions[totals.pop()]
    if not is_sum(total) or not total.plain or not total.free:
        return None
    return WeightGradient(found, total) if {p.step for p in found} == {*summed_by(graph, total)} else None


def _gradient(graph: FunctionGraph, member: Member) -> Product | None:
    """Return the gradient of a member's product and of its concatenation; None if they cannot be split."""
    made = member.concat.makes()[0]
    others = [p for p in graph.readers(made) if p != member.product.place]
    if len(others) != 1:
        return None
    step = graph.instructions[others[0]]
    if not step.plain or step.one("X") is not made or step.one("Y") is not member.product.one("Y"):
        return None
    joined = step.out("X@GRAD")
    if joined is None:
        return Product(step, member.parts, [None, None])
    after = graph.instructions[graph.readers(joined)[0]] if len(graph.readers(joined)) == 1 else None
    if after is None or graph.wanted(joined) or graph.shaped(joined) or not after.free:
        return None
    if not differentiates(after, Concat):
        return None
    if after.op.forward is not member.concat.op or after.one("Out@GRAD") is not joined:
        return None
    return Product(step, member.parts, after.made["X@GRAD"], after)
