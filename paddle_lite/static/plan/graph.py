"""What a Plan's operators compute from what: each value that is made, and who reads it. Passes look at this, nothing else.

A Variable that is written twice is two values here; a gradient operator reads what its forward operator read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...core.dtype import VarType
from ...ops.framework.spec import OpDef
from ..operators.structural import EMPTY
from ..program.block import Block
from ..program.operator import Operator
from .liveness import all_reads, has_effects


class Value:
    """One value of a Variable.

    Attributes:
        name: of the Variable. op, place: the operator that makes it, and where that stands; None, -1 for an input of the Plan.
        shape: with -1 where it is known only at run time. dtype: None for what is no tensor of numbers.
        ragged: whether it may have a LoD. wanted: whether the Plan returns it.
        sure: whether it always has this shape, given that the inputs of the Plan have theirs.
        readers: where the operators stand that read it, in order. shaped: those that read only shape and dtype of it.
    """

    __slots__ = ("dtype", "name", "op", "place", "ragged", "readers", "shape", "shaped", "sure", "wanted")

    def __init__(
        self, name: str, op: Operator | None, place: int, shape: tuple[int, ...], dtype: np.dtype | None, ragged: bool
    ) -> None:
        self.name, self.op, self.place, self.shape, self.dtype, self.ragged = name, op, place, shape, dtype, ragged
        self.wanted = self.sure = False
        self.readers: list[int] = []
        self.shaped: list[int] = []

    @property
    def used(self) -> bool:
        """Whether an operator reads it, or its shape, or the Plan returns it."""
        return bool(self.readers or self.shaped or self.wanted)

    def __repr__(self) -> str:
        return f"<{self.name} {list(self.shape)} of operator {self.place}>"


class Step:
    """One operator with the values that it reads and makes, slot by slot; None stands for what is left out.

    plain: whether it has no blocks and no effects, and is a function of what it reads alone.
    """

    __slots__ = ("attrs", "made", "op", "place", "plain", "read", "type")

    def __init__(self, op: Operator, place: int) -> None:
        self.op, self.place, self.type = op, place, op.type
        self.read: dict[str, list[Value | None]] = {}
        self.made: dict[str, list[Value | None]] = {}
        self.plain = False
        self.attrs: dict[str, Any] = {}

    def one(self, slot: str) -> Value | None:
        """The value in an input slot that holds one."""
        values = self.read.get(slot) or [None]
        return values[0] if len(values) == 1 else None

    def out(self, slot: str) -> Value | None:
        """The value in an output slot that holds one."""
        values = self.made.get(slot) or [None]
        return values[0] if len(values) == 1 else None

    def reads(self) -> list[Value]:
        """All that it reads."""
        return [v for values in self.read.values() for v in values if v is not None]

    def whole(self) -> list[Value]:
        """What it reads more of than shape and dtype."""
        shaped = frozenset() if "" in self.read else shape_only(self.op.definition)
        return [v for slot, values in self.read.items() if slot not in shaped for v in values if v is not None]

    def makes(self) -> list[Value]:
        """All that it makes."""
        return [v for values in self.made.values() for v in values if v is not None]


class Unit(Protocol):
    """Operators of a Plan that run as one, in the place of the last of them.

    places: where they stand, in order. kind, note: how they run, and why, as a listing of the Plan says it.
    """

    kind: str
    places: list[int]

    @property
    def note(self) -> str:
        """Why they run so, and what it saves."""

    def lines(self, source: Any, place: int) -> list[str]:
        """The lines that stand in the place of one of them; `source` has written the lines of each already."""


class Part(NamedTuple):
    """A further function of a Plan, which runs later and reads what the first has left: gradients.

    start: the place of its first operator. arriving: the names of what it is given then. results: the names to return.
    """

    start: int
    arriving: Sequence[str]
    results: Sequence[str]


def parts_of(
    results: Sequence[str], behind: Sequence[Part], count: int
) -> Iterator[tuple[Sequence[str], Sequence[str], int]]:
    """Of each part of a Plan of so many operators what arrives, what it returns, and where it ends."""
    ends = [*(part.start for part in behind), count]
    own = [((), results), *((part.arriving, part.results) for part in behind)]
    return ((*names, end) for names, end in zip(own, ends, strict=True))


class Graph:
    """The operators of a Plan with their values.

    Arguments:
        block: their block. ops: the operators. ragged: the inputs that come with a LoD.
        results: the names to return, behind the first part. parts: the others, of a Plan that runs in several.

    Attributes:
        steps: one an operator. units: by place, the unit that an operator belongs to; passes enter them.
        ends: the values of `results`.
    """

    def __init__(
        self, block: Block, ops: Sequence[Operator], ragged: Collection[str], results: Sequence[str],
        parts: Sequence[Part] = (),
    ) -> None:  # fmt: skip
        self.block, self.ops, self.parts = block, ops, parts
        self._starts = [part.start for part in parts]
        self.ragged = frozenset(ragged)
        self.units: dict[int, Unit] = {}
        self.unwanted: set[tuple[int, str]] = set()  # (place, output slot) that nobody reads any more
        self.now: dict[str, Value] = {}
        self.renewed: dict[Value, Value] = {}  # a value -> the one that its Variable had before
        self.old: dict[Value, int] = {}  # a value -> where its Variable is written again, by updates in place
        blocks = block.program.blocks
        self._writes = Counter(name for b in blocks for op in b.ops for name in op.output_arg_names)
        self._first: set[str] = set()  # names of inputs
        self._of: dict[int, Step] = {}  # id(operator) -> its step
        self.steps: list[Step] = []
        self.ends: list[Value] = []
        for arriving, returned, until in parts_of(results, parts, len(ops)):
            for name in arriving:
                self.now.pop(name, None)
            self.steps += [self._step(place, ops[place]) for place in range(len(self.steps), until)]
            self.ends += [self.now[name] for name in returned if name in self.now]
        for value in self.ends:
            value.wanted = True

    def _step(self, place: int, op: Operator) -> Step:
        step = self._of[id(op)] = Step(op, place)
        definition = op.declared
        structural = definition is None or any(isinstance(v, Block) for v in op.attrs.values())
        structural = structural or op.type == "write_to_array"  # which reads what it writes
        if structural or definition is None:
            step.read = {"": [self._current(name) for name in all_reads(op)]}
        else:
            step.attrs = op.live_attrs()
            drawn = definition.effects == "random" and not step.attrs.get("is_test")  # a dropout draws in training only
            step.plain = (definition.effects in ("", "random")) and not drawn and not has_effects(op)
            for slot in definition.inputs:
                names = op.inputs.get(slot.name) or []
                step.read[slot.name] = [self._reading(op, slot.name, name) for name in names]
        for value in dict.fromkeys(step.whole()):
            value.readers.append(place)
        for value in dict.fromkeys(step.reads()):
            if place not in value.readers[-1:]:
                value.shaped.append(place)
        ragged = structural or self._makes_lod(step)
        sure = not structural and all(v.sure for v in step.reads())
        for slot_name, names in op.outputs.items():
            step.made[slot_name] = [None if name == EMPTY else self._new(name, op, place, ragged) for name in names]
        for value in step.makes():
            value.sure = sure and value.sure
            before = self.now.get(value.name)
            if before is not None:
                self.renewed[value] = before
                self.old[before] = place
            self.now[value.name] = value
        return step

    def _makes_lod(self, step: Step) -> bool:
        """Whether what an operator makes may have a LoD."""
        rule = step.op.definition.lod
        if rule is None:
            return False
        if rule == "made":
            return True
        if callable(rule):
            found = (self.block.find(name) for name in step.op.output_arg_names)
            return any(v.ragged for v in step.reads()) or any(v is not None and v.lod_level for v in found)
        values = step.read.get(rule) or [None]
        return values[0] is not None and values[0].ragged

    def _new(self, name: str, op: Operator | None, place: int, ragged: bool) -> Value:
        variable = self.block.find(name)
        if variable is None or variable.type != VarType.LOD_TENSOR:
            return Value(name, op, place, (), None, ragged)
        meta = variable.meta
        value = Value(name, op, place, tuple(meta.shape), meta.dtype, ragged)
        value.sure = self.block.idx == 0 and not self.rewritten(value)
        return value

    def _current(self, name: str) -> Value:
        """The value that a name has now: an input of the Plan, where nothing has written it."""
        if name not in self.now:
            self._first.add(name)
            self.now[name] = self._new(name, None, -1, name in self.ragged)
        return self.now[name]

    def _reading(self, op: Operator, slot: str, name: str) -> Value | None:
        """What an operator reads: a gradient operator what its forward operator read or made."""
        if name == EMPTY:
            return None
        forward = None if slot.endswith("@GRAD") else self._of.get(id(op.forward))
        if forward is not None:
            side = forward.read if slot in forward.op.inputs else forward.made
            for value in (v for values in side.values() for v in values):
                if value is not None and value.name == name:
                    return value
        return self._current(name)

    # --- what passes ask and do -------------------------------------------------------------------------------------------

    def rewritten(self, value: Value) -> bool:
        """Whether the Variable has several values; then the shape that the Program says is that of the last."""
        variable = self.block.find(value.name)
        several = self._writes[value.name] + (value.name in self._first) > 1
        return several and (variable is None or not variable.persistable)

    def maker(self, value: Value) -> Step | None:
        """The operator that makes a value; None for an input."""
        return self.steps[value.place] if value.place >= 0 else None

    def part(self, place: int) -> int:
        """The number of the part that an operator is in."""
        return bisect_right(self._starts, place)

    def enter(self, unit: Unit) -> None:
        """Let operators run as a unit; they must belong to none."""
        for place in unit.places:
            if place in self.units:
                raise ValueError(f"operator {place} ({self.steps[place].type}) belongs to two units")
            self.units[place] = unit

    def replace(self, value: Value, same: Value) -> None:
        """Let what reads a value read an equal one."""
        for place in (*value.readers, *value.shaped):
            for values in self.steps[place].read.values():
                values[:] = [same if each is value else each for each in values]
        same.readers = sorted({*same.readers, *value.readers})
        same.shaped = sorted({*same.shaped, *value.shaped} - {*same.readers})
        same.wanted = same.wanted or value.wanted
        value.readers, value.shaped = [], []

    def outdated(self, places: Sequence[int]) -> bool:
        """Whether something that operators read may have been written over where the last of them stands."""
        return any(self.old.get(v, places[-1]) < places[-1] for p in places for v in self.steps[p].reads())

    def drop(self, step: Step) -> None:
        """Let an operator read nothing, since it need not run."""
        for value in step.reads():
            value.readers = [p for p in value.readers if p != step.place]
            value.shaped = [p for p in value.shaped if p != step.place]
        step.read = {}

    def reread(self, place: int, values: Sequence[Value]) -> None:
        """Let an operator that was dropped read these values after all, since its unit does in its place."""
        self.steps[place].read = {"": list(values)}
        for value in values:
            value.readers = sorted({*value.readers, place})

    def free(self, place: int) -> bool:
        """Whether an operator belongs to no unit."""
        return place not in self.units


FIRST = frozenset({"products", "split products"})
"""Kinds of units whose call stands in the place of the first of their operators, not of the last."""


def home(unit: Unit) -> int:
    """Where the call of a unit stands."""
    return min(unit.places) if unit.kind in FIRST else max(unit.places)


def shape_only(definition: OpDef) -> frozenset[str]:
    """The slots of a gradient operator of which it needs no more than shape and dtype."""
    forward = definition.forward
    return frozenset() if forward is None or forward.grad is None else forward.grad.shape_only


def register(source: Any, value: Value) -> str:
    """The local variable that holds a value."""
    return source.first[value.name] if value.op is None else source.then[id(value.op)][1][value.name]
