"""Operators of a step that put parts of rows side by side, or cut them out: concat, split and slice, and their gradients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import prod
from typing import NamedTuple

from ....kernels.codegen.ragged_loops import ColumnsPart, Part
from ....ops.framework.traits import Concat, Slice, Split
from ..ir import Instruction, Value
from .rows import Arrays, Kinds, row_of, shape_of


class Columns(NamedTuple):
    """Columns of the rows of `given`, from `begin` on, that are `wide` columns of `made` from `at` on."""

    given: Value
    begin: int
    made: Value
    at: int
    wide: int


class ColumnsStep(NamedTuple):
    """Columns that are copied; zeros: whether what is made has other columns, which are zeros."""

    columns: tuple[Columns, ...]
    zeros: bool = False

    def reads(self) -> Sequence[Value]:
        """Return the values that it reads."""
        return [each.given for each in self.columns]

    def note_rows(self, kinds: Kinds) -> None:
        """Note the kind of the rows of what it makes."""
        kind = kinds.common(self.reads(), self.columns[0].made.name)
        for each in self.columns:
            kinds.note(each.made, kind)

    def made_with(self, arrays: Arrays) -> list[Part]:
        """Return the parts that copy the columns, and add what they make."""
        for made in dict.fromkeys(each.made for each in self.columns):
            arrays.add(made, steps=made in arrays.kept)
        return [
            ColumnsPart(
                arrays.rows_of(each.made), arrays.number(each.given), each.begin, arrays.number(each.made), each.at, each.wide,
                (row_of(each.given), row_of(each.made)), self.zeros,
            )
            for each in self.columns
        ]  # fmt: skip


def columns_of(step: Instruction) -> ColumnsStep | None:
    """Return the columns that an operator copies; None for other operators."""
    definition = step.op.definition
    traits, forward = definition.traits, definition.forward
    if not step.plain:
        return None
    if isinstance(traits.algebra, Concat):
        return _parts(step, step.read.get("X") or (), [step.out("Out")])
    if isinstance(traits.algebra, Split):
        return _parts(step, [step.one("X")], step.made["Out"])
    if forward is not None and isinstance(forward.traits.algebra, Concat):
        return _parts(step, [step.one("Out@GRAD")], step.made["X@GRAD"], step.read.get("X") or ())
    if isinstance(traits.view, Slice):
        return _cut(step, traits.view, step.one(traits.view.given), step.out("Out"))
    if forward is not None and isinstance(forward.traits.view, Slice):
        given = forward.traits.view.given
        return _cut(step, forward.traits.view, step.out(f"{given}@GRAD"), step.one("Out@GRAD"))
    return None


def _parts(
    step: Instruction, given: Sequence[Value | None], made: Sequence[Value | None], like: Sequence[Value | None] = ()
) -> ColumnsStep | None:
    """Return the columns of parts of rows that are put side by side, or of rows that are cut to parts; like: the shapes of parts."""
    whole, parts = (made[0], given) if len(made) == 1 and not like else (given[0], made)
    shapes = [value.shape if value is not None else () for value in (like or parts)]
    if whole is None or len(whole.shape) < 2 or prod(whole.shape[1 : _axis(step, whole)]) != 1:
        return None
    alike = all(shape[:1] == whole.shape[:1] for shape in shapes)
    if _axis(step, whole) == 0 or not alike or not _only(step, [*given, *like]):
        return None
    widths = [prod(shape[1:]) for shape in shapes]
    found = list(_placed(whole, parts, widths, gathers=whole in made))
    return ColumnsStep(tuple(found)) if found and sum(widths) == prod(whole.shape[1:]) else None


def _placed(whole: Value, parts: Sequence[Value | None], widths: Sequence[int], gathers: bool) -> Iterator[Columns]:
    """Yield the columns of parts of a value; gathers: whether they are put together to it."""
    for part, width, at in zip(parts, widths, [0, *accumulate(widths)], strict=False):
        if part is not None:
            yield Columns(part, 0, whole, at, width) if gathers else Columns(whole, at, part, 0, width)


def _cut(step: Instruction, view: Slice, whole: Value | None, part: Value | None) -> ColumnsStep | None:
    """Return the columns of a part of rows; into the whole for a gradient."""
    bounds = view.bounds(step.attrs)
    if whole is None or part is None or bounds is None or {*bounds} != {1} or not view.dropped(step.attrs) <= {1}:
        return None
    if whole.shape[:1] != part.shape[:1] or not _only(step, [whole, part]):
        return None
    begin, end, _ = slice(*bounds[1]).indices(whole.shape[1])
    inner = prod(whole.shape[2:])
    if end <= begin or prod(part.shape[1:]) != (end - begin) * inner:
        return None
    count = (end - begin) * inner
    if whole in step.makes():
        return ColumnsStep((Columns(part, 0, whole, begin * inner, count),), zeros=True)
    return ColumnsStep((Columns(whole, begin * inner, part, 0, count),))


def _axis(step: Instruction, whole: Value) -> int:
    return int(step.attrs["axis"]) % len(whole.shape)


def _only(step: Instruction, values: Sequence[Value | None]) -> bool:
    """Return whether an operator reads these values only, all with sizes known but for their rows, and all or none with rows."""
    return {*step.whole()} <= {*values} and len({shape_of(v)[0] for v in values if v is not None}) == 1
