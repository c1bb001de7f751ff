"""The listing of a Plan: a row for each kernel, with its operators and their cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...core.text import format_bytes, format_columns, format_count
from ...core.views.page import html_table
from ..program.block import Block
from ..program.operator import Operator
from .costs import Amount, bytes_read, flops, size_of
from .graph import FunctionGraph
from .ir import Instruction, Unit, Value
from .needed import PASSED_BY
from .passes import PASSES
from .writer import Writer

IDLE = frozenset({"alias", "constant", "unread"})
"""Kinds of units that call no kernel."""
FREE = IDLE | {"view"}
"""Kinds of units that move no bytes."""
NAMED = 6  # limit of the operator types in the name of a kernel


class Row(NamedTuple):
    """One kernel of a Plan, or operators that need no kernel.

    kernel: the operator's type, or the kind of a unit and the types of its operators. operators: their number.
    results: the values that others read. moved: the bytes read and written. flops: the floating-point operations; None
    if they are unknown. Both are None for an operator that runs a block, whose rows follow. note: the explanation.
    depth: the nesting depth of its block. runs: whether a kernel is called. unknown: the operator types with unknown
    FLOPs.
    """

    kernel: str
    operators: int
    results: list[Value]
    moved: Amount | None
    flops: Amount | None
    note: str = ""
    depth: int = 0
    runs: bool = True
    unknown: tuple[str, ...] = ()


class Listing:
    """The rows of a Plan in running order; `print(listing)` shows them.

    Arguments:
        title: the heading. writer: the Writer of the Plan's function. operators: all operators of the Plan's block.

    Attributes:
        rows: the rows. passes: the names of the passes. left_out: the types of operators that are not run -> their
            numbers.
    """

    def __init__(self, title: str, writer: Writer, operators: Sequence[Operator]) -> None:
        self.title = title
        self.rows = list(_rows(writer, 0))
        self.passes = sorted(writer.options.passes) if writer.rewritten else []
        kept = {id(op) for op in writer.ops}
        self.left_out = Counter(op.type for op in operators if id(op) not in kept and op.type not in PASSED_BY)

    @property
    def operators(self) -> int:
        """The number of operators, including those in blocks."""
        return sum(row.operators for row in self.rows)

    @property
    def calls(self) -> int:
        """The number of kernel calls; those in blocks count once."""
        return sum(row.runs for row in self.rows)

    @property
    def moved(self) -> Amount:
        """The bytes that are read and written."""
        return sum((row.moved for row in self.rows if row.moved is not None), Amount())

    @property
    def flops(self) -> Amount:
        """The sum of the known floating-point operations."""
        return sum((row.flops for row in self.rows if row.flops is not None), Amount())

    def _cells(self, batch: int | None) -> Iterator[list[str]]:
        number = 0
        for row in self.rows:
            number += row.runs
            shown = "?" if row.flops is None else row.flops.text(format_count, batch)
            cost = [row.moved.text(format_bytes, batch), shown] if row.runs and row.moved is not None else ["", ""]
            indent = "  " * row.depth
            yield [
                str(number) if row.runs else "-",
                indent + row.kernel,
                _shown(row.results, batch),
                *cost,
                row.note,
            ]

    def _totals(self, batch: int | None) -> list[str]:
        of = "N is the batch" if batch is None else f"a batch of {batch}"
        rounds = "; each block once" if any(row.depth for row in self.rows) else ""
        moved, computed = self.moved.text(format_bytes, batch), self.flops.text(format_count, batch)
        lines = [
            f"{_count(self.operators, 'operator')} in {_count(self.calls, 'call')}: {moved} moved, {computed} FLOPs "
            f"(estimates from the shapes; {of}{rounds})",
            f"Passes: {'all' if self.passes == sorted(PASSES) else ', '.join(self.passes) or 'none'}",
        ]
        if self.left_out:
            lines.append(f"Not run, for nobody reads what they make: {_counted(self.left_out)}")
        unknown = Counter(type for row in self.rows for type in row.unknown)
        if unknown:
            lines.append(f"FLOPs not known of {_counted(unknown)}")
        return lines

    def text(self, batch: int | None = None) -> str:
        """Return a table with totals as text; batch: the number for sizes known only at run time; N if None."""
        head = ["#", "kernel", "result", "moved", "FLOPs", ""]
        return "\n\n".join([self.title, format_columns([head, *self._cells(batch)]), "\n".join(self._totals(batch))])

    __str__ = text

    def html(self, batch: int | None = None) -> str:
        """Return the table with totals as HTML, for notebooks."""
        head = ("#", "kernel", "result", "moved", "FLOPs", "note")
        return html_table(head, self._cells(batch), ("#", "moved", "FLOPs"), "\n".join(self._totals(batch)), self.title)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(type if n == 1 else f"{type} x {n}" for type, n in sorted(counts.items()))


def _shown(results: Sequence[Value], batch: int | None) -> str:
    """Return the text of the first result with its shape, and the number of further results."""
    if not results:
        return ""
    unknown = "N" if batch is None else str(batch)
    first = results[0]
    shape = "" if first.dtype is None else f" [{', '.join(unknown if n < 0 else str(n) for n in first.shape)}]"
    return f"{first.name}{shape}" + (f" and {len(results) - 1} more" if len(results) > 1 else "")


# --- rows -----------------------------------------------------------------------------------------------------------------


def _rows(writer: Writer, depth: int, part: int | None = None) -> Iterator[Row]:
    """Return the rows of a block, or of one part of it, each followed by the rows of its inner blocks."""
    graph = writer.graph
    costs = [flops(step) for step in writer.built.instructions]  # of the operators before passes
    for step in graph.instructions:
        if part not in (None, graph.part(step.place)):
            continue
        if step.unit is None:
            yield _alone(graph, step, costs[step.place], depth)
            if step.body is not None:
                body, number = step.body
                yield from _rows(body, depth + 1, number)
        elif step.place == step.unit.home:
            yield _together(writer, step.unit, costs, depth)


def _alone(graph: FunctionGraph, step: Instruction, cost: Amount | None, depth: int) -> Row:
    """Return the row of an operator that belongs to no unit."""
    inner = next((value for value in step.op.attrs.values() if isinstance(value, Block)), None)
    made = step.makes()
    if inner is not None:
        reason = step.body[0].unfit() if step.body is not None and step.body[1] == 0 else ""
        note = f"runs block {inner.idx}{', round by round: ' * bool(reason)}{reason}"
        return Row(step.type, 1, made, None, None, note, depth)
    used = [value for value in made if graph.used(value)]
    moved = sum((size_of(value) for value in made), bytes_read(step))
    return Row(step.type, 1, used or made, moved, cost, depth=depth, unknown=() if cost is not None else (step.type,))


def _together(writer: Writer, unit: Unit, costs: Sequence[Amount | None], depth: int) -> Row:
    """Return the row of a unit; costs: the FLOPs of operators by place."""
    graph, places = writer.graph, sorted(unit.places)
    steps = [graph.instructions[place] for place in places]
    counts = Counter(step.type for step in steps)
    types = [type if n == 1 else f"{type} x {n}" for type, n in counts.items()]
    named = " + ".join(types if len(types) <= NAMED else [*types[:NAMED], "..."])
    made = [value for step in steps for value in step.makes()]
    wanted = writer.built.results | graph.results
    given = [v for v in made if v in wanted or any(place not in unit.places for place in graph.readers(v))]
    given.sort(key=lambda value: -value.place)
    runs = unit.kind not in IDLE
    moved = Amount()
    if unit.kind not in FREE:
        outside = (value for step in steps for value in step.whole() if value.place not in unit.places)
        taken = dict.fromkeys(outside) if unit.loads is None else unit.loads
        moved = sum(map(size_of, [*taken, *given]), Amount())
    unknown = tuple(step.type for step in steps if runs and costs[step.place] is None)
    computed = sum((cost for step in steps if runs and (cost := costs[step.place]) is not None), Amount())
    known = None if unknown and not computed else computed
    return Row(f"{unit.kind}: {named}", len(steps), given or made, moved, known, unit.note, depth, runs, unknown)
