"""The choice of checkpoints: which values of a forward pass to keep, so that recomputing the others needs the least memory.

The values that gradient operators read are held until these run. With checkpoints, all operators up to the last checkpoint are in
segments, and only what crosses from one segment to another is held; the rest of a segment is there while its gradients are computed.
The most memory is then needed by what crosses and by the largest segment, or by the operators behind the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from ...core.dtype import to_numpy
from ..operators.structural import ControlGrad
from ..program.block import Block
from ..program.operator import Operator
from .gradient_ops import gradient_of

UNKNOWN = 64  # stands for a size that is known only at run time
MOST = 48  # segments


class Cut(NamedTuple):
    """A place to end a segment: the name of a value that crosses it, and the bytes of all that do."""

    name: str
    crossing: int


def choose(block: Block, forward: Sequence[Operator]) -> set[str]:
    """Return the names of checkpoints; none where recomputing saves no memory.

    Arguments:
        block: the block of the operators; those of other blocks end no segment. forward: the operators in order.
    """
    read = {name for op in forward for name in read_by_gradient(op, shapes=False)}
    held = [sum(_bytes(block, name) for name in {*op.output_arg_names} & read) for op in forward]
    cuts, whole = _cuts(block, forward), sum(held)
    best, least = set[str](), whole
    for count in range(2, MOST):
        names, need = _segments(held, cuts, whole / count)
        if need < least:
            best, least = names, need
    return best


def read_by_gradient(op: Operator, shapes: bool) -> list[str]:
    """Return the values that the gradient operator of an operator reads; shapes: also those of which it reads the shape only."""
    grad = gradient_of(op)
    if grad is None:
        return []
    if isinstance(grad, ControlGrad):
        return [*op.input_arg_names, *op.output_arg_names]
    slots = [slot for slot in grad.saved if shapes or slot not in grad.shape_only]
    return [name for slot in slots for name in op.inputs.get(slot) or op.outputs.get(slot) or ()]


def _segments(held: Sequence[int], cuts: Sequence[Cut | None], limit: float) -> tuple[set[str], int]:
    """Return the checkpoints of segments of about `limit` bytes, and the bytes that are needed with them.

    A segment ends where the least crosses, behind the first half of it.
    """
    names, crossing, largest, size = set[str](), 0, 0, 0
    best: tuple[Cut, int] | None = None  # where to end the segment, and its bytes
    for more, cut in zip(held, cuts, strict=True):
        size += more
        if cut is not None and size >= limit / 2 and (best is None or cut.crossing <= best[0].crossing):
            best = cut, size
        if size >= limit and best is not None:
            end, before = best
            names.add(end.name)
            crossing, largest, size, best = crossing + end.crossing, max(largest, before), size - before, None
    return names, crossing + max(largest, size)


def _cuts(block: Block, forward: Sequence[Operator]) -> list[Cut | None]:
    """Return for each operator what would cross if a segment ended there; None where none can end."""
    last = {name: place for place, op in enumerate(forward) for name in op.input_arg_names}
    alive: dict[str, int] = {}
    total, cuts = 0, list[Cut | None]()
    for place, op in enumerate(forward):
        for name in op.output_arg_names:
            if last.get(name, -1) > place and name not in alive:
                alive[name] = _bytes(block, name)
                total += alive[name]
        for name in op.input_arg_names:
            if last[name] <= place:
                total -= alive.pop(name, 0)
        crossing = [name for name in op.output_arg_names if alive.get(name)]
        cuts.append(Cut(crossing[0], total) if crossing and op.block is block else None)
    return cuts


def _bytes(block: Block, name: str) -> int:
    """Return the bytes of a value of the forward pass; 0 for what is there anyway: parameters, and what is fed."""
    variable = block.find(name)
    if variable is None or variable.persistable or variable.is_data or not variable.shape or variable.dtype is None:
        return 0
    sizes = (UNKNOWN if size < 0 else size for size in variable.shape)
    return prod(sizes) * to_numpy(variable.dtype, "recompute").itemsize
