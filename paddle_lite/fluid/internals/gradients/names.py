"""Names, operators and descriptions of gradients, as `fluid.backward` of 1.8.5 asks for them while it appends a backward pass."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ....core.errors import ArgumentTypeError, describe, message
from ....static.autodiff.backward import names_of
from ....static.desc import OpDesc
from ....static.program.block import Block
from ....static.program.operator import Operator
from ....static.program.program import Program
from ....static.program.roles import OpRole
from ..values import GRAD_VAR_SUFFIX

__all__ = [
    "all_in_set",
    "create_op_desc",
    "find_loss_op",
    "find_op_path",
    "find_parent_op",
    "is_ancestor_block",
    "is_grad_op",
    "is_grad_var",
    "no_grad_names",
    "output_names",
    "parents_of_block",
    "pretty_op_desc",
    "rename_arg",
    "rename_grad_name",
    "serialize_op_decs",
    "some_in_set",
    "stop_gradients",
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


def is_grad_op(op: Operator) -> bool:
    """Return whether an operator is one of a backward pass, but for the one that writes ones with which that begins."""
    return op.has_attr("op_role_var") and int(op.all_attrs()["op_role"]) == int(OpRole.Backward)


def no_grad_names(no_grad_set: Any) -> set[str]:
    """Return the names of Variables, given as such or by name, in a set, a list or a tuple; an empty set for None.

    Raises:
        ArgumentTypeError: it is no set, list or tuple, or holds something else.
    """
    return set() if no_grad_set is None else names_of("no_grad_set", no_grad_set)


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
    from ....static.proto.messages import OpDesc as Message  # protobuf is loaded when it is needed

    return str(Message.FromString(op_desc.serialize_to_string()))


# --- descriptions ------------------------------------------------------------------------------------------------------


def create_op_desc(
    op_type: str, inputs: Mapping[str, Any], outputs: Mapping[str, Any], attrs: Mapping[str, Any]
) -> OpDesc:
    """Return the description of an operator that belongs to no block; its role is that of a backward pass, unless given.

    Arguments:
        op_type: the type of the operator.
        inputs, outputs: slot -> a name or a list of names.
        attrs: its attributes.
    """
    made = OpDesc()
    made.set_type(op_type)
    for slot, names in inputs.items():
        made.set_input(slot, [names] if isinstance(names, str) else list(names))
    for slot, names in outputs.items():
        made.set_output(slot, [names] if isinstance(names, str) else list(names))
    for name, value in {"op_role": int(OpRole.Backward), "op_device": "", **attrs}.items():
        if isinstance(value, Block):
            made.set_block_attr(name, value.desc)
        else:
            made._set_attr(name, value)
    return made


def rename_arg(
    op_descs: Sequence[OpDesc], old_name: str, new_name: str, begin_idx: int | None = None, end_idx: int | None = None
) -> None:
    """Rename a Variable in what operators read and write.

    Arguments:
        op_descs: descriptions of operators.
        old_name, new_name: the names.
        begin_idx, end_idx: the operators from one index up to another; all where they are None.

    Raises:
        ArgumentTypeError: one of them is no description of an operator.
    """
    for op in op_descs[slice(begin_idx, end_idx)]:
        if not isinstance(op, OpDesc):
            raise ArgumentTypeError(message("_rename_arg_", "op_descs", describe(op), "descriptions, operator.desc"))
        op._rename_input(old_name, new_name)
        op._rename_output(old_name, new_name)


def rename_grad_name(name: str, grad_order: int) -> str:
    """Return the name of a gradient of a gradient.

    >>> rename_grad_name('x@GRAD', 2)
    'grad/grad/x@GRAD'
    """
    return "grad/" * grad_order + name


def stop_gradients(program: Any) -> dict[int, set[str]]:
    """Return for each block, by its index, the names of the gradients of its Variables with stop_gradient.

    Raises:
        ArgumentTypeError: it is no Program.
    """
    if not isinstance(program, Program):
        raise ArgumentTypeError(message("append_backward", "program", describe(program), "a Program"))
    return {
        block.idx: {f"{v.name}{GRAD_VAR_SUFFIX}" for v in block.vars.values() if v.stop_gradient}
        for block in program.blocks
    }


def parents_of_block(program: Program, current_block_idx: int) -> OrderedDict[int, int]:
    """Return the index of a block and of each that it lies in -> that of the block around it, -1 for the outermost."""
    found: OrderedDict[int, int] = OrderedDict()
    while current_block_idx >= 0:
        found[current_block_idx] = program.block(current_block_idx).parent_idx
        current_block_idx = found[current_block_idx]
    return found


def find_parent_op(sub_block: Block) -> OpDesc | None:
    """Return the description of the operator that runs a block; None where there is none."""
    ops = (op for block in sub_block.program.blocks for op in block.ops)
    return next((op.desc for op in ops if op.attrs.get("sub_block") is sub_block), None)


def pretty_op_desc(op_desc: OpDesc, prefix: str) -> str:
    """Return the type of an operator and the names that it reads and writes, as three lines of text."""
    return (
        f"{prefix}_op\tname:[{op_desc.type()}]\n"
        f"{prefix}_input    \tinputs:[{' '.join(op_desc.input_arg_names())}]\n"
        f"{prefix}_output    \toutputs:[{' '.join(op_desc.output_arg_names())}]"
    )
