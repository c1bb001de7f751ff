"""What operators on the rows of sequences become in a kernel for all steps, besides what operators become in any loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from .....kernels.codegen.ragged_loops import Part, SequencesPart
from ...ir import Instruction, Value
from ..limits import Unfit
from ..rows import Arrays, Kinds, shape_of
from ..steps import FLOATS, Step, Steps


class SequencesStep(NamedTuple):
    """What is computed of the rows of each sequence, as `OfSequences` says."""

    how: str
    share: str
    of: Value
    given: tuple[Value, ...]
    made: Value

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return self.given

    def note_rows(self, kinds: Kinds) -> None:
        """Note the kind of the rows of what it makes."""
        inner = kinds.common([self.of, *(self.given if self.how != "repeat" else ())], f"the result {self.made.name}")
        if inner < 2 or (self.how == "repeat" and kinds.of(self.given[0]) != 1):
            raise Unfit(f"{self.made.name} is computed of sequences that the steps do not have")
        kinds.note(self.made, 1 if self.how == "total" else inner)

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        if any(v.dtype not in FLOATS or v.dtype != self.made.dtype for v in (*self.given, self.made)):
            raise Unfit(f"{self.made.name} has another dtype than float32 and float64")
        arrays.add(self.made, steps=self.made in arrays.kept)
        width = prod(shape_of(self.made)[1])
        given = tuple(map(arrays.number, self.given))
        return [SequencesPart(self.how, self.share, width, arrays.kinds.of(self.of), given, arrays.number(self.made))]


class RaggedSteps(Steps):
    """The parts that the operators of one part of a graph become, of steps of sequences."""

    def _alone(self, step: Instruction) -> Iterable[Step]:
        found = _of_sequences(step)
        return super()._alone(step) if found is None else [found]


def _of_sequences(step: Instruction) -> SequencesStep | None:
    """Return what an operator becomes that computes of the rows of sequences; None for other operators."""
    form = step.op.definition.traits.of_sequences
    share = None if form is None else form.share(step.attrs)
    if form is None or share is None or not step.plain:
        return None
    of, made = step.one(form.of), step.out(form.made)
    given = [step.one(slot) for slot in form.given.split()]
    if of is None or made is None:
        return None
    return SequencesStep(form.how, share, of, tuple(v for v in given if v is not None), made)
