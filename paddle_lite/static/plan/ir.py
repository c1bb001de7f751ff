"""The intermediate representation of Plans: a list of immutable instructions over SSA values.

An instruction stands in the place of one operator. It holds the values that the operator reads and makes, and the lines
that run there: the call of the operator, the call of a kernel that computes several operators, or no lines. Passes read
the values and return instructions with new lines. Liveness and the writer read the lines.
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
    """An SSA value of a Variable: a Variable that is written twice has two values.

    Attributes:
        name: the name of the Variable. register: the local variable that holds the value.
        place: the place of the operator that makes it; -1 for an input of the function.
        shape: the shape, with -1 for sizes that are known only at run time. dtype: the dtype; None for values that are
            no tensors of numbers.
        ragged: whether passes must assume that it has a LoD. lod: the value of its LoD; None if it never has a LoD.
        sure: whether it always has this shape, provided that the inputs of the Plan have the declared shapes.
        constant: whether it is a global of the function, which is neither assigned nor freed.
        levels: whether it is a LoD.
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
"""A line of Python: pieces of text, and values in place of their local variables."""


def line(template: str, *parts: str | Value | Line) -> Line:
    """Return a line with these parts in place of each {} of the template."""
    first, *pieces = template.split("{}")
    found: list[str | Value] = [first]
    for part, piece in zip(parts, pieces, strict=True):
        found += part if isinstance(part, tuple) else (part,)
        found.append(piece)
    return tuple(found)


def joined(parts: Iterable[str | Value | Line], separator: str = ", ") -> Line:
    """Return a line of the parts with a separator between them."""
    found: list[str | Value] = []
    for part in parts:
        found += part if isinstance(part, tuple) else (part,)
        found.append(separator)
    return tuple(found[:-1])


def listed(parts: Iterable[str | Value | Line]) -> Line:
    """Return a line of the parts, each followed by a comma: the elements of a tuple, or the targets of an unpacking."""
    found: list[str | Value] = []
    for part in parts:
        found += part if isinstance(part, tuple) else (part,)
        found.append(", ")
    return tuple(found)


def text_of(line: Line) -> str:
    """Return the text of a line."""
    return "".join([part if type(part) is str else part.register for part in line])  # type: ignore[union-attr]


def values_in(lines: Iterable[Line]) -> Iterator[Value]:
    """Return the values that occur in lines."""
    return (part for each in lines for part in each if isinstance(part, Value))


# --- instructions ---------------------------------------------------------------------------------------------------------


class Call(NamedTuple):
    """The call of one operator that is not part of a unit.

    run: the line that calls its kernel. lods: the lines that propagate LoDs. arguments, lods_given: the values of each
    input slot, and their LoDs. inferred, validated: whether the operator has inference, and whether inference checks
    each call.
    """

    run: Line
    lods: tuple[Line, ...]
    arguments: tuple[Line, ...]
    lods_given: tuple[Line, ...]
    inferred: bool
    validated: bool


@dataclass(frozen=True, eq=False)
class Unit:
    """Operators that run as one: a row in the listing of a Plan.

    kind, note: the kind of the unit, and its explanation in the listing. places: the places of the operators, in order.
    home: the place of the call, whose comment names all operators.
    loads: the values that the kernel reads; None if these are the values that the operators read.
    takes: the units whose instructions it takes over.
    """

    kind: str
    places: tuple[int, ...]
    note: str = ""
    home: int = -1
    loads: tuple[Value, ...] | None = None
    takes: frozenset[Unit] = frozenset()

    def __repr__(self) -> str:
        return f"<operators {', '.join(map(str, self.places))}: {self.kind}>"


class MatrixProduct(NamedTuple):
    """The product that the last line of an instruction computes: made = x @ y, or start[step] + x @ y.

    made, x: matrices. y: a matrix, or a Factor. inner, columns: the shape of y. factor: whether y is a Factor.
    start: an array of several results' initial values; None for none. step: the index of this one.
    """

    made: Value
    x: Value
    y: Value
    inner: int
    columns: int
    factor: bool = False
    start: Value | None = None
    step: int = 0

    def substituted(self, same: Mapping[Value, Value]) -> MatrixProduct:
        """Return the product with values replaced by their aliases."""
        start = None if self.start is None else same.get(self.start, self.start)
        return self._replace(x=same.get(self.x, self.x), y=same.get(self.y, self.y), start=start)


class ListCall(NamedTuple):
    """A call of an instruction whose arguments are lists of arrays of one shape.

    made: the value that it makes. function: the name of a function that computes the same from tuples of arrays of rows.
    lists: the values of each list.
    """

    made: Value
    function: str
    lists: tuple[tuple[Value, ...], ...]

    def substituted(self, same: Mapping[Value, Value]) -> ListCall:
        """Return the call with values replaced by their aliases."""
        return self._replace(lists=tuple(tuple(same.get(v, v) for v in values) for values in self.lists))


NOTHING: Mapping[Any, Any] = {}
SILENT: Mapping[str, Any] = {
    "lines": (), "loads": (), "measures": (), "stores": (), "outlines": (), "donated": (), "scope": NOTHING,
    "product": None, "list_call": None,
}  # fmt: skip
"""The fields of an instruction that runs nothing."""


@dataclass(frozen=True, eq=False, slots=True)
class Instruction:
    """The code that runs in the place of one operator.

    Attributes:
        op: the operator. place: its number in the Plan. attrs: its attributes.
        read, made: the values that it reads and makes, by slot; None for an absent value. `read` is empty if a pass has
            made the operator unnecessary.
        effects: the kinds of its side effects: "random", "io", "blocks"; empty for a pure function of its inputs.
        call: the call of the operator alone; None for operators with blocks.
        lines: the lines that run. loads: the values whose elements the lines read. measures: the values of which the
            lines read only shape and dtype. stores: the values that the lines assign.
        outlines: the values in `stores` that hold only shape and dtype. donated: the values in `loads` whose memory may
            be reused for results.
        scope: the globals of the lines. body: the compiled block that it runs, and the number of its part.
        unit: the unit that it belongs to. same: value -> the existing value that is its alias.
        product: the product that its last line computes; None if it computes something else.
        list_call: the call of its line, if it takes lists of arrays.
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
    product: MatrixProduct | None = None
    list_call: ListCall | None = None
    _reads: list[Value] | None = field(default=None, init=False)
    _whole: list[Value] | None = field(default=None, init=False)
    _makes: list[Value] | None = field(default=None, init=False)

    @property
    def type(self) -> str:
        """The operator's type."""
        return self.op.type

    @property
    def plain(self) -> bool:
        """Whether the operator has no blocks and no side effects: it is a pure function of its inputs."""
        return not self.effects

    @property
    def free(self) -> bool:
        """Whether it belongs to no unit, so that a pass may put it into one."""
        return self.unit is None

    def one(self, slot: str) -> Value | None:
        """Return the value of an input slot that holds one value; None otherwise."""
        values = self.read.get(slot) or [None]
        return values[0] if len(values) == 1 else None

    def out(self, slot: str) -> Value | None:
        """Return the value of an output slot that holds one value; None otherwise."""
        values = self.made.get(slot) or [None]
        return values[0] if len(values) == 1 else None

    def reads(self) -> list[Value]:
        """Return all values that the operator reads."""
        if self._reads is None:
            object.__setattr__(self, "_reads", [v for values in self.read.values() for v in values if v is not None])
        return self._reads  # type: ignore[return-value]

    def whole(self) -> list[Value]:
        """Return the values whose elements the operator reads, not only shape and dtype."""
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
        """Return the lines that propagate LoDs when the operator is called alone."""
        return () if self.call is None else self.call.lods

    def check(self, with_lods: bool = True) -> Line | None:
        """Return the expression that checks the inputs by inference; None for an operator without inference."""
        call, place = self.call, self.place
        if call is None or not call.inferred:
            return None
        lods = listed(call.lods_given) if with_lods else "None, " * len(call.arguments)
        return line(f"check(op{place}, ({{}}), ({{}}), attrs{place})", listed(call.arguments), lods)

    def run_as(
        self, unit: Unit, lines: Iterable[Line] = (), loads: Iterable[Value] = (), stores: Iterable[Value] = (), **more: Any
    ) -> Instruction:  # fmt: skip
        """Return the instruction in the same place that runs these lines, as a part of a unit."""
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
        """Return the instruction in the same place that runs and reads nothing; its results are aliases of `same`."""
        return self.run_as(Unit(kind, (self.place,), note, self.place), read={}, same=same, scope=scope)

    def silent(self, unit: Unit) -> Instruction:
        """Return the instruction in the same place that runs nothing, as a part of a unit; many times as fast as `replace`."""
        found = object.__new__(Instruction)
        for name in Instruction.__slots__:
            object.__setattr__(found, name, SILENT[name] if name in SILENT else getattr(self, name))
        object.__setattr__(found, "unit", unit)
        return found

    def with_body(self, body: Body) -> Instruction:
        """Return the instruction that runs another compiled block, of the same operators."""
        assert self.body is not None
        old, number = self.body
        scope = {
            key: body if value is old else body.back if value == old.back else value
            for key, value in self.scope.items()
        }
        return replace(self, scope=scope, body=(body, number))

    def substituted(self, same: Mapping[Value, Value]) -> Instruction:
        """Return the instruction with values replaced by their aliases."""
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
        product = None if self.product is None else self.product.substituted(same)
        list_call = None if self.list_call is None else self.list_call.substituted(same)
        return replace(
            self, read=read, call=call, lines=text(self.lines), loads=loads, measures=measures, product=product,
            list_call=list_call,
        )  # fmt: skip


def with_lods(values: Iterable[Value]) -> list[Value]:
    """Return the values, followed by their LoDs."""
    found = list(values)
    return [*found, *(value.lod for value in found if value.lod is not None)]


def in_order(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return the distinct values in the order of their local variables, followed by the LoDs."""
    found = tuple(dict.fromkeys(values))
    return found if len(found) < 2 else tuple(sorted(found, key=lambda v: (v.levels, "" if v.levels else v.register)))


def shape_only(definition: OpDef) -> frozenset[str]:
    """Return the slots of which a gradient operator reads only shape and dtype."""
    forward = definition.forward
    return frozenset() if forward is None or forward.grad is None else forward.grad.shape_only


class Part(NamedTuple):
    """A further function of a Plan, which runs later and reads the values that the first has saved: gradients.

    start: the place of its first operator. arriving: the names of its arguments. results: the names to return.
    """

    start: int
    arriving: Sequence[str]
    results: Sequence[str]
