"""Which gradient operators stand apart from a backward pass: `fluid.backward._find_not_need_ops` of 1.8.5."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from ....static.program.operator import Operator

__all__ = ["operators_apart"]


def operators_apart(
    grad_op_descs: Sequence[Any], forward_ops: Iterable[Operator], input_grad_names_set: Iterable[str] | None
) -> set[Any]:
    """Return the gradient operators that read nothing from the forward pass or from other gradients, and those that follow them.

    An operator of which no input is known begins such a part. The part counts where all operators that read its results have
    all of their inputs from it; nothing counts where the parts are all operators there are.

    Arguments:
        grad_op_descs: descriptions of operators in their order.
        forward_ops: the operators whose Variables are known.
        input_grad_names_set: the names of gradients that are known, those of the targets; or None.

    Returns:
        A set of the descriptions.

    >>> from paddle_lite.fluid.backward import _create_op_desc_, _find_not_need_ops
    >>> descs = [_create_op_desc_('relu_grad', {}, {'X@GRAD': [f'{x}@GRAD']}, {}) for x in 'ab']
    >>> descs[0].set_input('Out@GRAD', ['y@GRAD'])
    >>> descs[1].set_input('Out@GRAD', ['z@GRAD'])
    >>> _find_not_need_ops(descs, [], {'y@GRAD'}) == {descs[1]}
    True
    """
    known = set(input_grad_names_set or ())
    known.update(name for op in forward_ops for name in (*op.input_arg_names, *op.output_arg_names))
    reads, gives, readers, begins = _edges(grad_op_descs, known)
    apart = {place for begin in begins for place in _follows(begin, reads, gives, readers)}
    return set() if len(apart) == len(grad_op_descs) else {grad_op_descs[place] for place in apart}


Value = tuple[str, int]  # a name, and how often it was written before


def _edges(
    descs: Sequence[Any], known: set[str]
) -> tuple[list[set[Value]], list[list[Value]], dict[Value, list[int]], list[int]]:
    """Return the values that each operator reads and gives, the readers of each value, and the operators that know no input."""
    times: dict[str, int] = {}
    made: set[str] = set()
    reads: list[set[Value]] = []
    gives: list[list[Value]] = []
    readers: dict[Value, list[int]] = {}
    begins = []
    for place, desc in enumerate(descs):
        names = set(desc.input_arg_names())
        if not names & (known | made):
            begins.append(place)
        reads.append({(name, times.setdefault(name, 0)) for name in names})
        for value in reads[-1]:
            readers.setdefault(value, []).append(place)
        gives.append([])
        for name in desc.output_arg_names():
            times[name] = times.get(name, -1) + 1
            gives[-1].append((name, times[name]))
        made.update(desc.output_arg_names())
    return reads, gives, readers, begins


def _follows(
    begin: int, reads: list[set[Value]], gives: list[list[Value]], readers: dict[Value, list[int]]
) -> set[int]:
    """Return an operator and those that follow it, or none where one of these reads something else."""
    ready, part, waiting = set(reads[begin]), {begin}, deque([begin])
    while waiting:
        place = waiting.popleft()
        if not reads[place] or not reads[place] <= ready:
            return set()
        ready.update(gives[place])
        after = [reader for value in gives[place] for reader in readers.get(value, ())]
        part.update(after)
        waiting.extend(after)
    return part
