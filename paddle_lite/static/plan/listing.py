"""What a Plan runs, for people: a row for each kernel, with its operators and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from ...core.text import format_bytes, format_columns, format_count
from ..program.block import Block
from ..program.operator import Operator
from .costs import Amount, bytes_read, flops, size_of
from .graph import FunctionGraph
from .ir import Instruction, Unit, Value
from .needed import PASSED_BY
from .passes import PASSES
from .writer import Writer

IDLE = frozenset({"alias", "constant", "unread"})
"""Kinds of units for which nothing is called."""
FREE = IDLE | {"view"}
"""Kinds of units that move nothing."""
NAMED = 6  # types of operators in the name of a kernel


class Row(NamedTuple):
    """One kernel of a Plan, or operators that need none.

    kernel: the operator's type, or how several run as one and which these are. operators: how many. results: what it makes for
    others. moved: bytes read and written; flops: floating-point operations; None where nothing is known, and both where blocks
    run, whose rows follow. note: why it runs so. depth: in how many blocks it stands. runs: whether anything is called.
    unknown: the types of which the FLOPs are not known.
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
        title: what the Plan is. writer: what wrote its function. operators: all of its block.

    Attributes:
        rows: the rows. passes: the names of the passes. left_out: types of operators that need not run, with their numbers.
    """

    def __init__(self, title: str, writer: Writer, operators: Sequence[Operator]) -> None:
        self.title = title
        self.rows = list(_rows(writer, 0))
        self.passes = sorted(writer.options.passes) if writer.rewritten else []
        kept = {id(op) for op in writer.ops}
        self.left_out = Counter(op.type for op in operators if id(op) not in kept and op.type not in PASSED_BY)

    @property
    def operators(self) -> int:
        """How many operators there are, those in blocks too."""
        return sum(row.operators for row in self.rows)

    @property
    def calls(self) -> int:
        """How many kernels are called, those in blocks once each."""
        return sum(row.runs for row in self.rows)

    @property
    def moved(self) -> Amount:
        """The bytes that are read and written."""
        return sum((row.moved for row in self.rows if row.moved is not None), Amount())

    @property
    def flops(self) -> Amount:
        """The floating-point operations, as far as they are known."""
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
        """A table and totals, with sizes that are known only at run time as N, or for a batch."""
        head = ["#", "kernel", "result", "moved", "FLOPs", ""]
        return "\n\n".join([self.title, format_columns([head, *self._cells(batch)]), "\n".join(self._totals(batch))])

    __str__ = text

    def html(self, batch: int | None = None) -> str:
        """The same for notebooks."""
        head = "".join(f"<th>{title}</th>" for title in ("#", "kernel", "result", "moved", "FLOPs", "note"))
        rows = ["".join(f"<td>{_spaced(cell)}</td>" for cell in cells) for cells in self._cells(batch)]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        below = "<br>".join(map(escape, self._totals(batch)))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<p>{escape(self.title)}</p>{table}<p>{below}</p>"


def _spaced(cell: str) -> str:
    """A cell as HTML; the indent of what stands in a block stays."""
    kept = cell.lstrip()
    return "&emsp;" * ((len(cell) - len(kept)) // 2) + escape(kept)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(type if n == 1 else f"{type} x {n}" for type, n in sorted(counts.items()))


def _shown(results: Sequence[Value], batch: int | None) -> str:
    """The first result with its shape, and how many more there are."""
    if not results:
        return ""
    unknown = "N" if batch is None else str(batch)
    first = results[0]
    shape = "" if first.dtype is None else f" [{', '.join(unknown if n < 0 else str(n) for n in first.shape)}]"
    return f"{first.name}{shape}" + (f" and {len(results) - 1} more" if len(results) > 1 else "")


# --- rows -----------------------------------------------------------------------------------------------------------------


def _rows(writer: Writer, depth: int, part: int | None = None) -> Iterator[Row]:
    """The rows of a block, or of one part of it, each followed by those of the blocks in it."""
    graph = writer.graph
    costs = [flops(step) for step in writer.built.instructions]  # of what no pass has touched
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
    """The row of an operator that runs by itself."""
    inner = next((value for value in step.op.attrs.values() if isinstance(value, Block)), None)
    made = step.makes()
    if inner is not None:
        return Row(step.type, 1, made, None, None, f"runs block {inner.idx}", depth)
    used = [value for value in made if graph.used(value)]
    moved = sum((size_of(value) for value in made), bytes_read(step))
    return Row(step.type, 1, used or made, moved, cost, depth=depth, unknown=() if cost is not None else (step.type,))


def _together(writer: Writer, unit: Unit, costs: Sequence[Amount | None], depth: int) -> Row:
    """The row of operators that run as one; by place, `costs` are their FLOPs."""
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
