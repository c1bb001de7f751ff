"""Names and operators of gradients, as `fluid.backward` of 1.8.5 asks for them while it appends a backward pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...static.program.block import Block
from ...static.program.operator import Operator
from .values import GRAD_VAR_SUFFIX

__all__ = [
    "all_in_set",
    "find_loss_op",
    "find_op_path",
    "is_ancestor_block",
    "is_grad_var",
    "no_grad_names",
    "output_names",
    "serialize_op_decs",
    "some_in_set",
    "strip_grad_suffix",
]


def some_in_set(cands: Iterable[str], s: set[str]) -> bool:
    """Return whether some of the names are in a set."""
    return any(name in s for name in cands)


def all_in_set(cands: Sequence[str], s: set[str]) -> bool:
    """Return whether all of the names are in a set; False where there are none, as in 1.8.5."""
    return bool(cands) and all(name in s for name in cands)


def strip_grad_suffix(name: str) -> str:
    """Return the name of the Variable that a gradient belongs to.

    >>> strip_grad_suffix('fc_0.w_0@GRAD@RENAME@0')
    'fc_0.w_0'
    """
    return name.partition(GRAD_VAR_SUFFIX)[0]


def is_grad_var(name: str) -> bool:
    """Return whether a name is that of a gradient."""
    return GRAD_VAR_SUFFIX in name


def no_grad_names(no_grad_set: Any) -> set[str]:
    """Return the names of Variables, given as such or by name, in a set, a list or a tuple; an empty set for None.

    Raises:
        ArgumentTypeError: it is no set, list or tuple, or holds something else.
    """
    if no_grad_set is None:
        return set()
    if not isinstance(no_grad_set, (set, list, tuple)):
        raise ArgumentTypeError(
            message("append_backward", "no_grad_set", describe(no_grad_set), "a set, list or tuple")
        )
    names = {each if isinstance(each, str) else getattr(each, "name", None) for each in no_grad_set}
    if not all(isinstance(name, str) for name in names):
        raise ArgumentTypeError(message("append_backward", "no_grad_set", describe(no_grad_set), "Variables or names"))
    return {name for name in names if isinstance(name, str)}


def find_op_path(
    block: Block, targets: Sequence[Any], inputs: Sequence[Any], no_grad_set: set[str], *_: Any
) -> list[Operator]:
    """Return the operators of a block by which targets depend on inputs, in their order.

    Arguments:
        block: the block.
        targets: Variables that the operators lead to.
        inputs: Variables that they begin with; where there are none, all operators that lead to the targets.
        no_grad_set: names of Variables that count as no dependency.
    """
    reached = {each.name for each in inputs}
    ahead: list[Operator] = []
    for op in block.ops:
        if not reached or some_in_set(op.input_arg_names, reached):
            ahead.append(op)
            if reached:
                reached.update(op.output_arg_names)
    wanted, path = {each.name for each in targets}, []
    for op in reversed(ahead):
        if some_in_set(op.output_arg_names, wanted):
            path.append(op)
            wanted.update(name for name in op.input_arg_names if name not in no_grad_set)
    return path[::-1]


def find_loss_op(loss: Any) -> None:
    """Let `loss.op` be the last operator that writes the loss, where it is not known.

    Raises:
        ArgumentTypeError: no operator of its block writes it.
    """
    if loss.op is not None:
        return
    for op in reversed(loss.block.ops):
        if loss.name in op.output_arg_names:
            loss.op = op
            return
    raise ArgumentTypeError(
        message("append_backward", "loss", repr(loss.name), "a result of an operator of its Program")
    )


def output_names(cur_block: Block, targets: Iterable[Any]) -> set[str]:
    """Return the names of those of the targets that belong to a block itself."""
    return {each.name for each in targets if each.block is cur_block}


def is_ancestor_block(ancestor_block: Block, block: Block) -> bool:
    """Return whether a block lies in another one, directly or further in."""
    parent = block.parent_idx
    while parent >= 0:
        if parent == ancestor_block.idx:
            return True
        parent = block.program.block(parent).parent_idx
    return False


def serialize_op_decs(op_desc: Any) -> str:
    """Return the description of an operator as text of protobuf."""
    from ...static.proto.messages import OpDesc  # protobuf is loaded when it is needed

    return str(OpDesc.FromString(op_desc.serialize_to_string()))
