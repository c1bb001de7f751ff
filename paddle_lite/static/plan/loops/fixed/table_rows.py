"""What a round does with rows of a table, at places that it computes: taking them, and the gradient of the table."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Literal, NamedTuple

from .....kernels.codegen.fixed_loops import RowsPart
from .....kernels.codegen.ragged_loops import Part
from ....program.operator import Operator
from ...ir import Instruction, Value
from ..limits import Unfit
from ..rows import Arrays, Kinds, shape_of


def table_of(op: Operator) -> str | None:
    """Return the name of the table that an operator takes rows of, or whose gradient it computes of such rows; None for other operators."""
    definition = op.declared
    if definition is None:
        return None
    takes = (definition.forward or definition).traits.takes_rows
    if takes is None:
        return None
    [name] = op.inputs[takes.table] if definition.forward is None else op.outputs[f"{takes.table}@GRAD"]
    return name


class RowsStep(NamedTuple):
    """Rows of a table, as `RowsPart` says.

    tuples: whether a place is several integers. total: whether the gradient of the table is summed up over all rounds in its array.
    """

    how: Literal["take", "put", "add"]
    table: Value
    places: Value
    rows: Value
    skip: int | None
    tuples: bool
    total: bool = False

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [self.table, self.places] if self.how == "take" else [self.places, self.rows]

    def note_rows(self, kinds: Kinds) -> None:
        """Note nothing: a value is a whole."""

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the part of the kernel, and add what it makes."""
        (_, table), (_, rows), (_, index) = map(shape_of, (self.table, self.rows, self.places))
        axes = index[-1] if self.tuples else 1
        count, width = prod(index) // max(axes, 1), prod(table[axes:])
        if self.table.dtype != self.rows.dtype or prod(rows) != count * width or not axes:
            raise Unfit(f"{self.rows.name} has other rows than {self.table.name}")
        if self.how == "take":
            arrays.add(self.rows, steps=self.rows in arrays.kept)
        elif self.total:
            arrays.add(self.table, whole=True, zeros=True)
        else:
            arrays.add(self.table, steps=self.table in arrays.kept)
        table_at, places_at, rows_at = (arrays.number(value) for value in (self.table, self.places, self.rows))
        fresh = self.how != "take" and not self.total
        part = RowsPart(self.how, table_at, places_at, rows_at, count, table[:axes], width, self.skip, fresh)
        return [part]  # type: ignore[list-item]


def rows_step(step: Instruction) -> RowsStep | None:
    """Return what an operator becomes that takes rows of a table, or computes the gradient of one; None for others."""
    definition = step.op.definition
    forward = definition.forward
    takes = (forward or definition).traits.takes_rows
    if takes is None or not step.plain:
        return None
    index, skip = step.one(takes.index), takes.skip(step.attrs)
    if forward is None:
        table, rows = step.one(takes.table), step.out("Out")
        how = "take"
    else:
        table, rows = step.out(f"{takes.table}@GRAD"), step.one("Out@GRAD")
        how = "put" if takes.last(step.attrs) else "add"
        if not takes.dense(step.attrs):
            raise Unfit(f"{step.type} makes a gradient of some rows only")
    if index is None or table is None or rows is None or index.dtype is None or index.dtype.kind != "i":
        return None
    if how == "put" and prod(index.shape) == 1:
        how = "add"  # it is the same for one row
    return RowsStep(how, table, index, rows, skip, takes.tuples)  # type: ignore[arg-type]
