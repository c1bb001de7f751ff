"""The operators of a Program that update parameters and learning rates, and what they keep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...static.program.program import Program
from ...static.program.roles import OpRole
from .blocks import Trained, updates_parameter

CLIPPING = "gradient_clip"  # the name scope of these operators


def leave_clipping(program: Program) -> None:
    """Count the operators that clip gradients to the backward pass: trainers run them, each on its own gradients, and send what they make."""
    for op in program.global_block().ops:
        if CLIPPING in (op.attrs.get("op_namescope") or ""):
            op._set_attr("op_role", int(OpRole.Backward))


def decay_operators(source: Program) -> list[Any]:
    """Return the operators that compute the learning rate."""
    return [op for op in source.global_block().ops if op.role & OpRole.LRSched]


def update_of(source: Program, trained: Trained) -> Iterable[Any]:
    """Return the operators that regularise and update a parameter."""
    for op in source.global_block().ops:
        if op.role & OpRole.Optimize and not op.role & OpRole.LRSched:
            names = op.attr("op_role_var")
            if names[:1] == [trained.name] or (updates_parameter(op) and op.input("Param") == [trained.name]):
                yield op


def state_of(source: Program, trained: Trained) -> list[str]:
    """Return the names of what the update of a parameter keeps beside it."""
    block = source.global_block()
    names = dict.fromkeys(name for op in update_of(source, trained) for name in op.input_arg_names)
    return [name for name in names if name in block.vars and block.var(name).persistable]
