"""Variables between the operators that express one operator of a later version."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.dtype import VarType
from ..program.block import Block


def shape_of(block: Block, name: str) -> tuple[int, ...]:
    """Return the shape of a Variable; () for one that the block does not have."""
    variable = block.find(name)
    return () if variable is None else tuple(variable.shape)


def between(block: Block, like: str, shape: Iterable[int] | None = None, dtype: VarType | None = None) -> str:
    """Create a Variable for a value between two operators, and return its name.

    Arguments:
        like: the name of the Variable whose shape and dtype it has.
        shape, dtype: those that it has instead.
    """
    name, known = block.program_name(f"{like}@LATER"), block.find(like)
    if dtype is None and known is not None:
        dtype = known.dtype
    sizes = list(shape_of(block, like) if shape is None else shape)
    block.vars[name] = block.create_var(name=name, shape=sizes, dtype=dtype)
    return name
