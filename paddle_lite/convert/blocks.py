"""Blocks of a Program: the operators in them, and what they write of the blocks around."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.dtype import VarType
from ..static.program.block import Block
from ..static.program.operator import Operator


def reachable(block: Block) -> Iterator[Operator]:
    """Yield the operators of a block and of those in it."""
    for op in block.ops:
        yield op
        if "sub_block" in op.attrs:
            yield from reachable(op._block_attr("sub_block"))


def written_outside(block: Block) -> list[str]:
    """Return the Variables of blocks around this one that it writes, also in blocks inside it."""
    found: dict[str, None] = {}
    for op in reachable(block):
        for name in op.output_arg_names:
            if name not in block.vars and not _inside(op.block, block, name):
                found[name] = None
    return [name for name in found if _is_value(block, name)]


def _inside(here: Block, outermost: Block, name: str) -> bool:
    """Return whether a Variable belongs to a block between two."""
    while here is not outermost:
        if name in here.vars:
            return True
        here = here.program.block(here.parent_idx)
    return False


def _is_value(block: Block, name: str) -> bool:
    """Return whether a Variable is a tensor or an array of tensors."""
    if not block.has_var_recursive(name):
        return False
    return block.variable(name).type in (VarType.LOD_TENSOR, VarType.LOD_TENSOR_ARRAY)
