"""Construction of nested blocks and of the operators that own them (while, conditional_block)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.dtype import VarType
from ..plan.needed import outer_reads, outer_writes
from . import program as programs
from .block import Block
from .operator import Operator


@contextmanager
def nested_block(repeats: bool = False) -> Iterator[Block]:
    """Open a nested block of the current one; operators called inside the `with` are appended to it.

    Arguments:
        repeats: whether it is the body of a loop.
    """
    program = programs.default_main_program()
    block = program._create_block()
    block.repeats = repeats
    try:
        yield block
    finally:
        program._rollback()


def merge_into_parent(block: Block) -> None:
    """Move the contents of the newest block to the end of its enclosing block, and remove it."""
    around = block.parent
    assert around is not None and block.program.blocks[-1] is block
    del block.program.blocks[-1]
    move_contents(block, around)


def move_contents(block: Block, target: Block) -> None:
    """Move the Variables and operators of a block to another one, after those that it has."""
    for name, variable in block.vars.items():
        variable.block = target
        target.vars[name] = variable
    for op in block.ops:
        op.block = target
        target.place(op)


def reads_from_outside(block: Block) -> list[str]:
    """Return the names of the Variables of enclosing blocks that a block reads."""
    return [n for n in outer_reads(block.ops, (), left=False) if n not in block.vars and block.find(n) is not None]


def writes_to_outside(block: Block) -> list[str]:
    """Return the names of the Variables of enclosing blocks that a block writes."""
    return [n for n in outer_writes(block.ops, block) if block.find(n) is not None]


def _scopes(block: Block) -> Any:
    return block.declare_var(type=VarType.STEP_SCOPES)


def append_while(condition: Any, block: Block, is_test: bool = False) -> Operator:
    """Append and return the `while` operator whose body is a complete block."""
    around = block.parent
    assert around is not None
    writes = writes_to_outside(block)
    reads = [n for n in reads_from_outside(block) if n != condition.name]
    outputs = {"Out": writes, "StepScopes": [_scopes(around)]}
    attrs = {"sub_block": block, "is_test": is_test}
    return around.append_op("while", {"X": reads, "Condition": [condition]}, outputs, attrs)


def append_conditional(conditions: Sequence[Any], block: Block, is_scalar_condition: bool) -> Operator:
    """Append and return the `conditional_block` operator whose body is a complete block."""
    around = block.parent
    assert around is not None
    given = {c.name for c in conditions if is_scalar_condition}  # what is no truth value may have a gradient
    reads = [n for n in reads_from_outside(block) if n not in given]
    outputs = {"Out": writes_to_outside(block), "Scope": [_scopes(around)]}
    attrs = {"sub_block": block, "is_scalar_condition": is_scalar_condition}
    return around.append_op("conditional_block", {"Cond": list(conditions), "Input": reads}, outputs, attrs)
