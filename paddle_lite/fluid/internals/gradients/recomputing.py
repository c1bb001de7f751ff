"""A backward pass that runs parts of the forward pass again: `fluid.backward._append_backward_ops_with_checkpoints_` of 1.8.5.

`RecomputeOptimizer` does not take this way: `static/autodiff/recompute.py` repeats only what gradient operators read.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from itertools import pairwise
from typing import Any

from ....core.errors import GraphError
from ....static.autodiff.gradient_ops import gradient_of
from ....static.desc import OpDesc
from ....static.program.block import Block
from ....static.program.operator import Operator
from ....static.program.program import Program
from .names import rename_arg
from .operators import get_grad_op_desc
from .program_stats import ProgramStats
from .steps import add_descs, add_needed_descs, add_up_repeated_outputs, remove_no_grad_branch

__all__ = ["append_with_checkpoints"]


def append_with_checkpoints(
    block: Block,
    ops: Sequence[Operator],
    target_block: Block,
    no_grad_dict: MutableMapping[int, set[str]],
    grad_to_var: MutableMapping[str, Any],
    checkpoints: Sequence[Any],
) -> tuple[ProgramStats, list[str], list[str], list[list[int]]]:
    """Append the gradient operators of operators to a block, and before those of each segment the segment itself once more.

    Arguments:
        block: the block of the operators.
        ops: operators in their order.
        target_block: the block that operators are appended to.
        no_grad_dict: index of a block -> names of gradients that are not computed; others that cannot be are added.
        grad_to_var: name of a gradient -> name of its Variable, which is filled.
        checkpoints: the Variables that end segments, which are kept.

    Returns:
        (a ProgramStats, the names of the checkpoints in their order, the names of what is kept, the segments as [begin, end]).

    Raises:
        GraphError: an operator runs a block, or several operators compute its gradient; append_backward() appends them.
    """
    stats = ProgramStats(block, ops)
    stats.modify_forward_desc_for_recompute()
    stats.build_stats()
    names = stats.sort_checkpoints([each.name for each in checkpoints])
    segments = _segments(stats, names)
    if not segments:
        kept = [*names, *stats.get_input_nodes(), *stats.get_reserved_vars()]
        descs = [desc for op in reversed(stats.ops) for desc in _gradient(op, no_grad_dict[block.idx], grad_to_var)]
        _finish(descs, block, target_block, no_grad_dict)
        return stats, names, list(dict.fromkeys(kept)), segments
    crossing = [name for begin, end in segments for name in stats.get_out_of_subgraph_vars(begin, end)]
    kept = list(dict.fromkeys([*crossing, *stats.get_reserved_vars(), *names, *stats.get_input_nodes()]))
    descs = []
    ends = [*(begin for begin, _ in segments[1:]), len(stats.ops)]
    for number, ((begin, end), until) in enumerate(zip(reversed(segments), reversed(ends), strict=True)):
        for op in reversed(stats.ops[end:until]):
            descs += _gradient(op, no_grad_dict[block.idx], grad_to_var)
        again = _Again(block, stats.ops[begin:end], {*kept}, f".subprog_{number}")
        descs += again.descs
        for op in reversed(stats.ops[begin:end]):
            made = _gradient(op, no_grad_dict[block.idx], grad_to_var)
            for old, new in again.names.items():
                rename_arg(made, old, new)
            descs += made
    for op in reversed(stats.ops[: segments[0][0]]):
        descs += _gradient(op, no_grad_dict[block.idx], grad_to_var)
    _finish(descs, block, target_block, no_grad_dict)
    return stats, names, kept, segments


def _segments(stats: ProgramStats, names: Sequence[str]) -> list[list[int]]:
    """Return [begin, end] of the operators up to each checkpoint; those behind the last one are in none."""
    made = [max(stats.var_op_deps[name]["var_as_output_ops"]) + 1 for name in names]
    bounds = [0, *made]
    return [[begin, end] for begin, end in pairwise(bounds) if begin < end]


class _Again:
    """Copies of a segment's operators; `names` holds the old names of what they write anew -> the new ones."""

    def __init__(self, block: Block, ops: Sequence[Operator], kept: set[str], suffix: str) -> None:
        self.descs: list[OpDesc] = add_needed_descs(ops, Program().global_block(), block, list(kept))
        written = dict.fromkeys(name for desc in self.descs for name in desc.output_arg_names())
        self.names = {
            name: name + suffix for name in written if name not in kept and not block.variable(name).persistable
        }
        for old, new in self.names.items():
            rename_arg(self.descs, old, new)
            if not block.has_var(new):
                like = block.variable(old)
                block.create_var(name=new, shape=like.shape, dtype=like.dtype, type=like.type, persistable=False)


def _gradient(op: Operator, stopped: set[str], grad_to_var: MutableMapping[str, Any]) -> list[OpDesc]:
    """Return the gradient operators of an operator."""
    if getattr(gradient_of(op), "compose", None) is not None:
        raise GraphError(
            f"_append_backward_ops_with_checkpoints_: several operators compute the gradient of {op.type}. Call append_backward()."
        )
    made, names = get_grad_op_desc(op.desc, stopped)
    grad_to_var.update(names)
    return list(made)


def _finish(
    descs: Sequence[OpDesc], block: Block, target_block: Block, no_grad_dict: MutableMapping[int, set[str]]
) -> None:
    """Append operators, with sums of gradients that several write, and without those that nobody needs."""
    summed = add_up_repeated_outputs(descs, block.idx)
    add_descs(remove_no_grad_branch(summed, no_grad_dict[block.idx]), target_block)
