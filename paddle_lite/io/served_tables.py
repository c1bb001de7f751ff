"""Embedding tables that parameter servers hold, as models for inference have them: whole, and looked up in place."""

from __future__ import annotations

from typing import Any

from ..static.program.operator import Operator
from ..static.program.program import Program

REMOTE = "distributed_lookup_table"


def served_tables(program: Program) -> list[str]:
    """Return the names of the tables whose rows a trainer's Program asks servers for."""
    return list(dict.fromkeys(op.input("W")[0] for op in program.all_ops() if op.type == REMOTE))


def look_up_in_place(program: Program) -> None:
    """Replace look-ups on servers by look-ups in the table itself; change the Program in place."""
    for block in program.blocks:
        for at, op in [(i, op) for i, op in enumerate(block.ops) if op.type == REMOTE][::-1]:
            attrs: dict[str, Any] = {"padding_idx": op.attr("padding_idx"), "is_sparse": True, "op_role": op.role}
            pairs = zip(op.input("Ids"), op.output("Outputs"), strict=True)
            block.ops[at : at + 1] = [
                Operator(
                    block,
                    op.attr("lookup_table_version"),
                    {"Ids": [ids], "W": op.input("W")},
                    {"Out": [out]},
                    dict(attrs),
                    op.line,
                )
                for ids, out in pairs
            ]
    program._changed()
