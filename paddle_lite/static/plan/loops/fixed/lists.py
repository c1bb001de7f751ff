"""What a round does with arrays of tensors: reading and writing elements of lists, and their gradients.

A list is changed in place. This is right where each operator takes the newest version of its array, which is checked here. The gradient
of a list is a list, too: that of a written element is taken and becomes zero, that of an element which is read is added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Literal, NamedTuple

from .....kernels.codegen.fixed_loops import ListPart
from .....kernels.codegen.ragged_loops import Copied, Part
from .....ops.framework.traits import Sum
from ....program.operator import Operator
from ...ir import Instruction, Value
from ...needed import all_reads
from ...passes.changes import algebra_of
from ..limits import Unfit
from ..rows import Arrays, Kinds


def concerns_lists(op: Operator) -> bool:
    """Return whether an operator does with arrays of tensors what rounds can do with lists."""
    return bool(_kind(op)) or _is_gradient_of_reading(op) or isinstance(algebra_of(op), Sum)


def _kind(op: Operator) -> str:
    """Return what an operator does with an array of tensors: "read", "write", "rest" or "length"; "" for other operators."""
    kind = "" if op.declared is None else op.declared.traits.in_steps
    return kind if kind in ("read", "write", "rest", "length") else ""


def counts_elements(op: Operator) -> bool:
    """Return whether an operator takes the number of elements of an array of tensors only."""
    return _kind(op) == "length"


def _is_gradient_of_reading(op: Operator) -> bool:
    forward = None if op.declared is None else op.declared.forward
    return forward is not None and forward.traits.in_steps == "read"


class OfElements(NamedTuple):
    """What is known of the elements of a list: the values of a flag for each, and of their number."""

    written: Value
    length: Value


class ListStep(NamedTuple):
    """What a round does with an element of a list, as `ListPart` says."""

    how: Literal["read", "write", "add", "clear"]
    of: Value
    place: Value
    other: Value | None = None
    known: OfElements | None = None

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads, beside the list."""
        return [self.place, *([self.other] if self.other is not None and self.how != "read" else [])]

    def note_rows(self, kinds: Kinds) -> None:
        """Note nothing: a value is a whole."""

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        place, other, of = self.place, self.other, self.of
        if place.dtype is None or place.dtype.kind not in "iu" or prod(place.shape) != 1:
            raise Unfit(f"the place {place.name} in {of.name} is not one integer")
        if other is not None and (other.shape != of.shape or other.dtype != of.dtype):
            raise Unfit(f"{other.name} has another shape or dtype than the elements of {of.name}")
        if other is not None and self.how == "read":
            arrays.add(other, steps=other in arrays.kept)
        known = () if self.known is None else map(arrays.number, self.known)
        numbers = arrays.number(of), arrays.number(place), None if other is None else arrays.number(other)
        return [ListPart(self.how, *numbers, *known)]  # type: ignore[list-item]


class LengthStep(NamedTuple):
    """The number of elements of a list."""

    length: Value
    made: Value

    def reads(self) -> Sequence[Value]:
        """Return nothing: the length belongs to the list."""
        return []

    def note_rows(self, kinds: Kinds) -> None:
        """Note nothing: a value is a whole."""

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        arrays.add(self.made, steps=self.made in arrays.kept)
        return [Copied(arrays.number(self.length), arrays.number(self.made))]


class Lists:
    """The lists of the rounds, or of their gradients, operator by operator.

    Arguments:
        lists: name of an array of tensors -> the value of its list, or of the gradient of its list.
        now: the same -> its version before the first operator; None for a gradient of which none arrives.
        known: the same -> what is known of its elements; empty for gradients, which have all.
    """

    def __init__(
        self, lists: Mapping[str, Value], now: Mapping[str, Value | None], known: Mapping[str, OfElements]
    ) -> None:
        self.lists, self.known = lists, known
        self._now = dict(now)
        self._of = {value: name for name, value in now.items() if value is not None}
        self._added: dict[str, set[Value]] = {name: set() for name in lists}  # what is not summed up yet

    def steps(self, step: Instruction) -> Sequence[ListStep | LengthStep] | None:
        """Return what an operator becomes; None for one of something else than arrays of tensors.

        Raises:
            Unfit: it takes another version of an array than the newest.
        """
        kind = _kind(step.op)
        if kind == "write":
            return self._write(step)
        if _is_gradient_of_reading(step.op):
            return self._add(step)
        versions = [value for value in step.reads() if value in self._of]
        if kind:
            [version], place = versions, step.one("I")
            name = self._newest(version)
            made = step.out("Out")
            if kind == "length" and made is not None:
                return [LengthStep(self.known[name].length, made)]
            if place is None or made is None:
                raise Unfit(f"{step.type} has no result")
            if kind == "read":
                return [ListStep("read", self.lists[name], place, made, self.known.get(name))]
            self._set(name, made)
            return [ListStep("clear", self.lists[name], place)]
        return self._summed(step, versions) if versions else None

    def check_end(self, name: str, version: Value | None) -> None:
        """Raise Unfit unless this is the newest version of an array."""
        if version is None or self._of.get(version) != name or self._newest(version) != name:
            raise Unfit(f"the gradient of {name} is another one than that of its last version")

    def _write(self, step: Instruction) -> list[ListStep]:
        values = dict(zip(all_reads(step.op), step.reads(), strict=False))  # under the names of the operator
        [name], [x], [place] = (step.op.outputs["Out"], step.op.inputs["X"], step.op.inputs["I"])
        made = step.out("Out")
        if name not in values or made is None or self._newest(values[name]) != name:
            raise Unfit(f"{step.type} writes {name} otherwise than once for each version")
        self._set(name, made)
        return [ListStep("write", self.lists[name], values[place], values[x], self.known.get(name))]

    def _add(self, step: Instruction) -> list[ListStep]:
        """Return what adds the gradient of an element that was read: it does so before the operator that sums it up."""
        name = step.op.inputs["X"][0]
        made, place, given = step.out("X@GRAD"), step.one("I"), step.one("Out@GRAD")
        if name not in self.lists or made is None or place is None or given is None:
            raise Unfit(f"{step.type} has no gradient")
        self._of[made] = name
        self._added[name].add(made)
        return [ListStep("add", self.lists[name], place, given)]

    def _summed(self, step: Instruction, versions: Sequence[Value]) -> list[ListStep]:
        """Return nothing for a sum of all that a gradient consists of, as it is one already."""
        name = self._of[versions[0]]
        parts = {*self._added[name], *([now] if (now := self._now.get(name)) is not None else [])}
        made = step.out("Out")
        if (
            not isinstance(algebra_of(step.op), Sum)
            or made is None
            or len(step.reads()) != len(versions)
            or {*versions} != parts
        ):
            raise Unfit(f"{step.type} of an array of tensors has no form in one kernel")
        self._set(name, made)
        return []

    def _newest(self, version: Value) -> str:
        """Return the name of the array that this is the newest version of."""
        name = self._of.get(version, "")
        added = self._added.get(name) or set()
        if self._now.get(name) is None and len(added) == 1:
            self._set(name, added.pop())
        if not name or added or self._now.get(name) is not version:
            raise Unfit(f"an older version of {version.name} is read")
        return name

    def _set(self, name: str, version: Value) -> None:
        self._now[name] = version
        self._of[version] = name
        self._added[name].clear()
