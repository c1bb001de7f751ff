"""Operators on a gradient before an update: means, clip factors and L2 penalties, which update kernels compute themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....core.dtype import VarType
from ....kernels.cpu.optim.optimizer_kernels import splittable
from ....ops.framework.traits import Algebra, Multiply, Scale, Sum
from ...program.operator import Operator
from ..graph import FunctionGraph
from ..ir import Instruction, Value


class Change(NamedTuple):
    """The change of a gradient before an update: gradient * factor + coefficient * parameter.

    gradient: the gradient before the change. factor: None for no factor. absorbed: the places of the operators that the
    update replaces. terms: the gradients whose sum times `mean` is the gradient; empty where it is no such product.
    """

    gradient: Value
    factor: Value | None = None
    coefficient: float = 0.0
    absorbed: tuple[int, ...] = ()
    terms: tuple[Value, ...] = ()
    mean: float = 1.0

    def reads(self) -> tuple[Value, ...]:
        """Return the gradients that the update reads."""
        return self.terms or (self.gradient,)


def sole_maker(graph: FunctionGraph, value: Value, reader: int) -> Instruction | None:
    """Return the instruction that makes a tensor for the operator at `reader` alone; None if others use the value."""
    maker = graph.maker(value)
    if maker is None or graph.wanted(value) or [*graph.readers(value), *graph.shaped(value)] != [reader]:
        return None
    variable = maker.op.block.find(value.name)
    return None if variable is None or variable.persistable or variable.type != VarType.LOD_TENSOR else maker


def algebra_of(op: Operator) -> Algebra | None:
    """Return the algebra trait of an operator's declaration; None if it has none."""
    return None if op.declared is None else op.declared.traits.algebra


def change_of(graph: FunctionGraph, update: Instruction) -> Change:
    """Return the change of the gradient of an update."""
    gradient, param = update.one("Grad"), update.one("Param")
    assert gradient is not None and param is not None
    change, reader = _penalty(graph, gradient, update.place, param) or (Change(gradient), update.place)
    change = _factor(graph, change, reader) or change
    if splittable(update.type):
        reader = change.absorbed[-1] if change.factor is not None else reader
        change = _mean(graph, change, reader, param) or change
    return change


def _penalty(graph: FunctionGraph, value: Value, reader: int, param: Value) -> tuple[Change, int] | None:
    """Return the change by a penalty that is added to a gradient, and the place of the sum; None without a penalty."""
    adding = sole_maker(graph, value, reader)
    parts = [] if adding is None else adding.read.get("X") or []
    if adding is None or not isinstance(algebra_of(adding.op), Sum) or len(parts) != 2:
        return None
    gradient, product = parts
    assert gradient is not None and product is not None
    scaling = sole_maker(graph, product, adding.place)
    if scaling is None or gradient is product or not isinstance(algebra_of(scaling.op), Scale):
        return None
    if scaling.reads() != [param] or scaling.op.attr("bias") != 0.0:
        return None
    coefficient = float(np.float32(scaling.op.attr("scale")))
    if coefficient == 0 and adding.op.block.variable(gradient.name).type == VarType.SELECTED_ROWS:
        return None  # the sum is dense, and some updates treat dense gradients differently
    return Change(gradient, None, coefficient, (scaling.place, adding.place)), adding.place


def _factor(graph: FunctionGraph, change: Change, reader: int) -> Change | None:
    """Return the change with the factor that the gradient is multiplied by; None if there is no factor."""
    maker = sole_maker(graph, change.gradient, reader)
    if maker is None or not isinstance(algebra_of(maker.op), Multiply) or maker.op.attr("axis") != -1:
        return None
    gradient, factor, block = maker.one("X"), maker.one("Y"), maker.op.block
    if gradient is None or factor is None or gradient is factor:
        return None
    if block.variable(factor.name).shape != (1,) or block.variable(gradient.name).type != VarType.LOD_TENSOR:
        return None
    return change._replace(gradient=gradient, factor=factor, absorbed=(*change.absorbed, maker.place))


def _mean(graph: FunctionGraph, change: Change, reader: int, param: Value) -> Change | None:
    """Return the change of a gradient that is a sum of others times a number; None if it is no such product.

    A server computes the mean of its trainers' gradients in this way.
    """
    scaling = sole_maker(graph, change.gradient, reader)
    if scaling is None or not isinstance(algebra_of(scaling.op), Scale) or scaling.op.attr("bias") != 0.0:
        return None
    total = scaling.reads()[0]
    adding = sole_maker(graph, total, scaling.place) if len(scaling.reads()) == 1 else None
    if adding is None or not isinstance(algebra_of(adding.op), Sum):
        return None
    terms = tuple(adding.reads())
    for value in (change.gradient, total, *terms):
        variable = adding.op.block.find(value.name)
        if variable is None or variable.type != VarType.LOD_TENSOR:
            return None
        if (value.shape, value.dtype) != (param.shape, param.dtype):
            return None
    places = (adding.place, scaling.place)
    return change._replace(absorbed=(*change.absorbed, *places), terms=terms, mean=float(scaling.op.attr("scale")))
