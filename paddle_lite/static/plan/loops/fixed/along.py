"""What a round computes along an axis of a value: the place of the largest number, the largest numbers, sums up to each."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from .....kernels.codegen.fixed_loops import AlongPart
from .....kernels.codegen.ragged_loops import Part
from ...ir import Instruction, Value
from ..limits import Unfit
from ..rows import Arrays, Kinds, shape_of


class AlongStep(NamedTuple):
    """What is computed along an axis, as `Along` says."""

    how: str
    axis: int
    of: Value
    made: tuple[Value | None, ...]
    numbers: tuple[int, ...]

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [self.of]

    def note_rows(self, kinds: Kinds) -> None:
        """Note nothing: a value is a whole."""

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        shape = shape_of(self.of)[1]
        axis, to = self.axis % max(len(shape), 1), []
        if not shape or self.of.dtype is None or self.of.dtype.kind not in "fiu":
            raise Unfit(f"{self.how} of {self.of.name} has no form in one kernel")
        for value in self.made:
            assert value is not None
            arrays.add(value, steps=value in arrays.kept)
            to.append(arrays.number(value))
        sizes = (prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :]))
        return [AlongPart(self.how, arrays.number(self.of), tuple(to), sizes, self.numbers)]  # type: ignore[list-item]


def along_step(step: Instruction) -> AlongStep | None:
    """Return what an operator becomes that computes along an axis; None for others."""
    along = step.op.definition.traits.along
    if along is None or not step.plain or len(step.reads()) != 1 or not along.when(step.attrs):
        return None
    made = tuple(step.out(slot) for slot in along.made.split())
    if None in made:
        return None
    return AlongStep(along.how, along.axis(step.attrs), step.reads()[0], made, tuple(along.numbers(step.attrs)))
