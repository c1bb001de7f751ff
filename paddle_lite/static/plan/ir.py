"""The intermediate representation of Plans: a list of immutable instructions over values, each of which is assigned once.

An instruction stands in the place of one operator. It holds what the operator takes and makes, and the lines that run there:
the call of the operator, the call of a kernel that does the work of several, or nothing. Passes look at the former and return
instructions with other lines; liveness and the writer look at the latter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...ops.framework.spec import OpDef
from ..program.operator import Operator

if TYPE_CHECKING:
    from .loops.body import Body


class Value:
    """One value of a Variable: a Variable that is written twice has two.

    Attributes:
        name: of the Variable. register: the local variable that holds it.
        place: of the operator that makes it; -1 for an input of the function.
        shape: with -1 where it is known only at run time. dtype: None for what is no tensor of numbers.
        ragged: whether it may have a LoD, as far as passes can tell. lod: the value of its LoD; None where it has none for sure.
        sure: whether it always has this shape, given that the inputs of the Plan have theirs.
        constant: whether the function's scope holds it, so that it is neither assigned nor freed.
        levels: whether it is a LoD itself.
    """

    __slots__ = ("constant", "dtype", "levels", "lod", "name", "place", "ragged", "register", "shape", "sure")

    def __init__(
        self, name: str, register: str, place: int = -1, shape: tuple[int, ...] = (), dtype: np.dtype | None = None, *,
        ragged: bool = False, sure: bool = False, constant: bool = False, levels: bool = False,
    ) -> None:  # fmt: skip
        self.name, self.register, self.place, self.shape, self.dtype = name, register, place, shape, dtype
        self.ragged, self.sure, self.constant, self.levels = ragged, sure, constant, levels
        self.lod: Value | None = None

    def __repr__(self) -> str:
        return f"<{self.name} {list(self.shape)} of operator {self.place}>"


# --- text -----------------------------------------------------------------------------------------------------------------

Line = tuple[str | Value, ...]
"""A line of Python: pieces of text, and values where their local variables stand."""


def line(template: str, *parts: str | Value | Line) -> Line:
    """A line with these parts for each {} of the template."""
    first, *pieces = template.split("{}")
    found: list[str | Value] = [first]
    for part, piece in zip(parts, pieces, strict=True):
        found += part if isinstance(part, tuple) else (part,)
        found.append(piece)
    return tuple(found)


def joined(parts: Iterable[str | Value | Line], separator: str = ", ") -> Line:
    """Parts with a separator between them."""
    found: list[str | Value] = []
    for part in parts:
        found += part if isinstance(part, tuple) else (part,)
        found.append(separator)
    return tuple(found[:-1])


def listed(parts: Iterable[str | Value | Line]) -> Line:
    """The elements of a tuple, or the targets of what is unpacked: each part with a comma behind it."""
    found: list[str | Value] = []
    for part in parts:
        found += part if isinstance(part, tuple) else (part,)
        found.append(", ")
    return tuple(found)


def text_of(line: Line) -> str:
    """The text of a line."""
    return "".join([part if type(part) is str else part.register for part in line])  # type: ignore[union-attr]


def values_in(lines: Iterable[Line]) -> Iterator[Value]:
    """The values that lines mention."""
    return (part for each in lines for part in each if isinstance(part, Value))


# --- instructions ---------------------------------------------------------------------------------------------------------


class Call(NamedTuple):
    """How an operator runs by itself.

    run: the line that calls its kernel. lods: the lines that hand on LoDs. arguments, lods_given: what each input slot holds, and
    the LoDs of that. inferred, validated: whether inference knows the operator, and whether it judges each call of it.
    """

    run: Line
    lods: tuple[Line, ...]
    arguments: tuple[Line, ...]
    lods_given: tuple[Line, ...]
    inferred: bool
    validated: bool


@dataclass(frozen=True, eq=False)
class Unit:
    """Operators that run together: a row in the listing of a Plan.

    kind, note: how they run, and why, as the listing says it. places: of the operators, in order.
    home: the place of the call, whose comment names all operators.
    loads: the values that the kernel reads; None where that is what the operators take.
    """

    kind: str
    places: tuple[int, ...]
    note: str = ""
    home: int = -1
    loads: tuple[Value, ...] | None = None

    def __repr__(self) -> str:
        return f"<operators {', '.join(map(str, self.places))}: {self.kind}>"


NOTHING: Mapping[Any, Any] = {}


@dataclass(frozen=True, eq=False, slots=True)
class Instruction:
    """What runs in the place of one operator.

    Attributes:
        op: the operator. place: its number in the Plan. attrs: its attributes.
        read, made: the values that it takes and makes, slot by slot; None stands for what is left out. Passes that make its work
            unnecessary leave nothing in `read`.
        effects: what it does besides, and is: "random", "io", "blocks"; nothing for a function of what it takes.
        call: how it runs by itself; None for operators with blocks.
        lines: what runs. loads, measures: the values of which that reads all, or only shape and dtype. stores: those that it assigns.
        outlines: those of `stores` that are shape and dtype only. donated: those of `loads` whose memory results may be written into.
        scope: what the lines refer to by name. body: the compiled block that it runs, and which part of it.
        unit: the operators that it runs together with. same: for each value that exists already the one that stands for it.
    """

    op: Operator
    place: int
    attrs: Mapping[str, Any]
    read: Mapping[str, Sequence[Value | None]]
    made: Mapping[str, Sequence[Value | None]]
    effects: frozenset[str] = frozenset()
    call: Call | None = None
    lines: tuple[Line, ...] = ()
    loads: tuple[Value, ...] = ()
    measures: tuple[Value, ...] = ()
    stores: tuple[Value, ...] = ()
    outlines: tuple[Value, ...] = ()
    donated: tuple[Value, ...] = ()
    scope: Mapping[str, Any] = field(default_factory=dict)
    body: tuple[Body, int] | None = None
    unit: Unit | None = None
    same: Mapping[Value, Value] = field(default_factory=dict)
    _reads: list[Value] | None = field(default=None, init=False)
    _whole: list[Value] | None = field(default=None, init=False)
    _makes: list[Value] | None = field(default=None, init=False)

    @property
    def type(self) -> str:
        """The operator's type."""
        return self.op.type

    @property
    def plain(self) -> bool:
        """Whether the operator has no blocks and no effects, and is a function of what it takes."""
        return not self.effects

    @property
    def free(self) -> bool:
        """Whether it runs by itself, so that a pass may change that."""
        return self.unit is None

    def one(self, slot: str) -> Value | None:
        """The value in an input slot that holds one."""
        values = self.read.get(slot) or [None]
        return values[0] if len(values) == 1 else None

    def out(self, slot: str) -> Value | None:
        """The value in an output slot that holds one."""
        values = self.made.get(slot) or [None]
        return values[0] if len(values) == 1 else None

    def reads(self) -> list[Value]:
        """Return all values that the operator takes."""
        if self._reads is None:
            object.__setattr__(self, "_reads", [v for values in self.read.values() for v in values if v is not None])
        return self._reads  # type: ignore[return-value]

    def whole(self) -> list[Value]:
        """Return the values that the operator takes more of than shape and dtype."""
        if self._whole is None:
            shaped = frozenset() if "" in self.read else shape_only(self.op.definition)
            found = [v for slot, values in self.read.items() if slot not in shaped for v in values if v is not None]
            object.__setattr__(self, "_whole", found)
        return self._whole  # type: ignore[return-value]

    def makes(self) -> list[Value]:
        """Return all values that the operator makes."""
        if self._makes is None:
            object.__setattr__(self, "_makes", [v for values in self.made.values() for v in values if v is not None])
        return self._makes  # type: ignore[return-value]

    def lods(self) -> tuple[Line, ...]:
        """Return the lines that hand on LoDs, where the operator runs by itself."""
        return () if self.call is None else self.call.lods

    def check(self, with_lods: bool = True) -> Line | None:
        """Return the expression that raises what inference says of what the operator takes; None where it does not know it."""
        call, place = self.call, self.place
        if call is None or not call.inferred:
            return None
        lods = listed(call.lods_given) if with_lods else "None, " * len(call.arguments)
        return line(f"check(op{place}, ({{}}), ({{}}), attrs{place})", listed(call.arguments), lods)

    def run_as(
        self, unit: Unit, lines: Iterable[Line] = (), loads: Iterable[Value] = (), stores: Iterable[Value] = (), **more: Any
    ) -> Instruction:  # fmt: skip
        """The instruction in the same place that runs these lines, as a part of a unit."""
        changed: dict[str, Any] = {"measures": (), "outlines": (), "donated": (), "scope": NOTHING, **more}
        return replace(
            self,
            unit=unit,
            lines=tuple(lines),
            loads=tuple(dict.fromkeys(loads)),
            stores=tuple(dict.fromkeys(stores)),
            **changed,
        )

    def idle(
        self, kind: str, note: str, same: Mapping[Value, Value] = NOTHING, scope: Mapping[str, Any] = NOTHING
    ) -> Instruction:  # fmt: skip
        """The instruction in the same place that runs nothing and takes nothing; `same` stands for what it would make."""
        return self.run_as(Unit(kind, (self.place,), note, self.place), read={}, same=same, scope=scope)

    def substituted(self, same: Mapping[Value, Value]) -> Instruction:
        """The instruction with other values for some."""
        if not same or all(same.keys().isdisjoint(found) for found in (self.reads(), self.loads, self.measures)):
            return self
        new = same.get

        def text(lines: tuple[Line, ...]) -> tuple[Line, ...]:
            return tuple([tuple([new(p, p) if isinstance(p, Value) else p for p in each]) for each in lines])

        def values(found: Iterable[Value]) -> tuple[Value, ...]:
            return tuple(dict.fromkeys([new(v, v) for v in found]))

        read = {slot: [v if v is None else new(v, v) for v in found] for slot, found in self.read.items()}
        call = self.call
        if call is not None:
            [run] = text((call.run,))
            lods, arguments, lods_given = map(text, (call.lods, call.arguments, call.lods_given))
            call = call._replace(run=run, lods=lods, arguments=arguments, lods_given=lods_given)
        loads, measures = values(self.loads), values(self.measures)
        if self.unit is None and call is not None:
            loads, measures = in_order(loads), in_order(set(measures).difference(loads))
        return replace(self, read=read, call=call, lines=text(self.lines), loads=loads, measures=measures)


def with_lods(values: Iterable[Value]) -> list[Value]:
    """Values, and behind them their LoDs."""
    found = list(values)
    return [*found, *(value.lod for value in found if value.lod is not None)]


def in_order(values: Iterable[Value]) -> tuple[Value, ...]:
    """Values in the order of their local variables, LoDs behind the others."""
    found = tuple(dict.fromkeys(values))
    return found if len(found) < 2 else tuple(sorted(found, key=lambda v: (v.levels, "" if v.levels else v.register)))


def shape_only(definition: OpDef) -> frozenset[str]:
    """The slots of a gradient operator of which it needs no more than shape and dtype."""
    forward = definition.forward
    return frozenset() if forward is None or forward.grad is None else forward.grad.shape_only


class Part(NamedTuple):
    """A further function of a Plan, which runs later and reads what the first has left: gradients.

    start: the place of its first operator. arriving: the names of what it is given then. results: the names to return.
    """

    start: int
    arriving: Sequence[str]
    results: Sequence[str]
