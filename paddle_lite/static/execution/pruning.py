"""Runs of a part of a Program: only chosen updates of parameters, and nothing that computes what is fed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from ...core.errors import ArgumentTypeError, describe, message
from ..program.cloning import copy_program, prune
from ..program.operator import Operator
from ..program.program import Program
from ..program.roles import OpRole

_parts: WeakKeyDictionary[Program, dict[Any, Program]] = WeakKeyDictionary()


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


def part_of(
    program: Program, updates: Sequence[Operator], fetches: Sequence[str], fed: Iterable[str], cut: bool
) -> Program:
    """Return the Program that a run needs; the same one for the same arguments, so that its Plans are kept.

    Arguments:
        updates: the updates of parameters to run, without all others; all of them where this is empty.
        fetches: the names of what is fetched.
        fed: the names of what is fed.
        cut: whether to leave out what computes a fed Variable.
    """
    written = {name for op in program.global_block().ops for name in op.output_arg_names} if cut else set()
    given = frozenset(written.intersection(fed))
    if not updates and not given:
        return program
    parts = _parts.setdefault(program, {})
    key = (program._version, tuple(updates), tuple(fetches) if updates else (), given)
    found = parts.get(key)
    if found is None:
        for old in [k for k in parts if k[0] != program._version]:
            del parts[old]
        if updates:
            found = prune(program, [*fetches, *updates], given)
            found._readers = list(program._readers)
        else:
            found = copy_program(
                program, lambda op: not op.output_arg_names or not given.issuperset(op.output_arg_names)
            )
        parts[key] = found
    return found
