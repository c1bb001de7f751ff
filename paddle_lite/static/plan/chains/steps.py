"""The parts that rounds consist of: calls of fused kernels, and products of small matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from ....kernels import threads
from ....kernels.codegen.loops import FusedLoop
from ....ops.framework.frame import Unfit
from ..fusion.fused import FusedCall
from ..fusion.groups import rule_of
from ..fusion.kernel import Kernel
from ..graph import FunctionGraph
from ..ir import Instruction, MatrixProduct, Value
from .rounds import LEAST

LARGEST_PRODUCT = 1 << 18
"""The limit of multiply-adds of a product: a larger one takes much longer than its call."""
LARGEST_FRAME = 1 << 16
"""The limit of elements of a fused kernel's frame, times their cost."""
NewResults = dict[tuple[FusedLoop, tuple[tuple[int, int], ...]], "FusedLoop | None"]
"""Loops, and the results that they write over operands -> the loops that write all results into new arrays."""
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


@dataclass(frozen=True, eq=False)
class Step:
    """A part of a round that occurs in a Plan.

    home: the instruction whose line calls it. places: the places of all its instructions.
    signature: equal for parts that the same code can compute.
    reads: the values that it reads. gives: the values that it writes. shapes: their shapes, reads first.
    aliases: value -> the equal value in `reads` or `gives`. shaped: value -> one of the same shape and dtype.
    kernel: the fused kernel, or None for a product. product: the product, or None.
    """

    home: Instruction
    places: tuple[int, ...]
    signature: Hashable
    reads: tuple[Value, ...]
    gives: tuple[Value, ...]
    shapes: tuple[tuple[int, ...], ...]
    aliases: dict[Value, Value]
    shaped: dict[Value, Value]
    kernel: Kernel | None = None
    product: MatrixProduct | None = None


def steps_of(graph: FunctionGraph) -> Iterator[Step]:
    """Yield what can be a part of a round, in order: units, and operators that occur several times by themselves."""
    alone = Counter(each.type for each in graph.instructions if each.free)
    new_results: NewResults = {}
    for instruction in graph.instructions:
        if not instruction.free:
            step = _of_unit(instruction, new_results)
        else:
            step = _alone(graph, instruction, new_results) if alone[instruction.type] >= LEAST else None
        if step is not None:
            yield step


def _of_unit(instruction: Instruction, new_results: NewResults) -> Step | None:
    """Return the part that the line of a unit calls; None if it calls something else."""
    if instruction.unit is None or not instruction.lines:
        return None
    if instruction.product is not None:
        return _product(instruction, instruction.product)
    if instruction.unit.kind != "fused" or instruction.place != instruction.unit.home:
        return None
    kernel = next((each.kernel for each in instruction.scope.values() if isinstance(each, FusedCall)), None)
    return None if kernel is None else _fused(instruction, kernel, new_results)


def _alone(graph: FunctionGraph, instruction: Instruction, new_results: NewResults) -> Step | None:
    """Return the part that computes an operator, which no other operator is fused with; None if it cannot be fused."""
    rule = rule_of(instruction)
    frame = rule.frame(graph.call(instruction)) if rule is not None else None
    if rule is None or frame is None or any(value.ragged for value in (*instruction.reads(), *instruction.makes())):
        return None
    try:
        kernel = Kernel(frame, [(instruction, rule)], graph, {})
    except Unfit:
        return None
    return _fused(instruction, kernel, new_results)


def _product(instruction: Instruction, product: MatrixProduct) -> Step | None:
    made, x, y, inner, columns, _, start, _ = product
    rows = x.shape[0] if len(x.shape) == 2 else -1
    known = x.sure and made.sure and x.shape == (rows, inner) and made.shape == (rows, columns)
    if not known or min(rows, inner, columns) < 1 or made.dtype not in FLOATS or x.dtype != made.dtype:
        return None
    if rows * inner * columns > LARGEST_PRODUCT or x.ragged or made.ragged:
        return None
    reads = (x, y) if start is None else (x, y, start)
    shapes = (x.shape, (inner, columns), made.shape)[: len(reads)]
    signature = ("product", rows, inner, columns, made.dtype, product.factor and y, start)
    places = (instruction.place,)
    return Step(instruction, places, signature, reads, (made,), (*shapes, made.shape), {}, {}, product=product)


def _fused(instruction: Instruction, kernel: Kernel, new_results: NewResults) -> Step | None:
    loop, frame = kernel.loop, kernel.frame.shape
    if loop is None or min(frame, default=-1) < 1 or kernel.keys:
        return None
    if loop.weight * prod(frame) > min(LARGEST_FRAME, threads.SMALLEST_PART):
        return None
    values = [*kernel.reads, *kernel.gives, *(value for value, _ in kernel.copies)]
    lods = any(value.lod is not None for value in values) or any(step.lods() for step in kernel.steps)
    if lods or not all(value.sure for value in values):
        return None
    shapes = tuple(value.shape for value in (*kernel.reads, *kernel.gives))
    if any(size < 0 for shape in shapes for size in shape):
        return None
    key = loop, tuple(kernel.into.items())
    if key not in new_results:
        new_results[key] = kernel.into_new_arrays()
    signature = ("fused", new_results[key], frame, kernel.frame.dtype, kernel.numbers.tobytes(), shapes)
    places = tuple(step.place for step in kernel.steps)
    shaped = {value: kernel.like(value) for value in kernel.shaped}
    return Step(
        instruction, places, signature, tuple(kernel.reads), tuple(kernel.gives), shapes,
        dict(kernel.copies), shaped, kernel=kernel,
    )  # fmt: skip
