"""Products with one weight at every step of an unrolled loop: the gradients of the weight become one product over all steps."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ....kernels.cpu.few_rows import product_with_transposed, suits, times_transposed
from ..graph import Graph, Step, Value, register

if TYPE_CHECKING:
    from ..source import Source

PRODUCTS = frozenset({"mul_grad", "matmul_grad"})
PLAIN = {"transpose_X": False, "transpose_Y": False, "alpha": 1.0, "x_num_col_dims": 1, "y_num_col_dims": 1}
OFTEN = 4  # uses of a weight from which on a transposed copy pays


def join_products(graph: Graph) -> None:
    """Enter the sums of such gradients, with the gradient operators that they come from."""
    for step in graph.steps:
        if step.type != "sum" or not step.plain or not graph.free(step.place):
            continue
        parts = step.read["X"]
        of_weight: dict[Value, list[Step]] = defaultdict(list)
        for part in parts:
            maker = _maker(graph, part, step)
            if maker is not None:
                weight = maker.one("Y")
                assert weight is not None
                of_weight[weight].append(maker)
        if len(of_weight) == 1:
            [makers] = of_weight.values()
            if len(set(makers)) == len(parts) > 1:
                graph.enter(Steps(sorted(makers, key=lambda s: s.place), step))


def _maker(graph: Graph, value: Value | None, total: Step) -> Step | None:
    """The gradient operator that makes a value as the gradient of its weight, for this sum alone."""
    if value is None or value.wanted or value.readers != [total.place] or value.shaped:
        return None
    step = graph.maker(value)
    if step is None or step.type not in PRODUCTS or not graph.free(step.place) or step.out("Y@GRAD") is not value:
        return None
    x, y, d = step.one("X"), step.one("Y"), step.one("Out@GRAD")
    if any(
        v is None or len(v.shape) != 2 or v.dtype != y.dtype or v.ragged or not v.sure
        for v in (x, y, d)
        if y is not None
    ):
        return None
    if x in graph.old:  # an update may write into it before the sum
        return None
    return step if all(step.attrs.get(name, plain) == plain for name, plain in PLAIN.items()) else None


class Transposed:
    """Products x @ weight.T with one weight, many times: BLAS, which is slow at transposing for few rows, gets a copy.

    The copy is made when a product first needs one, which those with so few rows that a kernel is faster do not.
    """

    __slots__ = ("copy", "weight")

    def __init__(self, weight: np.ndarray) -> None:
        self.weight = weight
        self.copy: np.ndarray | None = None

    def __call__(self, x: np.ndarray) -> np.ndarray:
        if suits(x, self.weight):
            return product_with_transposed(x, self.weight)
        if self.copy is None:
            self.copy = np.ascontiguousarray(self.weight.T)
        return x.dot(self.copy)


class Steps:
    """The gradient operators of products with one weight, and the sum of the weight's gradients.

    Arguments:
        products: the gradient operators, in order. total: the sum.
    """

    kind = "one product"

    def __init__(self, products: list[Step], total: Step) -> None:
        self.products, self.total = products, total
        self.places = [*(step.place for step in products), total.place]

    @property
    def note(self) -> str:
        """How many there were."""
        return f"the weight's gradient of {len(self.products)} products"

    def __repr__(self) -> str:
        return f"<{self.note} as one product>"

    def lines(self, source: Source, place: int) -> list[str]:
        """The product for an input's gradient in the place of each operator, the one for the weight's in that of the sum."""
        if place == self.total.place:
            return self._total(source)
        step = next(step for step in self.products if step.place == place)
        made, d = step.out("X@GRAD"), step.one("Out@GRAD")
        source.touched[place], source.measured[place] = [], []
        if made is None or d is None:
            return []
        given, out, weight = register(source, d), register(source, made), register(source, step.one("Y"))  # type: ignore[arg-type]
        wanted = [s for s in self.products if s.out("X@GRAD") is not None]
        if len(wanted) < OFTEN:
            source.touched[place] = [given, weight, out]
            source.scope["times_transposed"] = times_transposed
            return [f"{out} = times_transposed({given}, {weight})"]
        name = f"t{self.total.place}"
        line = f"{out} = {name}({given})"
        source.touched[place] = [given, name, out]
        if step is not wanted[0]:
            return [line]
        source.touched[place].append(weight)
        source.scope["Transposed"] = Transposed
        return [f"{name} = Transposed({weight})", line]

    def _total(self, source: Source) -> list[str]:
        out = self.total.out("Out")
        assert out is not None
        xs = [register(source, step.one("X")) for step in self.products]  # type: ignore[arg-type]
        ds = [register(source, step.one("Out@GRAD")) for step in self.products]  # type: ignore[arg-type]
        made = register(source, out)
        place = self.total.place
        source.touched[place], source.measured[place] = list(dict.fromkeys([*xs, *ds, made])), []
        source.scope["summed_products"] = summed_products
        return [f"{made} = summed_products([{', '.join(xs)}], [{', '.join(ds)}])"]


def summed_products(xs: list[Any], ds: list[Any]) -> Any:
    """The sum of x.T @ d over the steps: [K, N] from x [rows, K] and d [rows, N].

    For few rows it is one product of all of them, for many rows each product is added: what moves less memory.
    """
    rows, wide = xs[0].shape
    out = ds[0].shape[1]
    if rows * (wide + out) <= 2 * wide * out:
        return np.concatenate(xs).T.dot(np.concatenate(ds))
    total = xs[0].T.dot(ds[0])
    for x, d in zip(xs[1:], ds[1:], strict=True):
        total += x.T.dot(d)
    return total
