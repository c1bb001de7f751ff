"""The grouping of a Plan's operators for fusion.

A group runs in the place of its last operator. So an operator joins the group that makes its inputs only if no operator
outside the group has read a result of the group.
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
"""The limit of operators in a group: longer expressions gain little, and take long to compile."""

WIDEST = 48
"""The limit of values that an operator reads and makes: more array addresses do not fit into the registers of a CPU."""

Members = list[tuple[Instruction, Rule]]


class Group:
    """A group of operators that can be fused.

    Attributes:
        frame: the iteration space of their loops. members: the operators with their rules, in order. closed: whether no
            more operators may join. into: the group that it was merged into, or None.
    """

    def __init__(self, frame: Frame, part: int) -> None:
        self.frame, self.part = frame, part
        self.members: Members = []
        self.closed = False
        self.into: Group | None = None  # the group that it was merged into

    def whole(self) -> Group:
        """Return the group that it has been merged into, or itself."""
        group = self
        while group.into is not None:
            group = group.into
        return group


def fuse(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of the groups that are worth fusing; operators that cannot be fused are unchanged."""
    units: dict[int, Unit] = {}  # place -> unit, for the groups so far
    for group in groups_of(graph):
        for kernel in _kernels(graph, group.frame, group.members, units):
            made = list(fused(graph, kernel))
            units.update((each.place, each.unit) for each in made if each.unit is not None)
            yield from made


def _kernels(graph: FunctionGraph, frame: Frame, members: Members, units: Mapping[int, Unit]) -> Iterator[Kernel]:
    """Return the kernels of a group: one, or several if the group is split before an operator that does not fit."""
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
    """Return whether fusing operators pays: there are several, and at least one of them computes something."""
    return len(members) > 1 and any(step.op.definition.traits.flops != 0 for step, _ in members)


def _frame_of(graph: FunctionGraph, members: Members, whole: Frame) -> Frame:
    """Return the common frame of some operators of a group; `whole`, the group's frame, if they have none."""
    joined: Frame | None = None
    for step, rule in members:
        own = rule.frame(graph.call(step))
        joined = own if joined is None or own is None else joined.joined(own)
        if joined is None:
            return whole
    return whole if joined is None else joined


def rule_of(step: Instruction) -> Rule | None:
    """Return the fusion rule of an operator; None if it cannot be fused."""
    rule = None if step.op.declared is None else step.op.declared.traits.fuses
    if rule is None or len(step.reads()) + len(step.makes()) > WIDEST:
        return None
    drawn = rule.keyed is not None and rule.keyed(step) is not None
    return rule if step.plain or drawn else None


def groups_of(graph: FunctionGraph) -> list[Group]:
    """Return the groups, in the order of their first operators."""
    of_value: dict[Value, Group] = {}
    groups: list[Group] = []
    reading: dict[Value, list[Group]] = defaultdict(list)  # the groups that read a value whose Variable is overwritten
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
            for value in step.makes():  # the operator may update in place an array that the group reads
                for group in reading.get(graph.history.before.get(value, value), ()):
                    group.whole().closed = True
        for group in _readable(step, of_value):
            if group is not joined:
                group.closed = True
        if joined is not None:
            of_value.update(dict.fromkeys(step.makes(), joined))
    return [group for group in groups if group.into is None]


def _readable(step: Instruction, of_value: dict[Value, Group]) -> Iterator[Group]:
    """Return the distinct groups whose results an operator reads."""
    seen: set[int] = set()
    for value in step.reads():
        found = of_value.get(value)
        if found is not None:
            group = found.whole()
            if id(group) not in seen:
                seen.add(id(group))
                yield group


def _merge(into: Group, other: Group) -> None:
    """Merge a group into another one."""
    other.into = into
    into.members = sorted([*into.members, *other.members], key=lambda member: member[0].place)


def _ragged_otherwise(step: Instruction) -> bool:
    """Return whether an operator computes LoDs by a function, not by propagating the LoD of an input."""
    return callable(step.op.definition.lod) and any(v.ragged for v in (*step.reads(), *step.makes()))
