"""The operators that initialise Parameters in a startup Program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import seeds, unique_name
from ...core.dtype import name_of
from ...ops.support.attributes import plain
from .variable import Variable

if TYPE_CHECKING:
    from .block import Block


def initial_operation(initializer: Any, variable: Variable, seed: int) -> tuple[str, dict[str, Any]]:
    """Return (operator type, attributes) of an initializer for a Variable, in a Program with this random seed."""
    with seeds.use_seed(seed):
        type, attrs = initializer.operation(list(variable.shape), name_of(variable.dtype))
    return type, {name: plain(value) for name, value in attrs.items()}


def drawn_for(block: Block, variable: Variable, initializer: Any) -> Variable:
    """Return the Variable that the operator of an initializer fills: this one, or one of float32 that is cast to it.

    Operators draw float32 and float64. A Variable of float16 is filled by a cast, as in 1.8.5, which is appended here.
    """
    if name_of(variable.dtype) != "float16":
        return variable
    name = unique_name.generate(f"{initializer.stem}.{variable.name}.tmp")
    drawn = block.create_var(name=name, dtype="float32", shape=variable.shape, persistable=False)
    attrs = {"in_dtype": drawn.dtype, "out_dtype": variable.dtype}
    block.append_op(type="cast", inputs={"X": drawn}, outputs={"Out": variable}, attrs=attrs)
    return drawn
