"""Which operators of a Plan run as one kernel.

An operator joins the group of what it reads as long as nobody outside of the group has read anything of it: the group runs in
the place of its last operator.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ....ops.framework.frame import Frame, Unfit
from ....ops.framework.fusion import Rule
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value
from .fused import fused
from .kernel import Kernel

MOST = 48
"""Operators of a group: longer expressions gain little, and take long to compile."""

WIDEST = 48
"""Values that an operator reads and makes: a loop over more arrays has more addresses than a processor has registers."""

Members = list[tuple[Instruction, Rule]]


class Group:
    """Operators that can run as one.

    Attributes:
        frame: what their loops run over. members: the operators, in order. closed: whether no more may join.
    """

    def __init__(self, frame: Frame, part: int) -> None:
        self.frame, self.part = frame, part
        self.members: Members = []
        self.closed = False
        self.into: Group | None = None  # the group that it has become part of

    def whole(self) -> Group:
        """The group that it belongs to now."""
        group = self
        while group.into is not None:
            group = group.into
        return group


def fuse(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of the groups that pay; operators that cannot be joined after all stay as they are."""
    units: dict[int, Unit] = {}  # those of the groups so far
    for group in groups_of(graph):
        for kernel in _kernels(graph, group.frame, group.members, units):
            made = list(fused(graph, kernel))
            units.update((each.place, each.unit) for each in made if each.unit is not None)
            yield from made


def _kernels(graph: FunctionGraph, frame: Frame, members: Members, units: Mapping[int, Unit]) -> Iterator[Kernel]:
    """A group as one kernel, or where an operator does not fit those before it, as one before and one from there."""
    while _pays(members):
        try:
            kernel = Kernel(frame, members, graph, units)
        except Unfit as error:
            if error.at is None:
                return
            yield from _kernels(graph, _frame_of(graph, members[: error.at], frame), members[: error.at], units)
            members = members[max(error.at, 1) :]
            frame = _frame_of(graph, members, frame)
        else:
            yield kernel
            return


def _pays(members: Members) -> bool:
    """Whether a kernel for some operators is better than one for each: not where all only move numbers."""
    return len(members) > 1 and any(step.op.definition.traits.flops != 0 for step, _ in members)


def _frame_of(graph: FunctionGraph, members: Members, whole: Frame) -> Frame:
    """The frame of some operators of a group, whose frame is `whole`."""
    joined: Frame | None = None
    for step, rule in members:
        own = rule.frame(graph.call(step))
        joined = own if joined is None or own is None else joined.joined(own)
        if joined is None:
            return whole
    return whole if joined is None else joined


def rule_of(step: Instruction) -> Rule | None:
    """Return how an operator takes part in a kernel; None where it does not."""
    rule = None if step.op.declared is None else step.op.declared.traits.fuses
    if rule is None or len(step.reads()) + len(step.makes()) > WIDEST:
        return None
    drawn = rule.keyed is not None and rule.keyed(step) is not None
    return rule if step.plain or drawn else None


def groups_of(graph: FunctionGraph) -> list[Group]:
    """The groups, in the order of their first operators."""
    of_value: dict[Value, Group] = {}
    groups: list[Group] = []
    reading: dict[Value, list[Group]] = defaultdict(list)  # of values whose Variables are written again
    for step in graph.instructions:
        rule = rule_of(step) if step.free and not _ragged_otherwise(step) else None
        frame = rule.frame(graph.call(step)) if rule is not None else None
        part = graph.part(step.place)
        joined: Group | None = None
        if frame is not None and rule is not None:
            for group in _readable(step, of_value):
                count = len(group.members) + (len(joined.members) if joined is not None else 0)
                if group.closed or group.part != part or group is joined or count >= MOST:
                    continue
                fit = group.frame.joined(joined.frame if joined is not None else frame)
                if fit is None:
                    continue
                if joined is None:
                    joined = group
                else:
                    _merge(joined, group)
                joined.frame = fit
            if joined is None:
                joined = Group(frame, part)
                groups.append(joined)
            joined.members.append((step, rule))
            for value in step.reads():
                if graph.overwritten(value) is not None:
                    reading[value].append(joined)
        else:
            for value in step.makes():  # the operator may write into the array that such a group reads
                for group in reading.get(graph.history.before.get(value, value), ()):
                    group.whole().closed = True
        for group in _readable(step, of_value):
            if group is not joined:
                group.closed = True
        if joined is not None:
            of_value.update(dict.fromkeys(step.makes(), joined))
    return [group for group in groups if group.into is None]


def _readable(step: Instruction, of_value: dict[Value, Group]) -> Iterator[Group]:
    """The groups that an operator reads of, each once."""
    seen: set[int] = set()
    for value in step.reads():
        found = of_value.get(value)
        if found is not None:
            group = found.whole()
            if id(group) not in seen:
                seen.add(id(group))
                yield group


def _merge(into: Group, other: Group) -> None:
    """Put the operators of a group into another one."""
    other.into = into
    into.members = sorted([*into.members, *other.members], key=lambda member: member[0].place)


def _ragged_otherwise(step: Instruction) -> bool:
    """Whether an operator makes LoDs in another way than handing on that of an input."""
    return callable(step.op.definition.lod) and any(v.ragged for v in (*step.reads(), *step.makes()))
