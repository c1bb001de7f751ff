"""What the operators of a round become in a kernel where all sizes are known, besides what they become in any loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from .....kernels.codegen.expression import make, name, number
from .....kernels.codegen.fixed_loops import FoldPart
from .....kernels.codegen.ragged_loops import Part
from ...graph import FunctionGraph
from ...ir import Instruction, Value
from ..forms import aligned_to, form_of
from ..limits import Unfit
from ..rows import Arrays, Kinds
from ..steps import FLOATS, Step, Steps
from .along import along_step
from .elements import ElementsStep, Strides, Walked, X, shape, strides_of
from .lists import Lists
from .moves import moving_steps
from .table_rows import rows_step


class FoldStep(NamedTuple):
    """A number of all elements of a value."""

    how: str
    of: Value
    made: Value

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [self.of]

    def note_rows(self, kinds: Kinds) -> None:
        """Note nothing: a value is a whole."""

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        arrays.add(self.made, steps=self.made in arrays.kept)
        return [FoldPart(arrays.number(self.made), self.how, arrays.number(self.of))]  # type: ignore[list-item]


class FixedSteps(Steps):
    """The parts that the operators of one part of a graph become, where all sizes are known.

    Arguments:
        graph: the graph. part: the number of the part. lists: the arrays of tensors of the part.
    """

    def __init__(self, graph: FunctionGraph, part: int, lists: Lists) -> None:
        super().__init__(graph, part)
        self.lists = lists

    def _alone(self, step: Instruction) -> Iterable[Step]:
        of_lists = self.lists.steps(step)
        if of_lists is not None:
            return of_lists
        try:
            return [*super()._alone(step)]
        except Unfit:
            if not step.plain:
                raise
        chosen = _chosen(step)
        if chosen:
            return chosen
        several = moving_steps(step) or (_extreme(step) if not self.part else None)
        if several:
            return several
        found = rows_step(step) or along_step(step) or _folded(step) or _elements(step)
        if self.part and isinstance(found, ElementsStep) and found.refused is not None:
            raise Unfit(f"{step.type} may refuse a number in a gradient")
        return [found]


def _chosen(step: Instruction) -> list[ElementsStep]:
    """Return what an operator becomes that chooses one of two values, or the gradient of one; nothing for others."""
    definition = step.op.definition
    forward, mask = definition.forward, step.one("Mask")
    if not (forward or definition).traits.chooses or mask is None:
        return []
    arriving = step.one("Out@GRAD")
    given = [arriving] if arriving is not None else list(step.read["X"])
    made = list(step.made["X@GRAD"]) if arriving is not None else [step.out("Out")]
    if len(made if arriving is not None else given) != 2 or prod(shape(mask)) != 1:
        raise Unfit(f"{step.type} chooses one of several values")
    found = []
    for place, to in enumerate(made):
        if to is None:
            continue
        if any(v is None or v.dtype != to.dtype or shape(v) != shape(to) for v in given):
            raise Unfit(f"{step.type} chooses between values of other shapes or dtypes")
        taken, x = make("true", name("x0")), [name(f"x{1 + k}") for k in range(len(given))]
        no, yes = x if arriving is None else ((x[0], number(0.0)) if place == 0 else (number(0.0), x[0]))
        sizes, strides = shape(to), strides_of(shape(to))
        reads = (Walked(mask, (0,) * len(sizes)), *(Walked(v, strides) for v in given if v is not None))
        found.append(ElementsStep(sizes, make("if", taken, yes, no), reads, Walked(to, strides)))
    return found


def _elements(step: Instruction) -> ElementsStep | FoldStep:
    """Return what an operator becomes that computes element by element, or a number of all elements."""
    form = form_of(step, refusing=True)
    [made], given = step.makes(), step.reads()
    if form.how == "reduction":
        return FoldStep(step.op.definition.traits.folds.how, given[0], made)  # type: ignore[union-attr]
    if form.node is None:
        raise Unfit(f"{step.type} has no form in one kernel")
    sizes, axis = shape(made), step.attrs.get("axis", -1)
    walks = []
    for value in given:
        aligned = aligned_to(shape(value), sizes, axis)
        strides = strides_of(aligned)
        walks.append(Walked(value, tuple(0 if n == 1 else step for n, step in zip(aligned, strides, strict=True))))
    return ElementsStep(sizes, form.node, tuple(walks), Walked(made, strides_of(sizes)), refused=form.refused)


_OF_TWO = {how: make(op, X, name("x1")) for how, op in (("max", "max"), ("min", "min"), ("all", "and"), ("any", "or"))}


def _extreme(step: Instruction) -> list[ElementsStep] | None:
    """Return what an operator becomes that finds the largest or smallest numbers over some dimensions, or whether all or any are true.

    The result begins as the first elements in these dimensions.
    """
    folds, wide, narrow = step.op.definition.traits.folds, step.one("X"), step.out("Out")
    if folds is None or wide is None or narrow is None or not step.plain or wide.dtype != narrow.dtype:
        return None
    full = shape(wide)
    if folds.how not in _OF_TWO or folds.whole(step.attrs, len(full)) or wide.dtype == np.float16:
        return None
    kept, strides = _over(full, step.attrs["dim"])
    of, to = Walked(wide, strides_of(full)), Walked(narrow, strides)
    return [ElementsStep(kept, X, (of,), to), ElementsStep(full, _OF_TWO[folds.how], (of, to), to)]


def _over(full: Sequence[int], dims: Sequence[int]) -> tuple[tuple[int, ...], Strides]:
    """Return a shape with 1 for some dimensions, and the strides in an array of this shape, 0 for these."""
    gone = {d % len(full) for d in dims}
    kept = tuple(1 if d in gone else n for d, n in enumerate(full))
    return kept, tuple(0 if d in gone else step for d, step in enumerate(strides_of(kept)))


def _folded(step: Instruction) -> ElementsStep | None:
    """Return what a sum or mean over some dimensions becomes, or the gradient of one over some or all."""
    definition = step.op.definition
    forward = definition.forward
    folds = (forward or definition).traits.folds
    if folds is None or folds.how not in ("sum", "mean"):
        return None
    wide, narrow = (step.one("X"), step.out("Out")) if forward is None else (step.out("X@GRAD"), step.one("Out@GRAD"))
    if wide is None or narrow is None or wide.dtype not in FLOATS or narrow.dtype != wide.dtype:
        return None
    full = shape(wide)
    every = folds.whole(step.attrs, len(full))
    if every and forward is None:
        return None
    kept, strides = _over(full, range(len(full)) if every else step.attrs["dim"])
    if prod(kept) != prod(shape(narrow)):
        return None
    count = prod(full) // prod(kept)
    node = X if folds.how == "sum" else make("/", X, number(float(count)))
    ends = Walked(wide, strides_of(full)), Walked(narrow, strides)
    if forward is None:
        return ElementsStep(full, node, (ends[0],), ends[1], fresh=True, adds=True)
    return ElementsStep(full, node, (ends[1],), ends[0])
