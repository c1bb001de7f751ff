"""The steps of a backward pass over descriptions of operators: `fluid.backward` of 1.8.5 offers them to code that appends its own."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

from ....core import unique_name
from ....core.dtype import VarType
from ....core.errors import GraphError
from ....static.autodiff.gradient_ops import gradient_of
from ....static.desc import OpDesc
from ....static.program.block import Block
from ....static.program.operator import Operator
from ....static.program.roles import OpRole
from ..values import EMPTY_VAR_NAME, grad_var_name
from .names import all_in_set, create_op_desc, find_op_path, is_grad_var, rename_arg, strip_grad_suffix
from .operators import get_grad_op_desc

__all__ = [
    "add_descs",
    "add_needed_descs",
    "add_up_repeated_outputs",
    "append_backward_ops",
    "append_backward_vars",
    "infer_like_forward",
    "loss_op_desc",
    "no_grad_vars",
    "remove_no_grad_branch",
    "rename_grads",
    "sub_block_path",
]


def loss_op_desc(loss: Any) -> OpDesc:
    """Return the description of the operator that writes ones, the gradient of the loss, with which a backward pass begins."""
    attrs = {"shape": [1], "value": 1.0, "dtype": int(loss.dtype), "force_cpu": False}
    role = int(OpRole.Backward) | int(OpRole.Loss)
    return create_op_desc("fill_constant", {}, {"Out": [grad_var_name(loss.name)]}, {**attrs, "op_role": role})


def no_grad_vars(block: Block, op_path: Sequence[Operator], targets: Sequence[Any], no_grad_set: set[str]) -> set[str]:
    """Return the names of the results of operators that nothing reads which leads to the targets.

    Arguments:
        block: the block of the operators.
        op_path: operators in their order.
        targets: Variables.
        no_grad_set: names of Variables that count as not read.
    """
    wanted, found = {each.name for each in targets if each.block is block}, set()
    for op in reversed(op_path):
        read = set(op.input_arg_names)
        for name in set(op.output_arg_names) - wanted - read:
            if not block.variable(name).stop_gradient:
                found.add(name)
        wanted |= read - no_grad_set
    return found


def sub_block_path(sub_block: Block, sub_block_op_desc: OpDesc, no_grad_set: set[str]) -> list[Operator]:
    """Return the operators of a block that lead to the results of the operator that runs it.

    Arguments:
        sub_block: the block.
        sub_block_op_desc: the description of the operator, whose attribute `sub_block` is the block.
        no_grad_set: names of Variables that count as no dependency.
    """
    names = [name for name in sub_block_op_desc.output_arg_names() if sub_block.has_var_recursive(name)]
    return find_op_path(sub_block, [sub_block.variable(name) for name in names], [], no_grad_set)


# --- descriptions, before they are in a block ------------------------------------------------------------------------------


def add_up_repeated_outputs(op_descs: Sequence[OpDesc], block_idx: int) -> list[OpDesc]:
    """Return operators whose gradients are each written once: where several write one, they write parts, and `sum` follows.

    Arguments:
        op_descs: descriptions of operators in their order, which are changed.
        block_idx: the index of the block, which is in the names of the parts.

    >>> from paddle_lite.fluid.backward import _addup_repetitive_outputs_, _create_op_desc_
    >>> descs = [_create_op_desc_('relu_grad', {}, {'X@GRAD': ['x@GRAD']}, {}) for _ in range(2)]
    >>> [desc.output_arg_names() for desc in _addup_repetitive_outputs_(descs, 0)]
    [['x@GRAD@RENAME@block0@0'], ['x@GRAD@RENAME@block0@1'], ['x@GRAD']]
    """
    adding = _Adding(block_idx)
    for desc in op_descs:
        adding.add(desc)
    for name in list(adding.parts):
        adding.sum_up(name)
    return adding.made


class _Adding:
    """Operators so far, and of each gradient the names of the parts that are not summed yet."""

    def __init__(self, block_idx: int) -> None:
        self.block_idx = block_idx
        self.made: list[OpDesc] = []
        self.parts: dict[str, list[str]] = {}
        self._numbers: dict[str, int] = {}

    def sum_up(self, name: str) -> None:
        """Append the sum of the parts of a gradient, if it has several."""
        if len(self.parts.get(name, ())) > 1:
            attrs = {"use_mkldnn": False}
            self.made.append(create_op_desc("sum", {"X": self.parts[name]}, {"Out": [name]}, attrs))
            self.parts[name] = [name]

    def add(self, desc: OpDesc) -> None:
        """Append an operator; gradients that it reads are summed before, and those that it writes once more are parts."""
        read = desc.input_arg_names()
        for name in read:
            self.sum_up(name)
        written = {slot: list(desc.output(slot)) for slot in desc.output_names()}
        for names in written.values():
            for k, name in enumerate(names):
                if not is_grad_var(name) or name == EMPTY_VAR_NAME or name in read:
                    continue
                if name not in self.parts:
                    self.parts[name] = [name]
                    continue
                if self.parts[name] == [name]:
                    self._rename_first(name, written, names, k)
                names[k] = self._part(name)
                self.parts[name].append(names[k])
        for slot, names in written.items():
            desc.set_output(slot, names)
        self.made.append(desc)

    def _rename_first(self, name: str, written: dict[str, list[str]], until: list[str], k: int) -> None:
        """Make a part of what has been written under the name of the gradient itself."""
        part = self._part(name)
        rename_arg(self.made, name, part)
        for names in written.values():
            end = k if names is until else len(names)
            names[:end] = [part if each == name else each for each in names[:end]]
            if names is until:
                break
        self.parts[name] = [part]

    def _part(self, name: str) -> str:
        number = self._numbers.get(name, 0)
        self._numbers[name] = number + 1
        return f"{name}@RENAME@block{self.block_idx}@{number}"


def remove_no_grad_branch(op_descs: Sequence[OpDesc], no_grad_set: set[str]) -> list[OpDesc]:
    """Return operators without those that compute gradients of `no_grad_set` only, or from such gradients only.

    Where one that stays reads such a gradient, an operator before it writes zeros.

    Arguments:
        op_descs: descriptions of operators in their order.
        no_grad_set: names of gradients; gradients that are no longer computed are added.
    """
    kept = []
    for desc in op_descs:
        if all_in_set(desc.output_arg_names(), no_grad_set):
            continue
        if all_in_set([name for name in desc.input_arg_names() if is_grad_var(name)], no_grad_set):
            no_grad_set.update(desc.output_arg_names())
            continue
        kept.append(desc)
    made = []
    for desc in kept:
        for name in desc.input_arg_names():
            if is_grad_var(name) and name in no_grad_set:
                made.append(create_op_desc("fill_zeros_like", {"X": [strip_grad_suffix(name)]}, {"Out": [name]}, {}))
        made.append(desc)
    return made


# --- blocks -------------------------------------------------------------------------------------------------------------


def add_descs(descs: Sequence[Any], block: Block) -> list[OpDesc]:
    """Append copies of operators to a block as a part of its backward pass, and return their descriptions.

    Arguments:
        descs: descriptions of operators, or operators.
        block: the block.
    """
    made = []
    for each in descs:
        new = block.desc.append_op()
        new.copy_from(each.desc if isinstance(each, Operator) else each)
        new._set_attr("op_role", int(OpRole.Backward))
        made.append(new)
    return made


def add_needed_descs(
    descs: Sequence[Any], block: Block, main_block: Block, in_memory_vars: Sequence[str]
) -> list[OpDesc]:
    """Append copies of those operators to a block that write something which is not there yet.

    Arguments:
        descs: descriptions of operators, or operators.
        block: the block.
        main_block: the block of which a persistable Variable counts as there.
        in_memory_vars: names of Variables that are there.
    """

    def is_there(name: str) -> bool:
        found = main_block.desc.find_var(name.encode())
        return name in in_memory_vars or (found is not None and found.persistable())

    each_desc = (each.desc if isinstance(each, Operator) else each for each in descs)
    return add_descs([d for d in each_desc if not all(is_there(name) for name in d.output_arg_names())], block)


def append_backward_ops(
    block: Block,
    ops: Sequence[Operator],
    target_block: Block,
    no_grad_dict: MutableMapping[int, set[str]],
    grad_to_var: MutableMapping[str, Any],
    callbacks: Sequence[Callable[..., Any]] | None = None,
    input_grad_names_set: set[str] | None = None,
) -> None:
    """Append the gradient operators of operators to a block, the last one's first.

    Arguments:
        block: the block of the operators.
        ops: operators in their order.
        target_block: the block that the gradient operators are appended to.
        no_grad_dict: index of a block -> names of gradients that are not computed; others that cannot be are added.
        grad_to_var: name of a gradient -> name of its Variable, which is filled.
        callbacks: called after each operator that is appended with (block=, context=), where the context is grad_to_var, in
            which "__current_op_desc__" is the description.
        input_grad_names_set: accepted for Fluid code, ignored: operators that need no gradient are left out of Plans.

    Raises:
        GraphError: an operator runs a block, or several operators compute its gradient; append_backward() appends them.
    """
    stopped = no_grad_dict[block.idx]
    descs: list[OpDesc] = []
    for op in reversed(ops):
        grad = gradient_of(op)
        if getattr(grad, "compose", None) is not None:
            raise GraphError(
                f"_append_backward_ops_: several operators compute the gradient of {op.type}. Call append_backward()."
            )
        made, names = get_grad_op_desc(op.desc, stopped)
        descs += made
        grad_to_var.update(names)
    for desc in remove_no_grad_branch(add_up_repeated_outputs(descs, block.idx), stopped):
        (grad_to_var["__current_op_desc__"],) = add_descs([desc], target_block)
        for callback in callbacks or ():
            callback(block=target_block, context=grad_to_var)


def append_backward_vars(
    block: Block, start_op_idx: int, grad_to_var: MutableMapping[str, str], grad_info_map: MutableMapping[str, Any]
) -> None:
    """Declare the Variables that gradient operators of a block write, like those that they are the gradients of.

    Arguments:
        block: the block.
        start_op_idx: the index of the first gradient operator.
        grad_to_var: name of a gradient -> name of its Variable.
        grad_info_map: name of a Variable -> (name of its gradient, block), which is filled.
    """
    for op in block.ops[start_op_idx:]:
        new = [n for n in op.output_arg_names if n != EMPTY_VAR_NAME and not block.desc.has_var_recursive(n.encode())]
        for name in new:
            block.desc.var(name.encode())
        for name in op.output_arg_names:
            if name in grad_to_var:
                grad_info_map[grad_to_var[name]] = (name, block)
        for name in new:
            infer_like_forward(name, block)


def infer_like_forward(grad_var_name: str, block: Block) -> None:
    """Give a gradient the dtype and the shape of the Variable that it belongs to; float32 where there is none.

    Raises:
        MissingVariableError: the block has no such gradient.
    """
    gradient = block.var(grad_var_name).desc
    forward = block.desc.find_var_recursive(strip_grad_suffix(grad_var_name).encode())
    if forward is None:
        gradient.set_dtype(VarType.FP32)
        return
    gradient.set_dtype(forward.dtype())
    gradient.set_shape(forward.shape())


def rename_grads(
    block: Block,
    start_op_idx: int,
    grad_to_var: MutableMapping[str, str],
    target_grad_map: MutableMapping[str, str],
) -> None:
    """Give the gradients other names that operators write although the block has Variables of those names already.

    Arguments:
        block: the block.
        start_op_idx: the index of the first operator that is changed.
        grad_to_var: name of a gradient -> name of its Variable; it gets the new names.
        target_grad_map: name of a gradient -> the name under which operators are to read it.
    """
    names = dict(target_grad_map)
    for op in block.ops[start_op_idx:]:
        for name in op.input_arg_names:
            if name in names:
                op._rename_input(name, names[name])
        for name in op.output_arg_names:
            if is_grad_var(name) and block.desc.has_var(name.encode()):
                names[name] = unique_name.generate(name)
                op._rename_output(name, names[name])
    for old, new in names.items():
        if old in grad_to_var:
            grad_to_var[new] = grad_to_var.pop(old)
