"""Loops and branches of a Program, built by calling Python functions inside of nested blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...ops.math import arithmetic, compare
from ...ops.shape import fill
from ...ops.support.nested_structure import containers_copied, flatten, pack_like, structure_of
from ..operators.structural import definitions
from ..program import nested_blocks as blocks
from ..program import program as programs
from ..program.block import Block
from ..program.shape_inference import infer_outputs
from ..program.variable import Variable


def while_loop(
    condition: Any,
    cond: Callable[..., Any],
    body: Callable[..., Sequence[Any]],
    loop_vars: Sequence[Any],
    is_test: bool,
) -> Sequence[Any]:
    """Append the operator `while`, whose block contains one iteration; return the loop variables.

    Raises:
        ArgumentValueError: `body` returns another structure, or changes the dtype or the number of dimensions of a loop variable.
    """
    with blocks.nested_block(repeats=True) as block:
        new = body(*containers_copied(loop_vars))  # body may change lists and dicts in place
        _check_round(loop_vars, new)
        _fit_shapes(block, flatten(list(loop_vars)), flatten(list(new)))
        again = cond(*new)
        _write_back(flatten(list(loop_vars)), flatten(list(new)))
        condition.take(arithmetic.assign.call(again))
    blocks.append_while(condition, block, is_test)
    return loop_vars


def _check_round(before: Sequence[Any], after: Sequence[Any]) -> None:
    """Raise unless `body` returned loop variables of the same structure and dtypes."""
    if structure_of(list(before)) != structure_of(list(after)):
        needs = f"{len(before)}, in the form of loop_vars"
        raise ArgumentValueError(message("while_loop", "what body returns", "another structure", needs))
    for old, new in zip(flatten(list(before)), flatten(list(after)), strict=True):
        if isinstance(old, Variable) and isinstance(new, Variable) and old.dtype != new.dtype:
            got, fix = f"dtype {new.dtype} from body", "Convert it with cast() in body."
            raise ArgumentValueError(
                message("while_loop", f"the loop variable {old.name}", got, f"dtype {old.dtype}", fix)
            )


def _fit_shapes(block: Block, before: Sequence[Any], after: Sequence[Any]) -> None:
    """Make the sizes of loop variables unknown that `body` changes, and infer the shapes in its block again."""
    while [pair for pair in zip(before, after, strict=True) if _widen(*pair)]:
        for inner in block.program.blocks[block.idx :]:
            for op in inner.ops:
                infer_outputs(op)


def _widen(old: Any, new: Any) -> bool:
    """Make the known sizes of a loop variable unknown that `body` changes; return whether there are any.

    Raises:
        ArgumentValueError: `body` changes its number of dimensions.
    """
    if not isinstance(old, Variable) or not isinstance(new, Variable) or old.type != VarType.LOD_TENSOR:
        return False
    if len(old.shape) != len(new.shape):
        needs = f"{len(old.shape)} dimensions, as before the loop: {list(old.shape)}"
        raise ArgumentValueError(
            message("while_loop", f"the loop variable {old.name}", f"shape {list(new.shape)} from body", needs)
        )
    shape = tuple(a if a == b or b == -1 else -1 for a, b in zip(old.shape, new.shape, strict=True))
    if shape == tuple(old.shape):
        return False
    old.set_meta(old.meta._replace(shape=shape))
    return True


def _write_back(old: Sequence[Any], new: Sequence[Any]) -> None:
    """Assign the new loop variables to the old ones in parallel; new values that are old variables are copied first."""
    targets = {id(v) for v in old}
    copies = [
        arithmetic.assign.call(n) if id(n) in targets and n is not o else n for o, n in zip(old, new, strict=True)
    ]
    for target, value in zip(old, copies, strict=True):
        if value is not target and isinstance(target, Variable):
            _assign(value, target)


def _assign(value: Any, target: Any) -> None:
    """Append the operator that writes a value into a Variable of an outer block."""
    programs.default_main_program().current_block().append_op("assign", {"X": value}, {"Out": target})


def cond(pred: Any, true_fn: Callable[[], Any] | None, false_fn: Callable[[], Any] | None) -> Any:
    """Append both branches and the operators that select the results of the branch that runs; return these results.

    Raises:
        ArgumentValueError: the branches return different structures.
    """
    if true_fn is None and false_fn is None:
        return None
    yes = _branch(pred, true_fn)
    no = _branch(compare.logical_not.call(pred), false_fn)
    if yes is None and no is None:
        return None
    if yes is None or no is None or structure_of(yes) != structure_of(no):
        got = f"{_described(yes)} and {_described(no)}"
        raise ArgumentValueError(message("cond", "what true_fn and false_fn return", got, "one structure"))
    mask = arithmetic.cast.call(pred, in_dtype=int(VarType.BOOL), out_dtype=int(VarType.INT32))
    return pack_like(yes, iter([_selected(mask, n, y) for y, n in zip(flatten(yes), flatten(no), strict=True)]))


def _described(value: Any) -> str:
    return "None" if value is None else f"{len(flatten(value))} values ({type(value).__name__})"


def _selected(mask: Any, no: Any, yes: Any) -> Any:
    """Append the operator that selects one of two results, and return the selected one.

    The declared dtype is the one of `no` where the two differ; a run gives the dtype of the branch that it takes.
    """
    result = definitions["select_input"].call([no, yes], mask)
    if len(yes.shape) == len(no.shape):
        shape = tuple(a if a == b else -1 for a, b in zip(yes.shape, no.shape, strict=True))
        result.set_meta(result.meta._replace(shape=shape))
    return result


def _branch(condition: Any, function: Callable[[], Any] | None) -> Any:
    """Append a branch that writes its results into Variables of the current block; return these Variables."""
    if function is None:
        return None
    outer = programs.default_main_program().current_block()
    with blocks.nested_block() as block:
        result = function()
        found = (
            None if result is None else pack_like(result, iter([_written_to(outer, leaf) for leaf in flatten(result)]))
        )
    if block.ops:
        blocks.append_conditional([condition], block, is_scalar_condition=True)
    return found


def _written_to(outer: Any, value: Any) -> Any:
    """Return a Variable of the outer block into which a branch writes a result."""
    if not isinstance(value, Variable):
        if not isinstance(value, (bool, int, float)):
            needs = "Variables, numbers, or nested lists, tuples and dicts of them"
            raise ArgumentTypeError(message("cond", "what a branch returns", describe(value), needs))
        dtype = VarType.BOOL if isinstance(value, bool) else VarType.INT64 if isinstance(value, int) else VarType.FP32
        value = fill.fill_constant.call(shape=[1], dtype=int(dtype), value=float(value))
    target = outer.declare_var(type=value.type)
    target.set_meta(value.meta)
    _assign(value, target)
    return target


def switch_case(index: Any, branches: Sequence[tuple[int, Callable[[], Any]]], default: Callable[[], Any]) -> Any:
    """Append a comparison for each number and a chain of branches, the last number first; return the results."""
    if index.dtype != "int64":
        index = arithmetic.cast.call(index, in_dtype=int(index.dtype), out_dtype=int(VarType.INT64))
    pairs = []
    for number, function in branches:
        constant = fill.fill_constant.call(shape=[1], dtype=int(VarType.INT64), value=float(number))
        pairs.append((compare.equal.call(index, constant), function))
    chosen = default
    for pred, function in pairs:
        chosen = partial(cond, pred, function, chosen)
    return chosen()
