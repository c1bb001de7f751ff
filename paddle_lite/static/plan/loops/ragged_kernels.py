"""The kernels of a loop over the steps of sequences of different lengths: one forward, one for the gradient.

The operators of a step are built a second time, on rows without LoDs, so that they fuse. Each value of a step is an array of
the kernel. One that the gradient, another step or another operator reads has rows for all steps; the others are overwritten in
each step. The gradient of a weight in products is one product of the rows of all steps, after the kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....core.dtype import VarType
from ....core.errors import GraphError
from ....kernels.codegen.ragged_loops import (
    Added,
    Array,
    Backed,
    Copied,
    FusedPart,
    Handed,
    Part,
    ProductPart,
    RaggedLoop,
    Size,
)
from ....ops.framework import frame as frames
from ....ops.framework.frame import Dim, Layout
from ....ops.framework.traits import Matmul
from ...operators.structural import EMPTY
from ...program.block import Block
from ...program.operator import Operator
from ...program.variable import Variable
from ..fusion.fused import FusedCall
from ..fusion.groups import fuse, rule_of
from ..fusion.kernel import Kernel
from ..graph import FunctionGraph
from ..ir import Instruction, Value
from ..ir import Part as GraphPart
from ..passes.copies import drop_copies
from ..passes.products import differentiates, plainly, product_of
from ..passes.unread import drop_unread
from ..ssa import Builder, Options
from .rounds import Unfit

if TYPE_CHECKING:
    from .ragged_form import RaggedForm

LARGEST = 1 << 20
"""The limit of elements of a weight: a larger one is read from memory in each step, whoever multiplies."""
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class Place(NamedTuple):
    """An array of a kernel.

    shape: of a row; of the whole where it has no rows. dtype: its dtype. rows, steps, zeros: as of an Array.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    rows: bool = False
    steps: bool = False
    zeros: bool = False

    def made(self, bounds: Sequence[int]) -> np.ndarray:
        """Return a new array for steps with these bounds."""
        rows = bounds[-1] if self.steps else bounds[1]
        first = [rows] if self.rows else [len(bounds) - 1] * self.steps
        return np.empty([*first, *self.shape], self.dtype)


class WeightProduct(NamedTuple):
    """A term x.T @ d of the gradient of a weight, of the rows of all steps."""

    x: Value
    d: Value


class Compiled(NamedTuple):
    """A kernel: its source, its arrays, the numbers of its fused loops, and the arrays that are others transposed."""

    loop: RaggedLoop
    places: dict[Value, Place]
    numbers: list[np.ndarray]
    transposed: dict[Value, Value]


class RaggedKernels:
    """The kernels of a loop.

    Arguments:
        form: its form.

    Attributes:
        states, firsts, news: array of a state -> the value of its rows in a step, of those before the first step, and of those for
            the next one.
        sequences, cut, others: name of rows of sequences, of the first rows of what all steps read, and of what they read as a whole
            -> its value.
        outputs: array -> the value of its rows.
        saved: the values that the gradient reads.
        forward, backward: the kernels; `backward` is None without a gradient.
        arriving: array -> the value of the gradient of its rows.
        of_sequences, of_states: array -> the value of its gradient, of states of that of the rows before the first step; None for
            zeros.
        of_others: name -> the terms of its gradient. of_cut: those that belong to first rows -> the name of the whole.

    Raises:
        Unfit: a step cannot run in a kernel.
    """

    def __init__(self, form: RaggedForm) -> None:
        self.form = form
        self._compiled: dict[bool, Any] = {}
        graph, inputs = self._graph()
        self.states = {array: inputs[rows] for array, rows in form.reads.items()}
        self.sequences = {rows: inputs[rows] for rows in form.sequences}
        self.cut = {rows: inputs[rows] for rows in form.firsts}
        self.others = {name: inputs[name] for name in form.outer}
        parts = list(_Steps(graph, 0).parts())
        behind = list(_Steps(graph, 1).parts()) if form.loop.gradients else []
        self.same = {v: same for p in (*parts, *behind) if isinstance(p, _FusedStep) for v, same in p.kernel.copies}
        ends = {name: self._original(value) for name, value in zip(self.results, graph.ends[0], strict=True)}
        self.firsts = {array: _like(value, f"{array} before") for array, value in self.states.items()}
        self.saved = {self._known(v) for part in behind for v in _reads(part)}
        self.outputs = {array: _with_rows(ends[rows]) for array, rows in form.outputs.items()}
        self.news = {array: _with_rows(ends[rows]) for array, rows in form.news.items()}
        self.forward = self._forward(parts)
        self.saved &= self.forward.places.keys()
        self.backward: Compiled | None = None
        if form.loop.gradients:
            found = {n: self._original(v) for n, v in zip(self.back_results, graph.ends[1], strict=True)}
            self.backward = self._backward(behind, found)

    @property
    def characters(self) -> int:
        """The approximate length of the sources."""
        kernels = [self.forward] if self.backward is None else [self.forward, self.backward]
        return sum(each.loop.characters for each in kernels)

    def run(self, kernel: Compiled) -> Any:
        """Return the machine code of one of the kernels; the first call compiles it."""
        back = kernel.loop.back
        if back not in self._compiled:
            self._compiled[back] = kernel.loop.compiled()
        return self._compiled[back]

    # --- the operators ------------------------------------------------------------------------------------------------

    def _graph(self) -> tuple[FunctionGraph, dict[str, Value]]:
        """Return the graph of the operators on rows, a part for the step and one for its gradient, with its inputs by name."""
        form = self.form
        ops = [*form.ops, *form.back_ops]
        self.results = list(dict.fromkeys([*form.outputs.values(), *form.news.values()]))
        terms = [form.of_firsts.get(term, term) for each in form.of_others.values() for term in each]
        self.back_results = list(dict.fromkeys([*form.of_sequences.values(), *form.of_states.values(), *terms]))
        inputs = list(dict.fromkeys([*form.sequences, *form.reads.values(), *form.firsts, *form.outer, *form.arriving]))
        parts = [GraphPart(len(form.ops), list(form.arriving), self.back_results)] if form.loop.gradients else []
        writes = Counter(name for op in ops for name in op.output_arg_names)
        builder = Builder(_Flat(form.block, ops, inputs), ops, inputs, (), parts, Options("cpu", writes=writes))
        try:
            graph = builder.build(self.results)
        except GraphError as error:
            raise Unfit(str(error)) from error
        self.arriving = {array: builder.now[name] for name, array in form.arriving.items()}
        for each in (drop_copies, drop_unread, fuse):
            graph = graph.replaced(each(graph))
        return graph, builder.first

    def _known(self, value: Value) -> Value:
        """Return the value that a value is an alias of, or the value itself."""
        while value in self.same:
            value = self.same[value]
        return value

    def _original(self, value: Value | None) -> Value | None:
        return None if value is None else self._known(value)

    # --- the kernels --------------------------------------------------------------------------------------------------

    def _forward(self, parts: list[_Symbolic]) -> Compiled:
        """Return the kernel of the steps."""
        arrays = _Arrays({*self.saved, *self.outputs.values(), *self.news.values()}, self.same)
        for value in (*self.sequences.values(), *self.states.values()):
            arrays.add(_with_rows(value), steps=True)
        for value in self.others.values():
            arrays.add(value, whole=True)
        for value in (*self.firsts.values(), *self.cut.values()):
            arrays.add(_with_rows(value))
        made = arrays.parts(parts)
        handed = [
            Handed(*map(arrays.number, (self.firsts[array], self.news[array], value)))
            for array, value in self.states.items()
        ]
        return arrays.compiled(made, handed, back=False)

    def _backward(self, parts: list[_Symbolic], found: dict[str, Value | None]) -> Compiled:
        """Return the kernel of the gradient."""
        form = self.form
        self._products = {
            p.made: WeightProduct(*map(self._known, (p.x, p.d))) for p in parts if isinstance(p, _WeightPart)
        }
        parts = [part for part in parts if not isinstance(part, _WeightPart)]
        self.of_sequences: dict[str, Value | None] = {array: found[name] for array, name in form.of_sequences.items()}
        rows = {v for product in self._products.values() for v in product}
        arrays = _Arrays({*rows, *(v for v in self.of_sequences.values() if v is not None)}, self.same)
        for array, value in self.arriving.items():
            arrays.add(_with_rows(value), steps=array in self.outputs, zeros=array in self.news)
        for value in dict.fromkeys(self._known(v) for part in parts for v in _reads(part)):
            if value in self.forward.places:
                arrays.take(value, self.forward.places[value]._replace(zeros=False))
        made = arrays.parts(parts)
        backed = self._backed(arrays, {array: found[name] for array, name in form.of_states.items()})
        for array, gradient in self.of_sequences.items():
            if gradient is not None:
                self.of_sequences[array] = self._of_all_steps(gradient, arrays, made)
        self.of_cut: dict[Value, str] = {}
        self.of_others: dict[str, list[Value | WeightProduct]] = {}
        for name, terms in form.of_others.items():
            self.of_others[name] = [each for term in terms for each in self._terms(name, term, found, arrays, made)]
        return arrays.compiled(made, backed, back=True)

    def _backed(self, arrays: _Arrays, gradients: dict[str, Value | None]) -> list[Backed]:
        """Return how the gradients of states are handed on, and add what this takes."""
        self.of_states: dict[str, Value | None] = dict.fromkeys(self.news)
        backed = []
        for array, gradient in gradients.items():
            if gradient is None:
                continue
            to = self.arriving.get(array)
            if to is None:
                to = _like(gradient, f"{array} unread")
                arrays.add(to, zeros=True)
            first = _like(gradient, f"{array} gradient")
            self.of_states[array] = first
            arrays.add(first, zeros=True)
            backed.append(Backed(arrays.number(gradient), arrays.number(to), arrays.number(first)))
        return backed

    def _terms(
        self, name: str, term: str, found: Mapping[str, Value | None], arrays: _Arrays, made: list[Part]
    ) -> Iterator[Value | WeightProduct]:
        """Yield the term of the gradient of what all steps read, if it is not zero, and add the part that adds it up."""
        gradient = found[self.form.of_firsts.get(term, term)]
        if gradient in self._products:
            product = self._products[gradient]
            yield WeightProduct(*(self._of_all_steps(value, arrays, made) for value in product))
        elif gradient is not None:
            total = _like(gradient, f"{gradient.name} total")
            arrays.add(total, whole=term not in self.form.of_firsts, zeros=True)
            made.append(Added(arrays.number(gradient), arrays.number(total)))
            if term in self.form.of_firsts:
                self.of_cut[total] = name
            yield total

    def _of_all_steps(self, value: Value, arrays: _Arrays, made: list[Part]) -> Value:
        """Return the value of the rows of all steps of a value; where it is overwritten in each step, it is copied."""
        place = arrays.places.get(value) or self.forward.places.get(value)
        if place is None or not place.rows:
            raise Unfit(f"the gradient of a weight is a product with {value.name}")
        if place.steps:
            return value
        arrays.take(value, place)
        copy = _like(value, f"{value.name} of all steps")
        arrays.add(copy, steps=True)
        made.append(Copied(arrays.number(value), arrays.number(copy)))
        return copy


# --- arrays -----------------------------------------------------------------------------------------------------------


def _like(value: Value, name: str) -> Value:
    """Return a value of the same shape and dtype."""
    return Value(name, name, -1, value.shape, value.dtype, sure=True)


def _with_rows(value: Value | None) -> Value:
    """Return a value that has a row for each sequence; raise Unfit for others."""
    if value is None or not _shape(value)[0]:
        raise Unfit("a state or an output has no row for each sequence")
    return value


def _shape(value: Value) -> tuple[bool, tuple[int, ...]]:
    """Return whether a value has a row for each sequence, and the shape of a row, or of the value.

    Raises:
        Unfit: its other sizes are unknown.
    """
    has = bool(value.shape) and value.shape[0] == -1
    shape = value.shape[1:] if has else value.shape
    if min(shape, default=1) < 1 or value.dtype is None:
        raise Unfit(f"{value.name} has unknown sizes")
    return has, shape


class _Arrays:
    """The arrays of a kernel.

    Arguments:
        kept: the values of which each step has its own. same: value -> the value that it is an alias of.
    """

    def __init__(self, kept: set[Value], same: Mapping[Value, Value]) -> None:
        self.kept, self.same = kept, same
        self.places: dict[Value, Place] = {}
        self.numbers: list[np.ndarray] = []
        self.transposed: dict[Value, Value] = {}

    def add(self, value: Value, *, steps: bool = False, whole: bool = False, zeros: bool = False) -> None:
        """Add an array; steps: whether each step has its own; whole: whether it has no rows."""
        rows, shape = _shape(value)
        if rows and whole:
            raise Unfit(f"{value.name} has rows in all steps")
        assert value.dtype is not None
        self.take(value, Place(shape, value.dtype, rows, steps, zeros))

    def take(self, value: Value, place: Place) -> None:
        """Add an array in this place."""
        self.places.setdefault(value, place)

    def number(self, value: Value) -> int:
        """Return the number of an array in the kernel."""
        while value in self.same:
            value = self.same[value]
        if value not in self.places:
            raise Unfit(f"{value.name} is not computed in the step")
        return list(self.places).index(value)

    def turned(self, value: Value) -> Value:
        """Return the value of a matrix transposed, and add it."""
        for turned, of in self.transposed.items():
            if of is value:
                return turned
        turned = Value(f"{value.name} transposed", value.register, -1, value.shape[::-1], value.dtype, sure=True)
        self.transposed[turned] = value
        self.add(turned, whole=True)
        return turned

    def parts(self, parts: Iterable[_Symbolic]) -> list[Part]:
        """Return the parts of the kernel, and add what they make."""
        return [made for part in parts for made in part.made_with(self)]

    def compiled(self, parts: list[Part], states: Sequence[Handed | Backed], back: bool) -> Compiled:
        """Return the kernel."""
        dtypes = list(dict.fromkeys(place.dtype for place in self.places.values()))
        arrays = [
            Array(prod(each.shape), dtypes.index(each.dtype), each.rows, each.steps, each.zeros)
            for each in self.places.values()
        ]
        return Compiled(RaggedLoop(parts, arrays, states, dtypes, back), self.places, self.numbers, self.transposed)


# --- parts ------------------------------------------------------------------------------------------------------------


class _FusedStep(NamedTuple):
    kernel: Kernel

    def made_with(self, arrays: _Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        kernel, loop = self.kernel, self.kernel.into_new_arrays()
        for value in (*kernel.reads, *kernel.gives):
            layout = kernel.operands[value][0] if value in kernel.operands else kernel.made[value].layout
            _check_layout(value, layout, kernel)
        for value in kernel.gives:
            arrays.add(value, steps=value in arrays.kept)
        if loop is None:
            return []
        arrays.numbers.append(kernel.numbers)
        sizes = tuple(_size(dims, kernel.frame.shape) for dims in kernel.dims)
        reads, gives = (tuple(map(arrays.number, values)) for values in (kernel.reads, kernel.gives))
        return [FusedPart(loop, kernel.frame.dtype, sizes, reads, gives)]


class _ProductStep(NamedTuple):
    x: Value
    y: Value
    made: Value
    transposed: bool = False

    def made_with(self, arrays: _Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        x, y, made = self.x, self.y, self.made
        rows = [_shape(value) for value in (x, y, made)]
        if [has for has, _ in rows] != [True, False, True] or [len(v.shape) for v in (x, y, made)] != [2, 2, 2]:
            raise Unfit(f"the product {made.name} is not one of rows with a weight")
        if made.dtype not in FLOATS or not x.dtype == y.dtype == made.dtype or prod(y.shape) > LARGEST:
            raise Unfit(f"the product {made.name} has a large weight, or another dtype than float32 and float64")
        arrays.add(made, steps=made in arrays.kept)
        weight = arrays.turned(y) if self.transposed else y
        inner, columns = weight.shape
        return [ProductPart(inner, columns, arrays.number(x), arrays.number(weight), arrays.number(made))]


class _WeightPart(NamedTuple):
    x: Value
    d: Value
    made: Value

    def made_with(self, arrays: _Arrays) -> list[Part]:
        """Return nothing: it is computed after the kernel."""
        return []


_Symbolic = _FusedStep | _ProductStep | _WeightPart


def _reads(part: _Symbolic) -> Sequence[Value]:
    """Return the values that a part reads."""
    if isinstance(part, _FusedStep):
        return [*part.kernel.reads, *(same for _, same in part.kernel.copies)]
    return [part.x, part.y] if isinstance(part, _ProductStep) else [part.x, part.d]


def _check_layout(value: Value, layout: Layout, kernel: Kernel) -> None:
    """Raise Unfit unless the rows of a value, and no other dimension, are those of the frame."""
    rows, _ = _shape(value)
    unknown = [d for d, size in enumerate(kernel.frame.shape) if size < 0]
    expected = [Dim((0,))] if rows else []
    if unknown not in ([], [0]) or [dim for dim in layout.dims if {*dim.of} & {*unknown}] != expected:
        raise Unfit(f"the rows of {value.name} are not those of the step")
    if rows and layout.dims[0] != Dim((0,)):
        raise Unfit(f"the rows of {value.name} are not the first dimension")


def _size(dims: Sequence[int], frame: Sequence[int]) -> Size:
    """Return the size of some dimensions of a frame together."""
    sizes = [frame[d] for d in dims]
    return Size(prod(size for size in sizes if size >= 0), rows=any(size < 0 for size in sizes))


class _Steps:
    """The parts that the operators of one part of a graph become."""

    def __init__(self, graph: FunctionGraph, part: int) -> None:
        self.graph = graph
        self.instructions = [each for each in graph.instructions if graph.part(each.place) == part]

    def parts(self) -> Iterable[_Symbolic]:
        """Yield the parts, in order."""
        for each in self.instructions:
            if each.unit is not None:
                yield from self._of_unit(each)
            else:
                yield from self._alone(each)

    def _of_unit(self, step: Instruction) -> Iterable[_Symbolic]:
        calls = [each for each in step.scope.values() if isinstance(each, FusedCall)]
        if calls and step.unit is not None and step.place == step.unit.home:
            kernel = calls[0].kernel
            if kernel.keys:
                raise Unfit(f"{step.type} draws random numbers")
            yield _FusedStep(kernel)
        elif step.lines and (step.unit is None or step.unit.kind != "fused" or step.place == step.unit.home):
            raise Unfit(f"{step.type} has no form in a kernel for all steps")

    def _alone(self, step: Instruction) -> Iterable[_Symbolic]:
        product = product_of(step)
        if product is not None:
            yield _ProductStep(*product)
        elif step.plain and differentiates(step, Matmul) and plainly(step):
            x, y, d = step.one("X"), step.one("Y"), step.one("Out@GRAD")
            if x is None or y is None or d is None:
                raise Unfit(f"{step.type} has no form in a kernel for all steps")
            of_x, of_y = step.out("X@GRAD"), step.out("Y@GRAD")
            if of_x is not None:
                yield _ProductStep(d, y, of_x, transposed=True)
            if of_y is not None:
                yield _WeightPart(x, d, of_y)
        else:
            yield _FusedStep(self._kernel(step))

    def _kernel(self, step: Instruction) -> Kernel:
        """Return the kernel of one operator."""
        rule = rule_of(step)
        frame = rule.frame(self.graph.call(step)) if rule is not None and step.plain else None
        if rule is None or frame is None:
            raise Unfit(f"{step.type} has no form in a kernel for all steps")
        try:
            return Kernel(frame, [(step, rule)], self.graph, {})
        except frames.Unfit as error:
            raise Unfit(f"{step.type}: {error}") from error


class _Flat(Block):
    """A block of its own with the operators of a step, whose Variables have no LoD."""

    def __init__(self, block: Block, ops: Sequence[Operator], inputs: Iterable[str]) -> None:
        super().__init__(block.program, 0, -1)
        names = dict.fromkeys([*inputs, *(n for op in ops for n in (*op.input_arg_names, *op.output_arg_names))])
        blocks = [block, *dict.fromkeys(op.block for op in ops)]
        for name in names:
            known = next((v for each in blocks if (v := each.find(name)) is not None), None)
            if name != EMPTY and known is not None:
                variable = self.vars[name] = Variable(self, name=name)
                variable.type = VarType.LOD_TENSOR
                variable.set_meta(known.meta._replace(lod_level=0))
