"""Operators alike, as the look-ups and pools of a network with many slots: one call for the rows of all of them.

The call stands in the place of the first one. In the place of each, its part of the result is taken, a view of its rows.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import prod
from operator import sub
from typing import Any, NamedTuple

import numpy as np

from ....ops.framework.dispatch import ArraySpec, kernel_of
from ....ops.framework.traits import ByRows
from ..graph import FunctionGraph
from ..ir import Call, Instruction, Line, Unit, Value, joined, line, listed, values_in

LEAST = 4
"""The least number of calls that become one."""
LARGEST = 1 << 20
"""The most bytes of rows that are put together, and of those that are made of them. Larger ones take long enough by themselves, and
would be held until all operators have run."""
KEPT, KEPT_LENGTH = (
    16,
    1 << 14,
)  # joined levels of LoDs that are kept, for a step's are often the next one's, and how long they may be


class _Part(NamedTuple):
    """A part of a call's result: the value of all parts, the number of this one, and how many there are."""

    whole: Value
    number: int
    among: int


class _Member(NamedTuple):
    """An operator. given: the value whose rows it takes. level: their LoD, if it needs that."""

    step: Instruction
    rows: ByRows
    given: Value
    level: Value | None

    @property
    def made(self) -> Value:
        """The result."""
        return self.step.makes()[0]

    @property
    def _call(self) -> Call:
        assert self.step.call is not None
        return self.step.call

    @property
    def arguments(self) -> tuple[Line, ...]:
        """The arguments beside attributes."""
        return self._call.arguments

    @property
    def results(self) -> Line:
        """What the results are assigned to."""
        return self._call.run[: self._call.run.index(" = ")]

    @property
    def lods(self) -> tuple[Line, ...]:
        """The lines that propagate LoDs."""
        return self._call.lods


def join_alike(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of operators that become one call."""
    kinds: dict[Any, list[_Member]] = defaultdict(list)
    for step in graph.instructions:
        member = _member(graph, step)
        if member is not None:
            kinds[_key(graph, member)].append(member)
    parts: dict[Value, _Part] = {}
    for members in kinds.values():
        for group in _groups(graph, members, parts):
            yield from _joined(graph, group, parts)


def _member(graph: FunctionGraph, step: Instruction) -> _Member | None:
    """Return an operator as a candidate for a joint call; None for one that is no candidate."""
    definition = step.op.definition
    rows = definition.traits.by_rows
    if rows is None or not step.plain or not step.free or step.call is None or definition.lod == "made":
        return None
    if not rows.when(step.attrs) or definition.wants_need or definition.wants_site or not step.makes():
        return None
    given, level = step.one(rows.given), None
    if given is None or not all(map(_wide, (given, step.makes()[0]))):
        return None
    if definition.needs_lod:
        of = step.one(definition.needs_lod)
        level = None if of is None else _level(graph, of)
        if level is None:
            return None
    return _Member(step, rows, given, level)


def _wide(value: Value) -> bool:
    """Return whether the size of a row is known."""
    return value.sure and value.dtype is not None and bool(value.shape) and min(value.shape[1:], default=1) > 0


def _level(graph: FunctionGraph, value: Value) -> Value | None:
    """Return the original LoD of a value, before operators that only propagate it."""
    while (maker := graph.maker(value)) is not None and isinstance(maker.op.definition.lod, str):
        before = maker.one(maker.op.definition.lod)
        if before is None:
            break
        value = before
    return value.lod


def _key(graph: FunctionGraph, member: _Member) -> Any:
    """Return a key that is equal for operators that may become one call."""
    step, rows, given, made = member.step, member.rows, member.given, member.made
    own = {rows.given, *rows.beside.split()}
    same = tuple(value for slot, values in step.read.items() if slot not in own for value in values)
    attrs = tuple((name, repr(value)) for name, value in sorted(step.attrs.items()))
    sizes = given.shape[1:], given.dtype, made.shape[1:], made.dtype
    return step.type, attrs, same, sizes, graph.part(step.place)


def _groups(graph: FunctionGraph, members: Sequence[_Member], parts: Mapping[Value, _Part]) -> Iterator[list[_Member]]:
    """Return the members of each call. Their inputs exist before the first member, and do not change before the last one."""
    group: list[_Member] = []
    for member in members:
        if group and not _there(graph, group[0].step.place, member, parts):
            yield from [group] if len(group) >= LEAST else ()
            group = []
        group.append(member)
    yield from [group] if len(group) >= LEAST else ()


def _there(graph: FunctionGraph, place: int, member: _Member, parts: Mapping[Value, _Part]) -> bool:
    """Return whether a member may run at a place."""
    part = parts.get(member.given)
    early = member.given if part is not None and part.whole.place < place else None
    values = [value for value in member.step.reads() if value is not early]
    known = all(value.place < place and graph.unchanged(value, member.step.place) for value in values)
    return known and (member.level is None or member.level.place < place)


def _joined(graph: FunctionGraph, group: Sequence[_Member], parts: dict[Value, _Part]) -> Iterator[Instruction]:
    """Return the call in the place of the first operator, and its parts in the places of all."""
    first = group[0].step
    home, before = first.place, _before(graph, group, parts)
    late = {each.given for each in group if each.given.place >= home}
    if late and before is None:
        return
    unit = Unit("alike", tuple(each.step.place for each in group), f"the rows of {len(group)} operators at once", home)
    whole, levels = Value(f"a{home}", f"a{home}", home), [each.level for each in group if each.level is not None]
    calls = joined(line("({})", listed("None" if a[0] in late else a for a in each.arguments)) for each in group)
    lods = line("[{}]", joined(levels)) if levels else "None"
    call = line(f"{{}} = alike{home}([{{}}], {{}}, {{}})", whole, calls, lods, before or "None")
    reads = [value for each in group for value in each.step.reads() if value not in late]
    for number, each in enumerate(group):
        step, shaped, stores = each.step, each.step.measures, [*each.step.stores]
        own = joined([whole, line("({})", listed(each.arguments)), each.level or "None"])
        lines = [line(f"{{}} = part{home}({number}, {{}})", each.results, own), *each.lods]
        scope = dict(step.scope)
        if step is first:
            lines.insert(0, call)
            stores.append(whole)
            shaped = tuple(dict.fromkeys(value for other in group for value in other.step.measures))
            scope[f"alike{home}"], scope[f"part{home}"] = _alike(graph, each), part
        loads = [value for value in values_in(lines) if value not in stores and value not in shaped]
        yield step.run_as(
            unit, lines, loads, stores, scope=scope, measures=shaped, read={"": reads} if step is first else {}
        )
        parts[each.made] = _Part(whole, number, len(group))


def _before(graph: FunctionGraph, group: Sequence[_Member], parts: Mapping[Value, _Part]) -> Value | None:
    """Return the value whose parts are exactly the inputs of the members, in order, without other readers; None if there is none."""
    found = [parts.get(each.given) for each in group]
    whole = None if found[0] is None else found[0].whole
    if whole is None or found != [_Part(whole, number, len(group)) for number in range(len(group))]:
        return None
    alone = all([*graph.readers(each.given)] == [each.step.place] and not graph.wanted(each.given) for each in group)
    return whole if alone else None


def _alike(graph: FunctionGraph, member: _Member) -> Alike:
    """Return the function that computes several calls of such an operator at once."""
    definition, rows = member.step.op.definition, member.rows
    slots = [slot.name for slot in definition.inputs]
    attrs = {name: tuple(value) if isinstance(value, list) else value for name, value in member.step.attrs.items()}
    return Alike(
        functools.partial(kernel_of(definition, graph.device), **attrs),
        slots.index(rows.given),
        slots.index(rows.outlined) if rows.outlined else None,
        _row_bytes(member.given),
        _row_bytes(member.made),
    )


def _row_bytes(value: Value) -> int:
    assert value.dtype is not None
    return prod(value.shape[1:]) * value.dtype.itemsize


class Alike:
    """A function that computes several calls of a kernel at once.

    Arguments:
        run: the kernel, with its attributes.
        given: the number of the argument whose rows are put together.
        outlined: the number of the argument of which only the shape counts, whose rows the result has; None for none. Without it
            the result has as many rows as there are, or, where LoDs are given, sequences.
        taken, made: the bytes of a row of what is given, and of the result.
    """

    def __init__(self, run: Callable[..., Any], given: int, outlined: int | None, taken: int, made: int) -> None:
        self.run, self._given, self._outlined = run, given, outlined
        self._taken, self._made = taken, made

    def __call__(self, calls: Sequence[tuple], lods: Sequence[Any] | None, before: _Results | None) -> _Results:
        """Return the results of calls with these arguments and LoDs; if `before` is given, each call takes its part of those results."""
        try:
            return self._at_once(calls, lods, before) or _Results(self.run)
        except Exception:  # each call raises its own error in its own place
            return _Results(self.run)

    def _at_once(self, calls: Sequence[tuple], lods: Any, before: _Results | None) -> _Results | None:
        """Return the results of all calls; None if separate calls are better."""
        if before is not None and before.arrays is None:
            return None
        given, outlined = self._given, self._outlined
        rows = (
            [call[given].shape[0] for call in calls] if before is None else [*map(sub, before.edges[1:], before.edges)]
        )
        shaped = rows if outlined is None else [call[outlined].shape[0] for call in calls]
        if lods is not None and any(lod[-1][-1] != count for lod, count in zip(lods, shaped, strict=True)):
            return None
        counts = shaped if lods is None or outlined is not None else [len(lod[-1]) - 1 for lod in lods]
        if sum(counts) * self._made > LARGEST or sum(rows) * self._taken > LARGEST:
            return None
        arguments = list(calls[0])
        arguments[given] = np.concatenate([call[given] for call in calls]) if before is None else before.arrays[0]  # type: ignore[index]
        if outlined is not None:
            arguments[outlined] = spec = ArraySpec(arguments[outlined])
            spec.shape = (sum(shaped), *spec.shape[1:])
        lod = {} if lods is None else {"lod": (_level_of([each[-1] for each in lods]),)}
        found = self.run(*arguments, **lod)
        return _Results(self.run, found if isinstance(found, tuple) else (found,), [*accumulate(counts, initial=0)])


class _Results(NamedTuple):
    """The results of several calls of a kernel; arrays: None where each call is made by itself. edges: the first row of each, and the end."""

    run: Callable[..., Any]
    arrays: tuple[Any, ...] | None = None
    edges: Sequence[int] = ()


def part(number: int, results: _Results, arguments: tuple, lod: Any) -> Any:
    """Return the results of one call, which has these arguments."""
    if results.arrays is None:
        return results.run(*arguments) if lod is None else results.run(*arguments, lod=lod)
    first, last = results.edges[number : number + 2]
    taken = tuple([None if array is None else array[first:last] for array in results.arrays])
    return taken[0] if len(taken) == 1 else taken


def _level_of(levels: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Return the concatenated offsets of several LoD levels, as a read-only array."""
    return _kept_level(tuple(levels)) if sum(map(len, levels)) <= KEPT_LENGTH else _joined_level(levels)


def _joined_level(levels: Sequence[tuple[int, ...]]) -> np.ndarray:
    firsts = accumulate((level[-1] for level in levels[:-1]), initial=0)
    pieces = [np.array(level[1:], np.int64) + first for level, first in zip(levels, firsts, strict=True)]
    return np.concatenate([np.zeros(1, np.int64), *pieces])


_kept_level = functools.lru_cache(maxsize=KEPT)(_joined_level)
