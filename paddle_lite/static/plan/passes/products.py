"""Products with one weight at every step of an unrolled loop: the gradients of the weight become one product over all steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....kernels.cpu.math.gemm import suitable, times_transposed
from ....kernels.cpu.math.packed_matrix import Factor, packed
from ....kernels.cpu.math.register_blocks import multiply_panels, pays
from ....ops.framework.traits import Algebra, Matmul, Sum
from ..graph import Graph, Step, Value, register
from .changes import algebra_of

if TYPE_CHECKING:
    from ..source import Source

OFTEN = 4  # uses of a weight from which on a transposed copy pays


def join_products(graph: Graph) -> None:
    """Enter the sums of such gradients, with the gradient operators that they come from."""
    for step in graph.steps:
        if not is_sum(step) or not step.plain or not graph.free(step.place):
            continue
        makers = summed_by(graph, step)
        if len(makers) > 1 and len({maker.one("Y") for maker in makers}) == 1:
            products = [Product(s, [s.one("X")], [s.out("X@GRAD")]) for s in makers]  # type: ignore[list-item]
            graph.enter(Steps(products, step))


def summed_by(graph: Graph, total: Step) -> list[Step]:
    """The gradient operators of products whose weights' gradients a sum adds up, each once; none where it adds others, too."""
    makers = [_maker(graph, part, total) for part in total.read.get("X") or []]
    found = [maker for maker in makers if maker is not None]
    return found if len(set(found)) == len(makers) else []


def _maker(graph: Graph, value: Value | None, total: Step) -> Step | None:
    """The gradient operator that makes a value as the gradient of its weight, for this sum alone."""
    if value is None or value.wanted or value.readers != [total.place] or value.shaped:
        return None
    step = graph.maker(value)
    if (
        step is None
        or not graph.free(step.place)
        or step.out("Y@GRAD") is not value
        or not differentiates(step, Matmul)
    ):
        return None
    x, y, d = step.one("X"), step.one("Y"), step.one("Out@GRAD")
    if any(v is None or not is_matrix(v) or v.dtype != y.dtype for v in (x, y, d) if y is not None):
        return None
    if x in graph.old:  # an update may write into it before the sum
        return None
    forward = step.op.definition.forward
    return step if forward is not None and _plainly(step, forward.traits.algebra) else None


def is_sum(step: Step) -> bool:
    """Whether an operator adds up arrays of one shape."""
    return isinstance(algebra_of(step.op), Sum)


def differentiates(step: Step, kind: type) -> bool:
    """Whether an operator is the gradient of one of such an algebra."""
    forward = step.op.declared.forward if step.op.declared is not None else None
    return forward is not None and isinstance(forward.traits.algebra, kind)


def _plainly(step: Step, algebra: Algebra | None) -> bool:
    """Whether a product, or its gradient, is one of two matrices as they are."""
    return isinstance(algebra, Matmul) and all(step.attrs.get(name, n) == n for name, n in algebra.plain.items())


def is_matrix(value: Value) -> bool:
    """Whether a value has two dimensions, the sizes that the Program says, and no LoD."""
    return len(value.shape) == 2 and value.sure and not value.ragged


def product_of(graph: Graph, step: Step) -> tuple[Value, Value, Value] | None:
    """x, y and the result of an operator that belongs to no unit, if it is a product of x and y of one dtype as they are."""
    if not step.plain or not graph.free(step.place) or not _plainly(step, step.op.definition.traits.algebra):
        return None
    x, y, made = step.one("X"), step.one("Y"), step.out("Out")
    return None if x is None or y is None or made is None or x.dtype != y.dtype else (x, y, made)


class Product(NamedTuple):
    """The gradient operator of a product.

    Attributes:
        step: the operator. parts: what is multiplied: one matrix, or several side by side.
        gradients: those of the parts; None where nobody wants one. after: the operator that cuts them apart.
    """

    step: Step
    parts: list[Value]
    gradients: list[Value | None]
    after: Step | None = None

    @property
    def home(self) -> int:
        """Where the gradients of the parts are made."""
        return (self.after or self.step).place


class Steps:
    """The gradient operators of products with one weight, and the sum of the weight's gradients.

    Arguments:
        products: the gradient operators. total: the sum.
    """

    kind = "one product"

    def __init__(self, products: list[Product], total: Step) -> None:
        self.products, self.total = sorted(products, key=lambda p: p.step.place), total
        steps = [step for p in products for step in (p.step, p.after) if step is not None]
        self.places = sorted([step.place for step in (*steps, total)])
        self.weight, self.made = self.products[0].step.one("Y"), total.out("Out")
        self.slopes = {p.step.place: p.step.one("Out@GRAD") for p in self.products}

    @property
    def note(self) -> str:
        """How many there were."""
        return f"the weight's gradient of {len(self.products)} products"

    def __repr__(self) -> str:
        return f"<{self.note} as one product>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The products for the inputs' gradients in the place of each operator, the one for the weight's in that of the sum."""
        source.touched[place], source.measured[place] = [], []
        if place == self.total.place:
            return self._total(source)
        product = next((p for p in self.products if p.home == place), None)
        if product is None:
            return []
        lines: list[str] = []
        for number, gradient in enumerate(product.gradients):
            if gradient is not None:
                lines += self._of_input(source, product, number, register(source, gradient))
        return lines

    def _of_input(self, source: Source, product: Product, number: int, out: str) -> list[str]:
        """The lines that make the gradient of a part."""
        assert self.weight is not None
        place, slope = product.home, self.slopes[product.step.place]
        assert slope is not None
        given, weight = register(source, slope), register(source, self.weight)
        if len(product.parts) > 1:
            weight += f"[{rows_of([part.shape[1] for part in product.parts])[number]}]"
        wanted = [p for p in self.products if p.gradients[number] is not None]
        if len(wanted) < OFTEN:
            source.touched[place] += [given, register(source, self.weight), out]
            source.scope["times_transposed"] = times_transposed
            return [f"{out} = times_transposed({given}, {weight})"]
        name = f"t{self.total.place}" + f"_{number}" * (len(product.parts) > 1)
        line = f"{out} = {name}({given})"
        source.touched[place] += [given, name, out]
        if product is not wanted[0]:
            return [line]
        source.touched[place].append(register(source, self.weight))
        source.scope["Factor"] = Factor
        return [f"{name} = Factor({weight}, {len(wanted)}, transposed=True)", line]

    def _total(self, source: Source) -> list[str]:
        assert self.made is not None
        parts = [
            [register(source, v) for v in values] for values in zip(*(p.parts for p in self.products), strict=True)
        ]
        ds = [register(source, v) for v in self.slopes.values() if v is not None]
        made = register(source, self.made)
        used = [name for names in (*parts, ds) for name in names]
        source.touched[self.total.place] = list(dict.fromkeys([*used, made]))
        source.scope["summed_products"] = summed_products
        lists = ", ".join(f"[{', '.join(names)}]" for names in (*parts, ds))
        return [f"{made} = summed_products({lists})"]


def rows_of(widths: list[int]) -> list[str]:
    """The rows of a weight that belong to each of several matrices side by side, as slices.

    >>> rows_of([3, 4])
    ['0:3', '3:7']
    """
    ends = [sum(widths[: i + 1]) for i in range(len(widths))]
    return [f"{end - width}:{end}" for width, end in zip(widths, ends, strict=True)]


def summed_products(*matrices: list[Any]) -> Any:
    """The sum of x.T @ d over the steps: [K, N] from x [rows, K] and d [rows, N]; of several x side by side, K is their sum.

    For few rows it is one product of all of them, for many rows each product is added: what moves less memory.

    Arguments:
        matrices: the x of all steps, once or several times; at the end the d.
    """
    *parts, ds = matrices
    rows, out = ds[0].shape
    widths = [xs[0].shape[1] for xs in parts]
    total = np.empty((sum(widths), out), ds[0].dtype)
    ends = np.cumsum(widths)
    places = [slice(end - width, end) for end, width in zip(ends, widths, strict=True)]
    if rows * (len(total) + out) > 2 * len(total) * out:
        for at, xs in zip(places, parts, strict=True):
            np.dot(xs[0].T, ds[0], out=total[at])
            for x, d in zip(xs[1:], ds[1:], strict=True):
                total[at] += x.T.dot(d)
        return total
    whole = np.concatenate(ds)
    if pays(len(total), len(whole), out) and suitable(whole):
        turned = np.empty((len(total), len(whole)), whole.dtype)
        for at, xs in zip(places, parts, strict=True):
            turned[at] = np.concatenate(xs).T
        multiply_panels(turned, packed(whole), out, total)
    else:
        for at, xs in zip(places, parts, strict=True):
            np.dot(np.concatenate(xs).T, whole, out=total[at])
    return total
