"""Products of concatenations with one weight at every step of an unrolled loop, as in LSTM and GRU cells: [x_t, h] W.

They are x_t W' + h W'' with the weight's rows for each part. The products of all steps of x are one before the first step, and of
the gradients only those of h are computed. Where somebody reads those of x, too, nothing would be saved.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ....kernels.cpu.math.packed_matrix import Factor
from ....ops.framework.traits import Concat
from ..graph import Graph, Step, Value, register
from .products import Product, Steps, differentiates, is_matrix, is_sum, product_of, rows_of, summed_by
from .steps import LEAST, Place, place_of, product_of_steps

if TYPE_CHECKING:
    from ..source import Source


class Member(NamedTuple):
    """One step of the loop.

    Attributes:
        concat, product: the operators. parts: what is joined. at: which step of an array one of the parts is.
        which: the number of that part.
    """

    concat: Step
    product: Step
    parts: list[Value]
    at: Place
    which: int


class ConcatProducts:
    """The products of all steps with their concatenations.

    Arguments:
        members: the steps of the loop, in order.
    """

    kind = "split products"

    def __init__(self, members: list[Member]) -> None:
        self.members = members
        self.places = sorted(step.place for m in members for step in (m.concat, m.product))
        self.first = members[0]
        self.weight = members[0].product.one("Y")

    @property
    def note(self) -> str:
        """What is multiplied at once."""
        assert self.weight is not None
        return f"{len(self.members)} steps of {self.first.at.array.name} times rows of {self.weight.name} at once"

    def __repr__(self) -> str:
        return f"<{self.note}>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The product of the array in the place of the first concatenation, that of the other part in each product's."""
        whole, factor = f"s{self.places[0]}", f"h{self.places[0]}"
        member = next(m for m in self.members if place in (m.concat.place, m.product.place))
        step, other = (register(source, member.parts[which]) for which in (member.which, 1 - member.which))
        source.measured[place] = []
        if place == member.product.place:
            made = register(source, member.product.makes()[0])
            source.touched[place] = [whole, factor, made, other]
            return [f"{made} = {factor}({other}, {whole}[{member.at.number}])"]
        source.touched[place] = [step, other]
        refused = [f"if len({step}) != len({other}): {line}" for line in source.calls[place]]  # which raises its error
        if place == self.places[0]:
            assert self.weight is not None
            array, weight = register(source, self.first.at.array), register(source, self.weight)
            rows = rows_of([part.shape[1] for part in self.first.parts])
            of_array, of_other = rows[self.first.which], rows[1 - self.first.which]
            source.scope |= {"product_of_steps": product_of_steps, "Factor": Factor}
            source.touched[place] += [array, weight, whole, factor]
            return [
                f"{whole} = product_of_steps({array}, {weight}[{of_array}], {self.first.at.axis})",
                f"{factor} = Factor({weight}[{of_other}], {len(self.members)})",
                *refused,
            ]
        return refused


def split_concats(graph: Graph) -> None:
    """Enter such products, and those of their gradients."""
    found: dict[tuple[Value, Value, int, int], list[Member]] = defaultdict(list)
    for step in graph.steps:
        member = _member(graph, step)
        if member is not None:
            weight = member.product.one("Y")
            assert weight is not None
            found[weight, member.at.array, member.at.axis, member.which].append(member)
    for (weight, array, _, _), members in found.items():
        begin, end = members[0].concat.place, max(m.product.place for m in members)
        known = all(v.place < begin and graph.old.get(v, end) >= end for v in (weight, array))
        parts = {graph.part(m.concat.place) for m in members}
        if not known or len({m.at.number for m in members}) < LEAST or len(parts) > 1:
            continue
        gradients = _gradients(graph, members)
        if gradients is not None or all(m.concat.makes()[0].readers == [m.product.place] for m in members):
            _enter(graph, members, weight, array, gradients)


def _member(graph: Graph, step: Step) -> Member | None:
    """The step of a loop that a concatenation belongs to; None for others."""
    made = step.out("Out")
    if made is None or not step.plain or not graph.free(step.place):
        return None
    if not isinstance(step.op.definition.traits.algebra, Concat):
        return None
    parts = [part for part in step.read["X"] if part is not None]
    if step.one("AxisTensor") is not None or step.attrs["axis"] not in (1, -1) or len(parts) != 2:
        return None
    if made.wanted or made.shaped or not all(is_matrix(v) and v.shape[1] > 0 for v in (made, *parts)):
        return None
    products = ((graph.steps[place], product_of(graph, graph.steps[place])) for place in made.readers)
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
        if at is not None and at.array.dtype == made.dtype and parts[1 - which] not in graph.old:
            return Member(step, product, parts, at, which)
    return None


def _gradients(graph: Graph, members: list[Member]) -> Steps | None:
    """The gradients of the products as one unit; None where there are none, or they cannot be split."""
    products = [_gradient(graph, member) for member in members]
    found = [p for p, m in zip(products, members, strict=True) if p is not None and p.gradients[m.which] is None]
    totals = {place for p in found for v in [p.step.out("Y@GRAD")] if v is not None for place in v.readers}
    if len(found) < len(members) or len(totals) != 1:
        return None
    total = graph.steps[totals.pop()]
    if not is_sum(total) or not total.plain or not graph.free(total.place):
        return None
    return Steps(found, total) if {p.step for p in found} == {*summed_by(graph, total)} else None


def _gradient(graph: Graph, member: Member) -> Product | None:
    """The gradient operator of a member's product, with that of its concatenation; None where they cannot be split."""
    made = member.concat.makes()[0]
    others = [p for p in made.readers if p != member.product.place]
    if len(others) != 1:
        return None
    step = graph.steps[others[0]]
    if not step.plain or step.one("X") is not made or step.one("Y") is not member.product.one("Y"):
        return None
    joined = step.out("X@GRAD")
    if joined is None:
        return Product(step, member.parts, [None, None])
    after = graph.steps[joined.readers[0]] if len(joined.readers) == 1 else None
    if after is None or joined.wanted or joined.shaped or not graph.free(after.place):
        return None
    if not differentiates(after, Concat):
        return None
    if after.op.forward is not member.concat.op or after.one("Out@GRAD") is not joined:
        return None
    return Product(step, member.parts, after.made["X@GRAD"], after)


def _enter(graph: Graph, members: list[Member], weight: Value, array: Value, gradients: Steps | None) -> None:
    """Enter the units, and say what their operators read now."""
    graph.enter(ConcatProducts(members))
    reads = {member.concat.place: list(member.parts) for member in members}
    reads[members[0].concat.place] += [array, weight]
    for member in members:
        for step in (member.concat, member.product):
            graph.drop(step)
        reads[member.product.place] = [member.parts[1 - member.which]]
    if gradients is not None:
        graph.enter(gradients)
        graph.drop(gradients.total)
        reads[gradients.total.place] = []
        for product in gradients.products:
            d = product.step.one("Out@GRAD")
            assert d is not None
            graph.drop(product.step)
            if product.after is not None:
                graph.drop(product.after)
            reads[product.home] = [weight, d]
            reads[gradients.total.place] += [d, *product.parts]
    for place, values in reads.items():
        graph.reread(place, values)
