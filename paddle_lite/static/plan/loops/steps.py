"""What the operators of a step become in a kernel for all steps: fused loops, products, other shapes, and parts of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import NamedTuple, Protocol

import numpy as np

from ....kernels.codegen.ragged_loops import FusedPart, Part, ProductPart, Size
from ....ops.framework import frame as frames
from ....ops.framework.frame import Dim, Layout
from ....ops.framework.traits import Matmul, Reshape
from ..fusion.fused import FusedCall
from ..fusion.groups import rule_of
from ..fusion.kernel import Kernel
from ..graph import FunctionGraph
from ..ir import Instruction, Value
from ..passes.products import differentiates, plainly, product_of
from .columns import columns_of
from .limits import Unfit
from .rows import Arrays, Kinds, shape_of

LARGEST = 1 << 20
"""The limit of elements of a weight: a larger one is read from memory in each step, whoever multiplies."""
MOST_MULTIPLIED = 1 << 23
"""The limit of the multiplications of a product with a known number of rows: threads share those of a larger one."""
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class Step(Protocol):
    """What an operator of a step becomes in a kernel."""

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""

    def note_rows(self, kinds: Kinds) -> None:
        """Note the kind of the rows of what it makes."""

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the parts of the kernel, and add the arrays of what it makes."""


class FusedStep(NamedTuple):
    """A fused kernel."""

    kernel: Kernel

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [*self.kernel.reads, *(same for _, same in self.kernel.copies)]

    def note_rows(self, kinds: Kinds) -> None:
        """Note the kind of the rows of what it makes."""
        kernel = self.kernel
        kind = kinds.common(kernel.reads, kernel.steps[-1].type)
        for value in kernel.gives:
            kinds.note(value, kind)
            if not kind and shape_of(value)[0]:
                raise Unfit(f"{kernel.steps[-1].type} has rows of its own")
        for value, same in kernel.copies:
            kinds.note(value, kinds.of(same))

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        kernel, loop = self.kernel, self.kernel.into_new_arrays()
        for value in (*kernel.reads, *kernel.gives):
            layout = kernel.operands[value][0] if value in kernel.operands else kernel.made[value].layout
            _check_layout(value, layout, kernel)
        for key in kernel.keys.values():
            arrays.add(key, steps=True)
        for value in kernel.gives:
            arrays.add(value, steps=value in arrays.kept)
        if loop is None:
            return []
        arrays.numbers.append(kernel.numbers)
        kind = arrays.kinds.common([*kernel.reads, *kernel.gives], kernel.steps[-1].type)
        sizes = tuple(_size(dims, kernel.frame.shape, kind) for dims in kernel.dims)
        reads, gives = (tuple(map(arrays.number, values)) for values in (kernel.reads, kernel.gives))
        return [FusedPart(loop, kernel.frame.dtype, sizes, reads, gives)]


class ProductStep(NamedTuple):
    """The product of rows with a weight, or with the weight transposed."""

    x: Value
    y: Value
    made: Value
    transposed: bool = False

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [self.x, self.y]

    def note_rows(self, kinds: Kinds) -> None:
        """Note the kind of the rows of what it makes."""
        kinds.note(self.made, kinds.of(self.x))

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        x, y, made = self.x, self.y, self.made
        of_rows = [shape_of(value)[0] for value in (x, y, made)] in ([True, False, True], [False] * 3)
        if not of_rows or [len(v.shape) for v in (x, y, made)] != [2, 2, 2]:
            raise Unfit(f"the product {made.name} is not one of rows with a weight")
        if made.dtype not in FLOATS or not x.dtype == y.dtype == made.dtype or prod(y.shape) > LARGEST:
            raise Unfit(f"the product {made.name} has a large weight, or another dtype than float32 and float64")
        arrays.add(made, steps=made in arrays.kept)
        weight = arrays.turned(y) if self.transposed else y
        rows, (inner, columns) = arrays.rows_of(made), weight.shape
        if not rows.rows and rows.factor * inner * columns > MOST_MULTIPLIED:
            raise Unfit(f"the product {made.name} is large")
        return [ProductPart(rows, inner, columns, *map(arrays.number, (x, weight, made)))]


class WeightPart(NamedTuple):
    """The gradient of a weight in a product of rows, which is computed after all steps."""

    x: Value
    d: Value
    made: Value

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [self.x, self.d]

    def note_rows(self, kinds: Kinds) -> None:
        """Note that the rows of both are of one kind."""
        kinds.common([self.x, self.d], f"the gradient {self.made.name}")

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return nothing: it is computed after the kernel."""
        return []


class AliasStep(NamedTuple):
    """Another shape of a row."""

    given: Value
    made: Value

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [self.given]

    def note_rows(self, kinds: Kinds) -> None:
        """Note the kind of the rows of what it makes."""
        kinds.note(self.made, kinds.of(self.given))

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return nothing: it is the same array."""
        return []


def _check_layout(value: Value, layout: Layout, kernel: Kernel) -> None:
    """Raise Unfit unless the rows of a value, and no other dimension, are those of the frame."""
    rows, _ = shape_of(value)
    unknown = [d for d, size in enumerate(kernel.frame.shape) if size < 0]
    expected = [Dim((0,))] if rows else []
    if unknown not in ([], [0]) or [dim for dim in layout.dims if {*dim.of} & {*unknown}] != expected:
        raise Unfit(f"the rows of {value.name} are not those of the step")
    if rows and layout.dims[0] != Dim((0,)):
        raise Unfit(f"the rows of {value.name} are not the first dimension")


def _size(dims: Sequence[int], frame: Sequence[int], kind: int) -> Size:
    """Return the size of some dimensions of a frame together; kind: of its rows."""
    sizes = [frame[d] for d in dims]
    return Size(prod(size for size in sizes if size >= 0), kind if any(size < 0 for size in sizes) else 0)


class Steps:
    """The parts that the operators of one part of a graph become."""

    def __init__(self, graph: FunctionGraph, part: int) -> None:
        self.graph, self.part = graph, part
        self.instructions = [each for each in graph.instructions if graph.part(each.place) == part]

    def parts(self) -> Iterator[Step]:
        """Yield the parts, in order."""
        for each in self.instructions:
            if each.unit is not None:
                yield from self._of_unit(each)
            else:
                yield from self._alone(each)

    def _of_unit(self, step: Instruction) -> Iterable[Step]:
        calls = [each for each in step.scope.values() if isinstance(each, FusedCall)]
        if calls and step.unit is not None and step.place == step.unit.home:
            yield self._fused(calls[0].kernel)
        elif step.lines and (step.unit is None or step.unit.kind != "fused" or step.place == step.unit.home):
            raise Unfit(f"{step.type} has no form in a kernel for all steps")

    def _alone(self, step: Instruction) -> Iterable[Step]:
        product = product_of(step)
        alike = self._alias(step)
        if product is not None:
            yield ProductStep(*product)
        elif alike is not None:
            yield alike
        elif step.plain and differentiates(step, Matmul) and plainly(step):
            x, y, d = step.one("X"), step.one("Y"), step.one("Out@GRAD")
            if x is None or y is None or d is None:
                raise Unfit(f"{step.type} has no form in a kernel for all steps")
            of_x, of_y = step.out("X@GRAD"), step.out("Y@GRAD")
            if of_x is not None:
                yield ProductStep(d, y, of_x, transposed=True)
            if of_y is not None:
                yield WeightPart(x, d, of_y)
        else:
            kernel = self._kernel(step)
            found = columns_of(step) if kernel is None else self._fused(kernel)
            if found is None:
                raise Unfit(f"{step.type} has no form in a kernel for all steps")
            yield found

    def _fused(self, kernel: Kernel) -> FusedStep:
        if kernel.keys and self.part:
            raise Unfit(f"the gradient of a step draws random numbers: {kernel.steps[-1].type}")
        return FusedStep(kernel)

    def _alias(self, step: Instruction) -> AliasStep | None:
        """Return what an operator becomes that gives the rows another shape; None for other operators."""
        view = step.op.definition.traits.view
        if not isinstance(view, Reshape) or not step.plain:
            return None
        given, made = step.one(view.given), step.out(view.made)
        if given is None or made is None or shape_of(given)[0] != shape_of(made)[0]:
            return None
        if not shape_of(given)[0]:
            return AliasStep(given, made) if prod(given.shape) == prod(made.shape) else None
        return AliasStep(given, made) if prod(given.shape[1:]) == prod(made.shape[1:]) else None

    def _kernel(self, step: Instruction) -> Kernel | None:
        """Return the kernel of one operator; None for one that has no rule of fusion."""
        rule = rule_of(step)
        frame = rule.frame(self.graph.call(step)) if rule is not None else None
        if rule is None or frame is None:
            return None
        try:
            return Kernel(frame, [(step, rule)], self.graph, {})
        except frames.Unfit as error:
            raise Unfit(f"{step.type}: {error}") from error
