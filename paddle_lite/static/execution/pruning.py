"""Runs of a part of a Program: only chosen updates of parameters, and nothing that computes what is fed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from ...core.errors import ArgumentTypeError, describe, message
from ..program.cloning import copy_program, prune
from ..program.operator import Operator
from ..program.program import Program
from ..program.roles import OpRole


def split_updates(fetch_list: Any, where: str = "Executor.run") -> tuple[list[Operator], Any]:
    """Return the operators in a fetch_list that update parameters, and the fetch_list without them.

    They are in it one by one, or as what `minimize` returned: (operators, [(parameter, gradient)]).

    Raises:
        ArgumentTypeError: an operator does not update a parameter.
    """
    if not isinstance(fetch_list, (list, tuple)):
        return [], fetch_list
    updates: list[Operator] = []
    rest = []
    for item in fetch_list:
        found = _operators(item)
        if not found:
            rest.append(item)
        updates += found
    for op in updates:
        if not op.role & OpRole.Optimize:
            needs = "operators of an optimizer, as minimize() returns them, Variables, or their names"
            raise ArgumentTypeError(message(where, "fetch_list", describe(op), needs))
    return updates, rest


def _operators(item: Any) -> list[Operator]:
    if isinstance(item, Operator):
        return [item]
    if isinstance(item, (list, tuple)):
        first = item[0] if item and isinstance(item[0], (list, tuple)) else item
        return [op for op in first if isinstance(op, Operator)]
    return []


class Parts:
    """The parts of Programs that an Executor has run, so that their Plans are kept."""

    def __init__(self) -> None:
        self._parts: WeakKeyDictionary[Program, dict[Any, Program]] = WeakKeyDictionary()

    def get(self, program: Program, key: Sequence[Any], make: Callable[[], Program]) -> Program:
        """Return a part of a Program; the same one for the same key, unless the Program was changed."""
        parts = self._parts.setdefault(program, {})
        full = (program.changes, *key)
        if full not in parts:
            for old in [k for k in parts if k[0] != program.changes]:
                del parts[old]
            parts[full] = make()
        return parts[full]


def until_readers(program: Program) -> Program:
    """Return a copy of a Program with the operators that run before its readers and take nothing from them."""
    behind = {name for reader in program._readers for name in reader.names}
    first = set()
    for op in program.global_block().ops:
        if op.after_readers or not behind.isdisjoint(op.input_arg_names):
            behind.update(op.output_arg_names)
        else:
            first.add(op)
    part = copy_program(program, lambda op: op.block.idx > 0 or op in first)
    part._readers = []
    return part


def part_of(program: Program, fed: Iterable[str], fetches: Sequence[str], updates: Sequence[Operator]) -> Program:
    """Return a copy of a Program with what the fetched Variables and updates of parameters need and is not fed.

    Arguments:
        fed: the names of what is fed.
        fetches: the names of what is fetched.
        updates: the operators of optimizers to run; all of them where this is empty.
    """
    wanted = updates or [op for op in program.global_block().ops if op.role & OpRole.Optimize]
    part = prune(program, [*fetches, *wanted], fed)
    part._readers = list(program._readers)
    return part
