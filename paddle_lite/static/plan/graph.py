"""The function graph of a Plan: its instructions with def-use, which is computed from them. Passes look at this, nothing else."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ..program.block import Block
from .ir import Instruction, Part, Value


class History(NamedTuple):
    """What the order of an unchanged Program says of values.

    overwritten: a value -> the place of the operator that writes its Variable again. before: a value -> the one that its
    Variable had before. several: the names of Variables with several values, whose shape in the Program is that of the last.
    """

    overwritten: Mapping[Value, int]
    before: Mapping[Value, Value]
    several: frozenset[str]


class FunctionGraph:
    """The instructions of one function, with def-use.

    Arguments:
        block: of the operators. instructions: one an operator, in order.
        inputs: what the function takes: values, then LoDs.
        ends: the values that each part returns; None for what has no value.
        parts: the parts behind the first, of a Plan that runs in several.
        history: what the order of the operators says.
    """

    def __init__(
        self, block: Block, instructions: Sequence[Instruction], inputs: Sequence[Value],
        ends: Sequence[Sequence[Value | None]], parts: Sequence[Part], history: History,
    ) -> None:  # fmt: skip
        self.block, self.instructions, self.inputs = block, tuple(instructions), tuple(inputs)
        self.ends, self.parts, self.history = ends, parts, history
        self._starts = [part.start for part in parts]

    @cached_property
    def results(self) -> frozenset[Value]:
        """The values that some part returns."""
        return frozenset(value for values in self.ends for value in values if value is not None)

    @cached_property
    def _uses(self) -> tuple[dict[Value, list[int]], dict[Value, list[int]]]:
        """By value the places of the instructions that take all of it, and of those that take shape and dtype only."""
        readers: dict[Value, list[int]] = defaultdict(list)
        shaped: dict[Value, list[int]] = defaultdict(list)
        for instruction in self.instructions:
            place, whole = instruction.place, dict.fromkeys(instruction.whole())
            for value in whole:
                readers[value].append(place)
            for value in dict.fromkeys(instruction.reads()):
                if value not in whole:
                    shaped[value].append(place)
        return readers, shaped

    def readers(self, value: Value) -> Sequence[int]:
        """The places of the operators that take more of a value than shape and dtype, in order."""
        return self._uses[0].get(value, ())

    def shaped(self, value: Value) -> Sequence[int]:
        """The places of the operators that take only shape and dtype of a value, in order."""
        return self._uses[1].get(value, ())

    def wanted(self, value: Value) -> bool:
        """Whether the Plan returns a value."""
        return value in self.results

    def used(self, value: Value) -> bool:
        """Whether anything takes a value, or it is returned."""
        return value in self.results or bool(self.readers(value) or self.shaped(value))

    def rewritten(self, value: Value) -> bool:
        """Whether the Variable has several values; then the shape that the Program says is that of the last."""
        return value.name in self.history.several

    def overwritten(self, value: Value) -> int | None:
        """The place of the operator that writes the value's Variable again; None where there is none."""
        return self.history.overwritten.get(value)

    def unchanged(self, value: Value, place: int) -> bool:
        """Whether no operator before a place writes the value's Variable again."""
        return self.history.overwritten.get(value, place) >= place

    def outdated(self, places: Sequence[int]) -> bool:
        """Whether something that operators take may have been written over where the last of them stands."""
        return any(not self.unchanged(v, places[-1]) for p in places for v in self.instructions[p].reads())

    def maker(self, value: Value) -> Instruction | None:
        """The instruction in the place of the operator that makes a value; None for an input."""
        return self.instructions[value.place] if value.place >= 0 else None

    def call(self, instruction: Instruction) -> OperatorCall:
        """The call of an operator, as the rules of its declaration see it."""
        return OperatorCall(self, instruction)

    def part(self, place: int) -> int:
        """The number of the part that an operator is in."""
        return bisect_right(self._starts, place)

    def replaced(self, new: Iterable[Instruction]) -> FunctionGraph:
        """The graph with other instructions in their places, and the values that they say exist already in place of others.

        Raises:
            ValueError: one of the operators belongs to a unit already.
        """
        found = list(self.instructions)
        same: dict[Value, Value] = {}
        taken: set[int] = set()
        for instruction in new:
            place = instruction.place
            if found[place].unit is not None or place in taken:
                raise ValueError(f"operator {place} ({instruction.type}) belongs to two units")
            taken.add(place)
            found[place] = instruction
            same.update(instruction.same)
        if not taken:
            return self
        if not same:
            graph = FunctionGraph(self.block, found, self.inputs, self.ends, self.parts, self.history)
            if all(found[place].read is self.instructions[place].read for place in taken):
                graph.__dict__.update({k: v for k, v in self.__dict__.items() if k in ("_uses", "results")})
            return graph
        history = self._history_of(same)
        same.update({v.lod: new.lod for v, new in same.items() if v.lod is not None and new.lod is not None})
        ends = [[value and same.get(value, value) for value in values] for values in self.ends]
        found = [each.substituted(same) for each in found]
        return FunctionGraph(self.block, found, self.inputs, ends, self.parts, history)

    def _history_of(self, same: Mapping[Value, Value]) -> History:
        """The history, in which a constant stands for the value that it is."""
        overwritten, before, several = self.history
        constants = {value: new for value, new in same.items() if new.constant}
        overwritten = {constants.get(value, value): place for value, place in overwritten.items()}
        return History(overwritten, {v: constants.get(old, old) for v, old in before.items()}, several)


class OperatorCall:
    """An operator's call in a graph, as the rules of its declaration see it.

    Arguments:
        graph: the graph. instruction: of the operator, whose attributes and values it has.
    """

    def __init__(self, graph: FunctionGraph, instruction: Instruction) -> None:
        self._graph = graph
        self.op, self.type, self.attrs, self.plain = (
            instruction.op,
            instruction.type,
            instruction.attrs,
            instruction.plain,
        )
        self.read, self.made = instruction.read, instruction.made
        self.one, self.out, self.reads, self.makes = (
            instruction.one,
            instruction.out,
            instruction.reads,
            instruction.makes,
        )

    def used(self, value: Value | None) -> bool:
        """Whether anything takes a value, or it is returned; None is no value."""
        return value is not None and self._graph.used(value)
