"""Gradients of weights in loops: rounds hand out the rows of their products, which are multiplied for many rounds at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from ....kernels.cpu.math.gemm import times_transposed
from ....ops.framework.traits import Matmul
from ..graph import FunctionGraph
from ..ir import Instruction, Line, Unit, Value, line
from ..passes.products import differentiates, plainly


class Rows(NamedTuple):
    """The factors of the gradient x.T @ d of a weight in one round: x [rows, K], d [rows, N]."""

    x: Any
    d: Any


def rows_handed_out(graph: FunctionGraph, summed: Collection[Value]) -> Iterator[Instruction]:
    """Return the instructions of products' gradients that give Rows in the place of the weight's gradient.

    Arguments:
        graph: the operators of a block and its gradients. summed: the results of gradients that are only added up.
    """
    for step in graph.instructions:
        made = step.out("Y@GRAD")
        if made is None or made not in summed or not step.plain or not step.free or not differentiates(step, Matmul):
            continue
        x, y, d = step.one("X"), step.one("Y"), step.one("Out@GRAD")
        if x is None or y is None or d is None or any(len(v.shape) != 2 or v.dtype != y.dtype for v in (x, y, d)):
            continue
        if graph.readers(made) or graph.shaped(made) or not plainly(step):
            continue
        unit = Unit("one product", (step.place,), "the weight's gradient of many rounds", step.place)
        lines: list[Line] = [line("{} = Rows({}, {})", made, x, d)]
        scope: dict[str, Any] = {"Rows": Rows}
        before = step.out("X@GRAD")
        if before is not None:
            lines.insert(0, line("{} = times_transposed({}, {})", before, d, y))
            scope["times_transposed"] = times_transposed
        loads, stores = [x, d, *([y] if before is not None else [])], [v for v in (before, made) if v is not None]
        yield step.run_as(unit, lines, loads, stores, scope=scope)
