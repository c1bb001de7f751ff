"""Operators that read many rows of chains: they take the arrays in place of lists of their rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ....ops.framework.traits import Stack, Sum, Unstack
from ..graph import FunctionGraph
from ..ir import Instruction, Line, ListCall, Unit, Value, joined, line, listed
from .wiring import RowsOf

SHORTEST = 4
"""The least number of values in a list that are taken together."""


class Piece(NamedTuple):
    """Some of the values of a list: rows of an array that follow each other, or one value, with size 0."""

    array: Value
    first: int = 0
    stride: int = 1
    size: int = 0

    def text(self) -> Line:
        """Return the expression of an array of these rows."""
        if not self.size:
            return line("{}[None]", self.array)
        end = self.first + self.stride * self.size
        last = "" if end < 0 else str(end)
        return line(f"{{}}[{self.first}:{last}{':-1' * (self.stride < 0)}]", self.array)


def readers(graph: FunctionGraph, taken: set[int], rows: RowsOf) -> Iterator[Instruction]:
    """Yield the instructions of operators that take the arrays of rows; taken: the places that run elsewhere."""
    for instruction in graph.instructions:
        call = _list_call(instruction) if instruction.place not in taken else None
        if call is None or instruction.outlines or instruction.donated:
            continue
        found = [pieces(values, rows) for values in call.lists]
        if all(2 * len(each) > len(values) for each, values in zip(found, call.lists, strict=True)):
            continue
        if any(len(values) < SHORTEST or _unlike(values) for values in call.lists):
            continue
        arrays = list(dict.fromkeys(piece.array for each in found for piece in each))
        given = joined(_joined(each) for each in found)
        text = line(f"{{}} = {call.function}({{}})", call.made, given)
        if any(array.place >= instruction.place for array in arrays):
            continue
        note = f"rows of {', '.join(piece.array.register for each in found for piece in each if piece.size)}"
        unit = instruction.unit or Unit("rows", (instruction.place,), note, instruction.place, tuple(arrays))
        scope = {**instruction.scope, **FUNCTIONS}
        yield replace(
            instruction, unit=unit, lines=(text,), loads=tuple(arrays), stores=(call.made,), measures=(), scope=scope
        )


def few_rows(instruction: Instruction, read: Collection[Value]) -> Instruction | None:
    """Return the unpacking of an array that takes only the rows in `read`; None if these are most rows, or for others."""
    view = instruction.op.definition.traits.view
    if instruction.unit is None or instruction.unit.kind != "view" or not isinstance(view, Unstack):
        return None
    rows = instruction.made[view.made]
    wanted = [(i, value) for i, value in enumerate(rows) if value is not None and value in read]
    given = instruction.one(view.given)
    if 4 * len(wanted) > len(rows) or given is None:
        return None
    lines = tuple(line(f"{{}} = {{}}[{i}]", value, given) for i, value in wanted)
    loads = instruction.loads if lines else ()
    return replace(instruction, lines=lines, loads=loads, stores=tuple(value for _, value in wanted))


def _list_call(instruction: Instruction) -> ListCall | None:
    """Return the call of an instruction with lists of arrays of one shape; None for other instructions."""
    if instruction.list_call is not None or not instruction.free or not instruction.plain or instruction.lods():
        return instruction.list_call
    algebra = None if instruction.op.declared is None else instruction.op.declared.traits.algebra
    values, made = instruction.read.get("X") or [], instruction.makes()
    given = [value for value in values if value is not None]
    if len(given) < len(values) or len(made) != 1 or len(instruction.reads()) != len(given):
        return None
    if isinstance(algebra, Stack) and instruction.attrs["axis"] == 0:
        return ListCall(made[0], "joined_rows", (tuple(given),))
    return ListCall(made[0], "summed_rows", (tuple(given),)) if isinstance(algebra, Sum) else None


def _unlike(values: Sequence[Value]) -> bool:
    """Return whether values may differ in shape or dtype."""
    like = values[0]
    return (
        any((v.shape, v.dtype) != (like.shape, like.dtype) or not v.sure or v.ragged for v in values)
        or like.dtype is None
    )


def pieces(values: Sequence[Value], rows: RowsOf) -> list[Piece]:
    """Return a list of values as pieces of arrays."""
    found: list[Piece] = []
    for value in values:
        if value not in rows:
            found.append(Piece(value))
            continue
        array, number = rows[value]
        last = found[-1] if found else None
        if last is not None and last.size and last.array is array:
            stride = number - last.first if last.size == 1 else last.stride
            if abs(stride) == 1 and number == last.first + stride * last.size:
                found[-1] = last._replace(stride=stride, size=last.size + 1)
                continue
        found.append(Piece(array, number, 1, 1))
    return found


def _joined(found: Sequence[Piece]) -> Line:
    """Return the expression of the tuple of the pieces."""
    return line("({})", listed(piece.text() for piece in found))


def joined_rows(pieces: Sequence[Any]) -> Any:
    """Return a new array of the rows of all pieces."""
    return np.concatenate(pieces)


def summed_rows(pieces: Sequence[Any]) -> Any:
    """Return the sum of the rows of all pieces."""
    total = pieces[0].sum(0)
    for piece in pieces[1:]:
        total += piece[0] if len(piece) == 1 else piece.sum(0)
    return total


FUNCTIONS = {"joined_rows": joined_rows, "summed_rows": summed_rows}
