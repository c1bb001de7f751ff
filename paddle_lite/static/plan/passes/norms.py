"""Sums of squares of a clip by the global norm: one call for all gradients."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from math import prod
from typing import Any

import numpy as np

from ....kernels.cpu.optim.optimizer_kernels import squares_of
from ....ops.framework.dispatch import kernel_of
from ....ops.framework.traits import ReduceSum, Square, Sum
from ....ops.math import reduce
from ....ops.nn import activation
from ...program.operator import Operator
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, joined, line
from .changes import Uses, algebra_of

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class SquaresGroup:
    """Pairs of `square` and `reduce_sum` whose results one operator sums, to run as one call.

    Arguments:
        pairs: the places of the pairs.
        ops: the operators.
    """

    def __init__(self, pairs: list[tuple[int, int]], ops: Sequence[Operator]) -> None:
        self.places = list(chain.from_iterable(pairs))
        self.pairs = pairs
        variables = [ops[square].block.find(ops[square].inputs["X"][0]) for square, _ in pairs]
        self.size = sum(abs(prod(v.shape)) for v in variables if v is not None)  # -1 stands for 1

    def instructions(self, graph: FunctionGraph) -> Iterator[Instruction]:
        """Return the call in the place of the last operator, and empty instructions in the other places."""
        steps = graph.instructions
        last = max(self.places)
        unit = Unit("sums of squares", tuple(self.places), f"of {len(self.pairs)} arrays", last)
        yield from (steps[place].run_as(unit) for place in self.places if place != last)
        given = [value for square, _ in self.pairs for value in steps[square].reads()]
        made = [value for _, total in self.pairs for value in steps[total].makes()]
        call = line("[{}] = sums_of_squares([{}])", joined(made), joined(given))
        yield steps[last].run_as(unit, [call], given, made, scope={"sums_of_squares": sums_of_squares})


def gathered_squares(uses: Uses) -> list[SquaresGroup]:
    """Return the groups of pairs of `square` and `reduce_sum`."""
    readers: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, op in enumerate(uses.ops):
        whole = isinstance(algebra_of(op), ReduceSum) and op.attr("reduce_all") and not op.attr("keep_dim")
        if not whole or op.attr("out_dtype") != -1 or op.forward is not None:
            continue
        square = uses.maker(op.inputs["X"][0], place)
        if square is None or not isinstance(algebra_of(uses.ops[square]), Square):
            continue
        [reader] = [p for p in uses.at[op.outputs["Out"][0]] if p != place][:1] or [-1]
        adds = reader > place and isinstance(algebra_of(uses.ops[reader]), Sum)
        if adds and uses.maker(op.outputs["Out"][0], reader) == place:
            readers[reader].append((square, place))
    return [SquaresGroup(pairs, uses.ops) for pairs in readers.values() if len(pairs) > 1]


def sums_of_squares(arrays: list[Any]) -> list[Any]:
    """Return the sum of the squares of each array, [1], in the dtype of the array."""
    dtype = arrays[0].dtype
    if dtype not in FLOATS or not all(type(a) is np.ndarray and a.dtype == dtype for a in arrays):
        square, total = kernel_of(activation.square, "cpu"), kernel_of(reduce.reduce_sum, "cpu")
        attrs = {"dim": (0,), "keep_dim": False, "reduce_all": True, "out_dtype": -1}
        return [total(square(a), **attrs) for a in arrays]
    whole = [a if a.flags.carray else np.array(a, order="C") for a in arrays]
    objects, sizes = np.array([list(map(id, whole)), [a.size for a in whole]], np.int64)
    out = np.empty(len(whole))
    squares_of(objects, sizes, out, np.empty(0, dtype))
    made = out.astype(dtype)
    return [made[k : k + 1] for k in range(len(whole))]
