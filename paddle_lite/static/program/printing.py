"""Text of Programs and blocks, and HTML tables for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .drawing import can_make_pictures, program_svg

if TYPE_CHECKING:
    from .block import Block
    from .program import Program

DRAWN = 200
"""The largest number of operators for which a notebook shows the graph."""


def program_text(program: Program, with_details: bool) -> str:
    """Return the text of all blocks."""
    return "\n".join(block_text(block, with_details) for block in program.blocks)


def block_text(block: Block, with_details: bool) -> str:
    """Return the text of one block, with one operator a line; with details, the Variables come first."""
    head = f"block {block.idx}" + (f" in block {block.parent_idx}" if block.parent_idx >= 0 else "")
    lines = [f"{head}: {len(block.vars)} variables, {len(block.ops)} operators"]
    if with_details:
        lines += [f"  {variable.to_string(with_details=True)}" for variable in block.vars.values()]
    lines += [f"  {op!r}" for op in block.ops]
    return "\n".join(lines)


def program_html(program: Program) -> str:
    """Return a table with one row for each operator (what it writes, its type, what it reads), followed by the graph.

    The graph is included if Graphviz and its library are installed and the Program is not too large.
    """
    rows = []
    for block in program.blocks:
        for op in block.ops:
            outputs = ", ".join(_with_shape(block, name) for name in op.output_arg_names)
            cells = (str(block.idx), outputs, op.type, ", ".join(op.input_arg_names))
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{title}</th>" for title in ("block", "writes", "operator", "reads"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    if not rows or len(rows) > DRAWN or not can_make_pictures():
        return table
    return f"{table}<details><summary>graph</summary>{program_svg(program)}</details>"


def _with_shape(block: Block, name: str) -> str:
    variable = block.find(name)
    return name if variable is None else f"{name} {list(variable.shape)}"
