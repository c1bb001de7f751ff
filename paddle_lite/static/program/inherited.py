"""What a Program takes over from another one with the same Variables, after it was read from bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .block import Block
from .variable import Parameter

if TYPE_CHECKING:
    from .program import Program


def take_parameters(program: Program, other: Any, where: str) -> None:
    """Make the Variables of the first block Parameters that are Parameters of another Program.

    Raises:
        ArgumentTypeError: `other` is not a Program.
        MissingVariableError: a Parameter of it is not a Variable of this one.
    """
    source = _checked(program, other, where)
    block = program.global_block()
    for parameter in source.global_block().all_parameters():
        variable = block.var(parameter.name)
        made = block.vars[parameter.name] = Parameter(
            block, variable.shape, variable._dtype, name=parameter.name, type=variable.type, lod_level=variable.lod_level,
            stop_gradient=parameter.stop_gradient, trainable=parameter.trainable, optimize_attr=parameter.optimize_attr,
            regularizer=parameter.regularizer, gradient_clip_attr=parameter.gradient_clip_attr,
            do_model_average=parameter.do_model_average,
        )  # fmt: skip
        made.error_clip, made.op = parameter.error_clip, variable.op
    program._changed()


def take_data(program: Program, other: Any, where: str) -> None:
    """Set of each Variable whether it is data, and whether gradients stop at it, as in another Program.

    Raises:
        ArgumentTypeError: `other` is not a Program.
        ArgumentValueError: it has other blocks.
        MissingVariableError: a Variable of it is not one of this Program.
    """
    source = _checked(program, other, where)
    if len(source.blocks) != len(program.blocks):
        got = f"a Program of {len(source.blocks)} blocks"
        raise ArgumentValueError(message(where, "other", got, f"one of {len(program.blocks)}, as this one"))
    for block, of_other in zip(program.blocks, source.blocks, strict=True):
        for name, variable in of_other.vars.items():
            mine = block.var(name)
            mine.is_data, mine.stop_gradient = variable.is_data, variable.stop_gradient
            mine.need_check_feed = variable.need_check_feed
    program._changed()


def block_parameters(block: Block, other: Any) -> None:
    """Make the Variables of a block Parameters that are Parameters of another block, which is the first one of its Program."""
    if not isinstance(other, Block):
        raise ArgumentTypeError(message("Block._copy_param_info_from", "other", describe(other), "a Block"))
    take_parameters(block.program, other.program, "Block._copy_param_info_from")


def _checked(program: Program, other: Any, where: str) -> Program:
    if not isinstance(other, type(program)):
        raise ArgumentTypeError(message(where, "other", describe(other), "a fluid.Program"))
    return other
