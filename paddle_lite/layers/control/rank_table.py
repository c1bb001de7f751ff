"""Rank tables: the sequences of a ragged batch sorted by length, and the operators that use their order."""

from __future__ import annotations

from typing import Any

from ...core import unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, describe, message
from ...core.mode import ByMode, require_program
from ...core.typing import Variable
from ...static.operators.structural import definitions
from ...static.program import program as programs
from ...static.program.block import Block
from ..support.arguments import check_variable

__all__ = ["reorder_lod_tensor_by_rank"]


def current_block() -> Block:
    """Return the current block of the default main Program."""
    return programs.default_main_program().current_block()


def _append(
    type: str,
    inputs: dict[str, Any],
    slots: tuple[str, ...] = ("Out",),
    attrs: Any = None,
    kind: int = VarType.LOD_TENSOR,
) -> Any:
    """Append an operator to the current block; return new Variables for its outputs."""
    require_program(f"{type}: belongs to Programs; in imperative mode write a Python loop.")
    block = current_block()
    prefix = f"{unique_name.generate(type)}.tmp"
    made = [block.create_var(name=unique_name.generate(prefix), type=kind) for _ in slots]
    block.append_op(type, inputs, dict(zip(slots, made, strict=True)), attrs)
    return made[0] if len(made) == 1 else tuple(made)


def _run(type: str, inputs: dict[str, Any], attrs: Any = None, kind: int = VarType.LOD_TENSOR) -> Any:
    return definitions[type].call(*inputs.values(), **attrs or {})


def _append_one(type: str, inputs: dict[str, Any], attrs: Any = None, kind: int = VarType.LOD_TENSOR) -> Any:
    table = inputs.get("RankTable")
    if getattr(table, "type", VarType.LOD_RANK_TABLE) != VarType.LOD_RANK_TABLE:
        raise ArgumentTypeError(message(type, "rank_table", describe(table), "what lod_rank_table(x) returns"))
    return _append(type, inputs, attrs=attrs, kind=kind)


_in_any_mode = ByMode(imperative=_run, static=_append_one)


def lod_rank_table(x: Variable, level: int = 0) -> Variable:
    """Return the rank table of `x`: its sequences sorted by length, the longest first.

    Arguments:
        x: a Variable with a LoD, or a list of one.
        level: the level of the LoD whose sequences are sorted.

    Returns:
        A Variable that holds the table, an input of other operators.
    """
    [x] = x if isinstance(x, (list, tuple)) and len(x) == 1 else [x]
    check_variable("lod_rank_table", "x", x)
    return _in_any_mode("lod_rank_table", {"X": x}, {"level": level}, VarType.LOD_RANK_TABLE)


def max_sequence_len(rank_table: Any) -> Variable:
    """Return the length of the longest sequence in a rank table, int64 [1]."""
    return _in_any_mode("max_sequence_len", {"RankTable": rank_table})


def lod_tensor_to_array(x: Variable, table: Any) -> Variable:
    """Return an array with one element for each time step.

    Element t holds row t of each sequence that is longer than t, in the order of the rank table.
    """
    check_variable("lod_tensor_to_array", "x", x)
    return _append("lod_tensor_to_array", {"X": x, "RankTable": table}, kind=VarType.LOD_TENSOR_ARRAY)


def array_to_lod_tensor(x: Any, table: Any) -> Variable:
    """Return the ragged batch whose time steps are the elements of an array: the inverse of lod_tensor_to_array."""
    return _append("array_to_lod_tensor", {"X": x, "RankTable": table})


def shrink_memory(x: Any, i: Any, table: Any) -> Variable:
    """Return the rows of `x` that belong to sequences longer than `i`: the first ones in the order of the rank table."""
    return _append("shrink_rnn_memory", {"X": x, "I": i, "RankTable": table})


def reorder_lod_tensor_by_rank(x: Variable, rank_table: Variable) -> Variable:
    """Sort the sequences of `x` (its rows, if it has no LoD) into the order of a rank table.

    Arguments:
        x: a Variable with as many sequences or rows as the table has.
        rank_table: a Variable from `lod_rank_table`.

    Returns:
        A Variable of the shape and dtype of x, with the LoD in the new order.

    Raises:
        ArgumentTypeError: x is not a Variable, or rank_table holds no rank table.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.layers.control.rank_table import lod_rank_table
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 1], 'float32', lod_level=1)
    ...     y = fluid.layers.reorder_lod_tensor_by_rank(x, lod_rank_table(x))
    ...     batch = fluid.create_lod_tensor(np.array([[1.], [2.], [3.]], 'float32'), [[1, 2]], fluid.CPUPlace())
    ...     [out] = fluid.Executor(fluid.CPUPlace()).run(feed={'x': batch}, fetch_list=[y], return_numpy=False)
    >>> np.array(out).ravel(), out.recursive_sequence_lengths()
    (array([2., 3., 1.], dtype=float32), [[2, 1]])
    """
    check_variable("reorder_lod_tensor_by_rank", "x", x)
    return _in_any_mode("reorder_lod_tensor_by_rank", {"X": x, "RankTable": rank_table})


def split_lod_tensor(input: Any, mask: Any, level: int = 0) -> tuple[Variable, Variable]:
    """Split the rows of `input` by a bool mask; return (the rows where it is true, the others)."""
    return _append("split_lod_tensor", {"X": input, "Mask": mask}, ("OutTrue", "OutFalse"), {"level": level})


def merge_lod_tensor(in_true: Any, in_false: Any, x: Any, mask: Any, level: int = 0) -> Variable:
    """Merge the rows of `in_true` and `in_false` into one Variable, in the order of a bool mask."""
    inputs = {"X": x, "Mask": mask, "InTrue": in_true, "InFalse": in_false}
    return _append("merge_lod_tensor", inputs, attrs={"level": level})
