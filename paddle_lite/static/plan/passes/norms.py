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
from ..graph import FunctionGraph
from ..ir import Instruction, Unit, joined, line
from .changes import algebra_of, sole_maker

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class SquaresGroup:
    """Pairs of `square` and `reduce_sum` whose results one operator sums, to run as one call.

    Arguments:
        pairs: the places of the pairs.
        steps: the instructions of the Plan.
    """

    def __init__(self, pairs: list[tuple[int, int]], steps: Sequence[Instruction]) -> None:
        self.places = list(chain.from_iterable(pairs))
        self.pairs = pairs
        variables = [steps[square].op.block.find(steps[square].reads()[0].name) for square, _ in pairs]
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


def gathered_squares(graph: FunctionGraph) -> list[SquaresGroup]:
    """Return the groups of pairs of `square` and `reduce_sum`."""
    steps = graph.instructions
    pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for step in steps:
        op, x, out = step.op, step.one("X"), step.out("Out")
        whole = isinstance(algebra_of(op), ReduceSum) and op.attr("reduce_all") and not op.attr("keep_dim")
        if not whole or x is None or out is None or op.attr("out_dtype") != -1 or op.forward is not None:
            continue
        square = sole_maker(graph, x, step.place)
        if square is None or not isinstance(algebra_of(square.op), Square):
            continue
        reader = next(iter(graph.readers(out)), -1)
        if sole_maker(graph, out, reader) is step and isinstance(algebra_of(steps[reader].op), Sum):
            pairs[reader].append((square.place, step.place))
    return [SquaresGroup(each, steps) for each in pairs.values() if len(each) > 1]


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
