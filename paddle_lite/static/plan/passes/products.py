"""Products with one weight at every step of an unrolled loop: the weight's gradient is one product over all steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....kernels.cpu.math.gemm import into, readable, times_transposed
from ....kernels.cpu.math.packed_matrix import Factor
from ....kernels.cpu.math.register_blocks import is_faster
from ....ops.framework.traits import Matmul, Sum
from ..graph import FunctionGraph
from ..ir import Instruction, Line, ListCall, MatrixProduct, Unit, Value, joined, line, values_in
from .changes import algebra_of

OFTEN = 4  # the least number of uses of a weight for which a packed copy pays
ROWS_AT_ONCE = 1024  # rows of steps that are concatenated for one product; with more, it is hardly faster


def join_products(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of the sums of weight gradients, and of the gradient operators that they sum."""
    for step in graph.instructions:
        if not is_sum(step) or not step.plain or not step.free:
            continue
        makers = summed_by(graph, step)
        if len(makers) > 1 and len({maker.one("Y") for maker in makers}) == 1:
            products = [Product(s, [s.one("X")], [s.out("X@GRAD")]) for s in makers]  # type: ignore[list-item]
            yield from WeightGradient(products, step).instructions()


def summed_by(graph: FunctionGraph, total: Instruction) -> list[Instruction]:
    """Return the distinct products' gradient operators whose weight gradients a sum adds; [] if it adds others."""
    makers = [_maker(graph, part, total) for part in total.read.get("X") or []]
    found = [maker for maker in makers if maker is not None]
    return found if len(set(found)) == len(makers) else []


def _maker(graph: FunctionGraph, value: Value | None, total: Instruction) -> Instruction | None:
    """Return the product's gradient operator that makes a weight gradient for this sum alone; None for other values."""
    if value is None or graph.wanted(value) or graph.readers(value) != [total.place] or graph.shaped(value):
        return None
    step = graph.maker(value)
    if step is None or not step.free or step.out("Y@GRAD") is not value or not differentiates(step, Matmul):
        return None
    x, y, d = step.one("X"), step.one("Y"), step.one("Out@GRAD")
    if x is None or y is None or d is None or any(not is_matrix(v) or v.dtype != y.dtype for v in (x, y, d)):
        return None
    if graph.overwritten(x) is not None:  # an update may write into it before the sum
        return None
    return step if plainly(step) else None


def is_sum(step: Instruction) -> bool:
    """Return whether an operator is a sum of arrays of one shape."""
    return isinstance(algebra_of(step.op), Sum)


def differentiates(step: Instruction, kind: type) -> bool:
    """Return whether an operator is the gradient of an operator with an algebra of this kind."""
    forward = step.op.declared.forward if step.op.declared is not None else None
    return forward is not None and isinstance(forward.traits.algebra, kind)


def plainly(step: Instruction) -> bool:
    """Return whether a product, or its gradient, is one of two matrices without transposition or scaling."""
    definition = step.op.definition
    algebra = (definition.forward or definition).traits.algebra
    return isinstance(algebra, Matmul) and all(step.attrs.get(name, n) == n for name, n in algebra.plain.items())


def is_matrix(value: Value) -> bool:
    """Return whether a value has two dimensions, a certain shape, and no LoD."""
    return len(value.shape) == 2 and value.sure and not value.ragged


def product_of(step: Instruction) -> tuple[Value, Value, Value] | None:
    """Return x, y and the result of a plain product of one dtype that belongs to no unit; None for other operators."""
    if not step.plain or not step.free or not plainly(step):
        return None
    x, y, made = step.one("X"), step.one("Y"), step.out("Out")
    return None if x is None or y is None or made is None or x.dtype != y.dtype else (x, y, made)


class Product(NamedTuple):
    """The gradient operator of a product.

    Attributes:
        step: the operator. parts: the left operand: one matrix, or several matrices side by side.
        gradients: the gradients of the parts; None for a gradient that is not computed. after: the operator that splits
            them.
    """

    step: Instruction
    parts: list[Value]
    gradients: Sequence[Value | None]
    after: Instruction | None = None

    @property
    def home(self) -> int:
        """The place of the operator that makes the gradients of the parts."""
        return (self.after or self.step).place

    @property
    def arriving(self) -> Value:
        """The gradient of the product's result."""
        d = self.step.one("Out@GRAD")
        assert d is not None
        return d


class WeightGradient:
    """The gradient operators of products with one weight, and the sum of the weight's gradients.

    Arguments:
        products: the gradient operators. total: the sum.
    """

    def __init__(self, products: list[Product], total: Instruction) -> None:
        self.products, self.total = sorted(products, key=lambda p: p.step.place), total
        weight, made = self.products[0].step.one("Y"), total.out("Out")
        assert weight is not None and made is not None
        self.weight, self.made = weight, made
        self._layouts: dict[str, Value] = {}  # the packed weight by name
        steps = [step for p in products for step in (p.step, p.after) if step is not None]
        places = sorted([step.place for step in (*steps, total)])
        note = f"the weight's gradient of {len(products)} products"
        self.unit = Unit("one product", tuple(places), note, total.place)

    def instructions(self) -> Iterator[Instruction]:
        """Return the products for the inputs' gradients in the operators' places, and the weight's in that of the sum.

        Split products read other values than their operators, so the caller has to set `read` of the instructions.
        """
        for product in self.products:
            home = product.after or product.step
            found = [self._of_input(product, number, v) for number, v in enumerate(product.gradients) if v is not None]
            scope = {"times_transposed": times_transposed, "Factor": Factor} if found else {}
            yield home.run_as(
                self.unit, [text for lines, _, _ in found for text in lines], [v for _, loads, _ in found for v in loads],
                [v for _, _, stores in found for v in stores], scope=scope, product=self._computed(product, found),
            )  # fmt: skip
            if product.after is not None:
                yield product.step.run_as(self.unit)
        columns = [list(values) for values in zip(*(p.parts for p in self.products), strict=True)]
        columns.append([p.arriving for p in self.products])
        lists = joined(line("[{}]", joined(values)) for values in columns)
        loads = [v for values in columns for v in values]
        text = line("{} = summed_products({})", self.made, lists)
        yield self.total.run_as(
            self.unit, [text], loads, [self.made],
            scope={"summed_products": summed_products, "products_of_rows": products_of_rows},
            list_call=ListCall(self.made, "products_of_rows", tuple(map(tuple, columns))),
        )  # fmt: skip

    def _computed(
        self, product: Product, found: Sequence[tuple[list[Line], list[Value], list[Value]]]
    ) -> MatrixProduct | None:
        """Return the product that an instruction computes; None if it computes none, or several, or without a Factor."""
        layout = next((v for lines, _, _ in found for v in values_in(lines) if v in self._layouts.values()), None)
        if len(found) != 1 or layout is None:
            return None
        [made] = [v for v in product.gradients if v is not None]
        return MatrixProduct(made, product.arriving, layout, self.weight.shape[1], made.shape[1], True)

    def _of_input(self, product: Product, number: int, made: Value) -> tuple[list[Line], list[Value], list[Value]]:
        """Return the lines that make the gradient of a part, the values that they load, and those that they store."""
        given, weight = product.arriving, line("{}", self.weight)
        if len(product.parts) > 1:
            weight = line(f"{{}}[{rows_of([part.shape[1] for part in product.parts])[number]}]", self.weight)
        wanted = [p for p in self.products if p.gradients[number] is not None]
        if len(wanted) < OFTEN:
            return [line("{} = times_transposed({}, {})", made, given, weight)], [given, self.weight], [made]
        name = f"t{self.total.place}" + f"_{number}" * (len(product.parts) > 1)
        layout = self._layouts.setdefault(name, Value(name, name))
        call = line("{} = {}({})", made, layout, given)
        if product is not wanted[0]:
            return [call], [given, layout], [made]
        laid_out = line(f"{{}} = Factor({{}}, {len(wanted)}, transposed=True)", layout, weight)
        return [laid_out, call], [given, self.weight], [layout, made]


def rows_of(widths: list[int]) -> list[str]:
    """Return the rows of a weight that belong to each of several matrices side by side, as slices.

    >>> rows_of([3, 4])
    ['0:3', '3:7']
    """
    ends = [sum(widths[: i + 1]) for i in range(len(widths))]
    return [f"{end - width}:{end}" for width, end in zip(widths, ends, strict=True)]


def summed_products(*matrices: Any) -> Any:
    """Return the sum of x.T @ d over the steps: [K, N] from x [rows, K] and d [rows, N].

    Several x side by side count as one x, whose K is the sum of theirs. For few rows a product is one of several
    concatenated steps, so that about ROWS_AT_ONCE rows are copied at a time; for many rows it is one of a step. The
    products are added.

    Arguments:
        matrices: one or more lists of the x of all steps, followed by the list of the d. A list may be an array with three
            dimensions, the steps first.
    """
    *parts, ds = matrices
    ends = np.cumsum([xs[0].shape[1] for xs in parts]).tolist()
    total = np.empty((ends[-1], ds[0].shape[1]), ds[0].dtype)
    at_once = _steps_at_once(len(ds), len(ds[0]), *total.shape)
    for start in range(0, len(ds), at_once):
        steps = slice(start, start + at_once)
        _add_products([xs[steps] for xs in parts], ds[steps], ends, total, start > 0)
    return total


def _steps_at_once(steps: int, rows: int, inner: int, columns: int) -> int:
    """Return how many steps are concatenated: the number for which least memory is moved, and little is held."""
    width = inner + columns
    if rows * width > 2 * inner * columns:
        return 1
    if (steps * rows - ROWS_AT_ONCE) * width <= inner * columns:  # a second total would take more than is saved
        return steps
    return max(1, ROWS_AT_ONCE // rows)


def _add_products(parts: Sequence[Any], ds: Any, ends: Sequence[int], total: np.ndarray, added: bool) -> None:
    """Write the product of concatenated steps to `total`, or add it; ends: the last row, plus one, of each part."""
    whole = _together(ds)
    for end, xs in zip(ends, parts, strict=True):
        x = _together(xs)
        place = total[end - x.shape[1] : end]
        if is_faster(len(place), *whole.shape) and readable(x, whole):
            into(x.T, whole, place, added)
        elif added:
            place += x.T.dot(whole)
        else:
            np.dot(x.T, whole, out=place)


def _together(matrices: Any) -> Any:
    """Return the rows of all matrices in one matrix."""
    if isinstance(matrices, np.ndarray):
        return matrices.reshape(-1, matrices.shape[2])
    return matrices[0] if len(matrices) == 1 else np.concatenate(matrices)


def products_of_rows(*matrices: Any) -> Any:
    """Return `summed_products` of tuples of arrays in the place of lists; each array holds the matrices of some steps."""
    return summed_products(*(each[0] if len(each) == 1 else [x for array in each for x in array] for each in matrices))
