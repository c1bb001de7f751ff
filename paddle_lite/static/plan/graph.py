"""The function graph of a Plan: its instructions, and the def-use computed from them. Passes read only this graph."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...core.threads.cached import cached_property
from ..program.block import Block
from .ir import Instruction, Part, Value

if TYPE_CHECKING:
    from .loops.body import Body


class History(NamedTuple):
    """The writes of Variables in the order of the original Program.

    overwritten: value -> the place of the operator that overwrites its Variable. before: value -> the previous value of
    its Variable. several: the names of Variables with several values; the Program holds only the shape of the last
    value.
    """

    overwritten: Mapping[Value, int]
    before: Mapping[Value, Value]
    several: frozenset[str]


class FunctionGraph:
    """The instructions of one function, with def-use.

    Arguments:
        block: the block of the operators. instructions: one for each operator, in order.
        inputs: the arguments of the function: values, followed by LoDs.
        ends: the values that each part returns; None for a name without a value.
        parts: the parts after the first, for a Plan that runs in several parts.
        history: the writes of Variables in the original order.
        device: "cpu" or "gpu".

    Attributes:
        rewritten_by: names of passes -> the graph after them, which `passes.rewrite` keeps.
    """

    def __init__(
        self, block: Block, instructions: Sequence[Instruction], inputs: Sequence[Value],
        ends: Sequence[Sequence[Value | None]], parts: Sequence[Part], history: History, device: str = "cpu",
    ) -> None:  # fmt: skip
        self.device = device
        self.block, self.instructions, self.inputs = block, tuple(instructions), tuple(inputs)
        self.ends, self.parts, self.history = ends, parts, history
        self._starts = [part.start for part in parts]
        self.rewritten_by: dict[frozenset[str], FunctionGraph] = {}

    @cached_property
    def results(self) -> frozenset[Value]:
        """The values that any part returns."""
        return frozenset(value for values in self.ends for value in values if value is not None)

    @cached_property
    def _uses(self) -> tuple[dict[Value, list[int]], dict[Value, list[int]]]:
        """Two mappings from a value to places: of the instructions that read its elements, and only shape and dtype."""
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
        """Return the places of the operators that read the elements of a value, in order."""
        return self._uses[0].get(value, ())

    def shaped(self, value: Value) -> Sequence[int]:
        """Return the places of the operators that read only shape and dtype of a value, in order."""
        return self._uses[1].get(value, ())

    def wanted(self, value: Value) -> bool:
        """Return whether the Plan returns a value."""
        return value in self.results

    def used(self, value: Value) -> bool:
        """Return whether a value is read or returned."""
        return value in self.results or bool(self.readers(value) or self.shaped(value))

    def rewritten(self, value: Value) -> bool:
        """Return whether the Variable has several values; the Program holds only the shape of the last value."""
        return value.name in self.history.several

    def overwritten(self, value: Value) -> int | None:
        """Return the place of the operator that overwrites the value's Variable; None if no operator does."""
        return self.history.overwritten.get(value)

    def unchanged(self, value: Value, place: int) -> bool:
        """Return whether no operator before a place overwrites the value's Variable."""
        return self.history.overwritten.get(value, place) >= place

    def outdated(self, places: Sequence[int]) -> bool:
        """Return whether an input of the operators may be overwritten before the place of the last of them."""
        return any(not self.unchanged(v, places[-1]) for p in places for v in self.instructions[p].reads())

    def maker(self, value: Value) -> Instruction | None:
        """Return the instruction of the operator that makes a value; None for an input."""
        return self.instructions[value.place] if value.place >= 0 else None

    def call(self, instruction: Instruction) -> OperatorCall:
        """Return the call of an operator for the rules of its declaration."""
        return OperatorCall(self, instruction)

    def part(self, place: int) -> int:
        """Return the number of the part that contains an operator."""
        return bisect_right(self._starts, place)

    def replaced(self, new: Iterable[Instruction]) -> FunctionGraph:
        """Return the graph with new instructions in their places and values replaced by the aliases in their `same`.

        Raises:
            ValueError: one of the operators belongs to a unit already.
        """
        found = list(self.instructions)
        same: dict[Value, Value] = {}
        taken: set[int] = set()
        for instruction in new:
            place = instruction.place
            before = found[place].unit
            allowed = before is None or (instruction.unit is not None and before in instruction.unit.takes)
            if not allowed or place in taken:
                raise ValueError(f"operator {place} ({instruction.type}) belongs to two units")
            taken.add(place)
            found[place] = instruction
            same.update(instruction.same)
        if not taken:
            return self
        if not same:
            graph = FunctionGraph(self.block, found, self.inputs, self.ends, self.parts, self.history, self.device)
            if all(found[place].read is self.instructions[place].read for place in taken):
                graph.__dict__.update({k: v for k, v in self.__dict__.items() if k in ("_uses", "results")})
            return graph
        history = self._history_of(same)
        same.update({v.lod: new.lod for v, new in same.items() if v.lod is not None and new.lod is not None})
        ends = [[value and same.get(value, value) for value in values] for values in self.ends]
        found = [each.substituted(same) for each in found]
        return FunctionGraph(self.block, found, self.inputs, ends, self.parts, history, self.device)

    def with_bodies(self, compiled: Callable[[Body], Body]) -> FunctionGraph:
        """Return the graph in which `compiled(body)` takes the place of each compiled block."""
        if all(each.body is None for each in self.instructions):
            return self
        found = [each if each.body is None else each.with_body(compiled(each.body[0])) for each in self.instructions]
        graph = FunctionGraph(self.block, found, self.inputs, self.ends, self.parts, self.history, self.device)
        graph.__dict__.update({k: v for k, v in self.__dict__.items() if k in ("_uses", "results")})
        return graph

    def _history_of(self, same: Mapping[Value, Value]) -> History:
        """Return the history with folded values replaced by their constants."""
        overwritten, before, several = self.history
        constants = {value: new for value, new in same.items() if new.constant}
        overwritten = {constants.get(value, value): place for value, place in overwritten.items()}
        return History(overwritten, {v: constants.get(old, old) for v, old in before.items()}, several)


class OperatorCall:
    """An operator's call in a graph, for the rules of its declaration.

    Arguments:
        graph: the graph. instruction: the instruction of the operator, which holds the attributes and values.
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
        """Return whether a value is read or returned; False for None."""
        return value is not None and self._graph.used(value)
