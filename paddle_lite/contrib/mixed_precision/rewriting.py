"""Casts to float16 and back in a Program: which operators run in float16, and the casts of what they read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, message
from ...static.program.roles import OpRole
from .op_lists import AutoMixedPrecisionLists

_TENSORS = (VarType.LOD_TENSOR, VarType.SELECTED_ROWS, VarType.LOD_TENSOR_ARRAY)


def dtype_suffix(dtype: Any) -> str:
    """Return the part of a cast Variable's name that says its dtype: "fp16" or "fp32"."""
    return "fp16" if VarType(dtype) == VarType.FP16 else "fp32"


def rename_arg(op: Any, old_name: str, new_name: str) -> None:
    """Make an operator read another Variable in the place of one that it reads."""
    op._rename_input(old_name, new_name)


def find_op_index(block: Any, op: Any) -> int:
    """Return the index of an operator in a block, -1 where the block does not have it."""
    count = block.op_size() if callable(getattr(block, "op_size", None)) else len(block.ops)
    at = block.op if callable(getattr(block, "op", None)) else block.ops.__getitem__
    return next((i for i in range(count) if at(i) == op), -1)


def find_true_prev_op(ops: Sequence[Any], cur_op: Any, var_name: str) -> Any:
    """Return the operator before `cur_op` that writes a Variable; None where there is none.

    Raises:
        ArgumentValueError: several operators write it.
    """
    found = []
    for op in ops:
        if op == cur_op:
            break
        found += [op] * op.output_arg_names.count(var_name)
    if len(found) > 1:
        got = f"{var_name!r}, which {len(found)} operators before {cur_op.type} write"
        raise ArgumentValueError(message("find_true_prev_op", "var_name", got, "a Variable that one operator writes"))
    return found[0] if found else None


def find_true_post_op(ops: Sequence[Any], cur_op: Any, var_name: str) -> list[Any]:
    """Return the operators behind `cur_op` that read a Variable."""
    after = False
    found = []
    for op in ops:
        if after:
            found += [op] * op.input_arg_names.count(var_name)
        after = after or op == cur_op
    return found


def is_in_black_varnames(op: Any, lists: AutoMixedPrecisionLists) -> bool:
    """Return whether an operator reads or writes a Variable that is to stay in float32."""
    names = lists.black_varnames or ()
    return any(name in names for name in [*op.input_arg_names, *op.output_arg_names])


def rewrite_program(main_prog: Any, amp_lists: AutoMixedPrecisionLists) -> None:
    """Insert casts into the first block of a Program, so that operators run in float16 where the lists say so.

    An operator of the black list runs in float32, one of the white list in float16. One of the gray list runs in float32 if an
    operator that computes an input of it does, else in float16 if such an operator does, else as it is. All others run in
    float32, with their blocks: what a loop keeps from round to round is cast before the loop and back behind it. Call it
    before gradients are appended.

    Arguments:
        main_prog: the Program, which is changed.
        amp_lists: the lists.
    """
    block = main_prog.global_block()
    ops = list(block.ops)
    black, white = _classified(block, ops, amp_lists)
    for op in ops:
        if op in black:
            insert_cast_op(block, op, block.ops.index(op), VarType.FP16, VarType.FP32)
        elif op in white:
            insert_cast_op(block, op, block.ops.index(op), VarType.FP32, VarType.FP16)


def _classified(block: Any, ops: list[Any], lists: AutoMixedPrecisionLists) -> tuple[set[Any], set[Any]]:
    """Return the operators that run in float32, and those that run in float16."""
    black: set[Any] = set()
    white: set[Any] = set()
    for op in ops:
        if is_in_black_varnames(op, lists) or op.type in lists.black_list:
            black.add(op)
        elif op.type in lists.white_list:
            white.add(op)
        elif op.type not in lists.gray_list:
            black.add(op)
        else:
            before = [w for name in op.input_arg_names if (w := _writer(block, ops, op, name)) is not None]
            if any(w in black or w.type in lists.black_list for w in before):
                black.add(op)
            elif any(w in white or w.type in lists.white_list for w in before):
                white.add(op)
    return black, white


def _writer(block: Any, ops: list[Any], op: Any, name: str) -> Any:
    """Return the operator that writes an input of another one; None where there is none."""
    writer = block.var(name).op
    return find_true_prev_op(ops, op, name) if writer is op else writer


def insert_cast_op(block: Any, op: Any, idx: int, src_dtype: VarType, dest_dtype: VarType) -> int:
    """Insert casts of an operator's inputs at an index, and set the dtype of its results.

    Inputs of `src_dtype` are cast; a Variable that has been cast to `dest_dtype` before is used again. batch_norm keeps all but its
    image in float32. Results get a new dtype only where the operator is to run in float16.

    Returns:
        How many casts were inserted.
    """
    inserted = 0
    to_half = src_dtype == VarType.FP32
    for slot in sorted(op.input_names):
        if to_half and op.type == "batch_norm" and slot != "X":
            continue
        for name in op.input(slot):
            variable = block.var(name)
            if variable.type not in _TENSORS:
                continue
            if variable.dtype == src_dtype:
                inserted += _cast(block, op, idx, variable, dest_dtype)
            elif variable.dtype == dest_dtype and op.has_attr("in_dtype"):
                op._set_attr("in_dtype", int(dest_dtype))
    if to_half and dest_dtype == VarType.FP16:
        _halve_results(block, op)
    return inserted


def _cast(block: Any, op: Any, idx: int, variable: Any, dtype: VarType) -> int:
    """Make an operator read a Variable in another dtype; return how many casts were inserted for that: 0 or 1."""
    name = f"{variable.name}.cast_{dtype_suffix(dtype)}"
    made = block.vars.get(name)
    new = made is None or made.dtype != dtype
    if new:
        made = block.create_var(name=name, dtype=dtype, persistable=False, stop_gradient=False)
        attrs = {"in_dtype": int(variable.dtype), "out_dtype": int(dtype)}
        block._insert_op(idx, "cast", {"X": variable}, {"Out": made}, attrs)
    _rename(op, variable.name, name)
    if name in op.output_arg_names:  # the state of a loop, which is read as it was declared behind the loop
        attrs = {"in_dtype": int(dtype), "out_dtype": int(variable.dtype)}
        block._insert_op(block.ops.index(op) + 1, "cast", {"X": made}, {"Out": variable}, attrs)
    return int(new)


def _rename(op: Any, old_name: str, new_name: str) -> None:
    """Make an operator and its block read another Variable, and write that one where they write the first one."""
    rename_arg(op, old_name, new_name)
    block = op.attrs.get("sub_block")
    if block is not None:
        op._rename_output(old_name, new_name)
        if old_name in block.vars:  # what a recurrence takes at each step has the name of the whole
            block._rename_here(old_name, new_name)
        for inner in block.ops:
            _rename(inner, old_name, new_name)
            inner._rename_output(old_name, new_name)


def _halve_results(block: Any, op: Any) -> None:
    """Declare the results of an operator float16."""
    for slot in op.output_names:
        if op.type == "batch_norm" and slot != "Y":
            continue
        for name in op.output(slot):
            result = block.var(name)
            if result.type in _TENSORS:
                if result.dtype == VarType.FP32:
                    result.set_meta(result.meta._replace(dtype=VarType.FP16))
                if op.has_attr("out_dtype") and result.dtype == VarType.FP16:
                    op._set_attr("out_dtype", int(VarType.FP16))


def update_role_var_grad(main_prog: Any, params_grads: Sequence[tuple[Any, Any]]) -> None:
    """Move the casts of parameters' gradients behind all gradients, and mark the operators before them as what computes these.

    PaddlePaddle sums up gradients of several processes where they are marked, so in float16.

    Arguments:
        main_prog: the Program, which is changed.
        params_grads: pairs of a parameter and its gradient, as `append_backward` returns them.

    Raises:
        ArgumentValueError: an operator reads the gradient behind its cast already.
    """
    block = main_prog.global_block()
    for param, grad in params_grads:
        op = None if grad is None else grad.op
        if op is None or op.type != "cast":
            continue
        half = op.input("X")[0]
        before = find_true_prev_op(block.ops, op, half)
        if before is not None:
            before._set_attr("op_role_var", [param.name, half, *(before.attrs.get("op_role_var") or ())])
        if find_true_post_op(block.ops, op, grad.name):
            got = f"the gradient {grad.name}, which operators read already"
            fix = "Call it between `backward` and everything that uses gradients."
            raise ArgumentValueError(
                message("update_role_var_grad", "params_grads", got, "gradients not yet used", fix)
            )
        op._remove_attr("op_role_var")
        op._set_attr("op_role", int(OpRole.Optimize))
        block._remove_op(block.ops.index(op))
        block.place(op)
