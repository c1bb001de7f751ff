"""Text of Programs and blocks, and HTML tables for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.views.page import folded, html_table, scrolled
from .drawing import program_graph

if TYPE_CHECKING:
    from .block import Block
    from .program import Program

HEAD = ("block", "writes", "operator", "reads")
DRAWN = 200
"""The largest number of operators for which a notebook shows the graph."""


def program_text(program: Program) -> str:
    """Return the text of all blocks."""
    return "\n".join(block_text(block) for block in program.blocks)


def block_text(block: Block) -> str:
    """Return the text of one block, with one operator a line."""
    head = f"block {block.idx}" + (f" in block {block.parent_idx}" if block.parent_idx >= 0 else "")
    lines = [f"{head}: {len(block.vars)} variables, {len(block.ops)} operators"]
    lines += [f"  {op!r}" for op in block.ops]
    return "\n".join(lines)


def program_html(program: Program) -> str:
    """Return a table with one row for each operator (what it writes, its type, what it reads), followed by the graph.

    The graph is left out of a large Program; `paddle_lite.plot.graph(program)` draws it.
    """
    rows = []
    for block in program.blocks:
        for op in block.ops:
            outputs = ", ".join(_with_shape(block, name) for name in op.output_arg_names)
            rows.append((str(block.idx), outputs, op.type, ", ".join(op.input_arg_names)))
    several = len(program.blocks) > 1
    table = html_table(HEAD[not several :], [row[not several :] for row in rows], numbers=HEAD[:1])
    if not 0 < len(rows) <= DRAWN:
        return table
    return table + folded("graph", scrolled(program_graph(program).svg()))


def _with_shape(block: Block, name: str) -> str:
    variable = block.find(name)
    return name if variable is None else f"{name} {list(variable.shape)}"
