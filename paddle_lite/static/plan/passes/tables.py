"""Gradients of a table whose rows are looked up several times: one array, to which the rows of all gradients are added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....kernels.cpu.shape.indexed_rows import sum_of_rows
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, Value, joined, line
from .changes import sole_maker
from .products import is_sum


class _Part(NamedTuple):
    """The gradient operator of a lookup: the table, the rows' indices, what is added to them, and the index left out."""

    step: Instruction
    table: Value
    rows: Value
    values: Value
    skip: int


def join_tables(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of the sums of tables' gradients, and of the gradient operators that they sum."""
    for total in graph.instructions:
        terms = [value for value in total.read.get("X") or [] if value is not None]
        if len(terms) < 2 or not is_sum(total) or not total.plain or not total.free:
            continue
        found = {value: _part(graph, value, total) for value in terms}
        parts = [part for part in found.values() if part is not None]
        made = total.out("Out")
        if not parts or made is None or len(found) != len(terms) or len({part.table for part in parts}) != 1:
            continue
        table, others = parts[0].table, [value for value, part in found.items() if part is None]
        if any(value.dtype != table.dtype or value.ragged for value in [*others, *(part.values for part in parts)]):
            continue
        places = tuple(sorted([total.place, *(part.step.place for part in parts)]))
        unit = Unit("rows together", places, f"the rows of {len(parts)} gradients are added to one array", total.place)
        for part in parts:
            yield part.step.run_as(unit)
        indices, values = [part.rows for part in parts], [part.values for part in parts]
        lists = joined(line("[{}]", joined(each)) for each in (others, indices, values))
        text = line(f"{{}} = sum_of_rows({{}}.shape, {{}}, {[part.skip for part in parts]})", made, table, lists)
        yield total.run_as(
            unit, [text], [*others, *indices, *values], [made], measures=(table,), scope={"sum_of_rows": sum_of_rows}
        )


def _part(graph: FunctionGraph, value: Value, total: Instruction) -> _Part | None:
    """Return the gradient operator of a lookup that makes a value for this sum alone; None for other values."""
    step = sole_maker(graph, value, total.place)
    adds = None if step is None else step.op.definition.traits.adds_rows
    if step is None or adds is None or not step.plain or not step.free or not adds.when(step.attrs):
        return None
    table, index, values = step.one(adds.table), step.one(adds.index), step.one(adds.values)
    if table is None or index is None or values is None:
        return None
    if graph.overwritten(index) is not None or graph.overwritten(values) is not None:
        return None  # they may have other elements at the sum
    return _Part(step, table, index, values, adds.skip(step.attrs))
