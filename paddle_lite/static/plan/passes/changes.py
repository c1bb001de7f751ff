"""Operators on a gradient before an update: clip factors and L2 penalties, which update kernels apply themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from ....core.dtype import VarType
from ....ops.framework.traits import Algebra, Multiply, Scale, Sum
from ...program.operator import Operator
from ..graph import FunctionGraph
from ..ir import Value

Reading = tuple[int, str]
"""A value, given by the place of an operator that reads it and the name of its Variable."""


class Change(NamedTuple):
    """The change of a gradient before an update: gradient * factor + coefficient * parameter.

    gradient: the gradient before the change. factor: None for no factor. absorbed: the places of the operators that the
    update replaces.
    """

    gradient: Reading
    factor: Reading | None = None
    coefficient: float = 0.0
    absorbed: tuple[int, ...] = ()


class Uses:
    """The places of the operators that read or write each name.

    Arguments:
        ops: the operators.
        wanted: the names that the Plan returns.
    """

    def __init__(self, ops: Sequence[Operator], wanted: Collection[str]) -> None:
        self.ops, self.wanted = ops, wanted
        self.at: dict[str, list[int]] = {}
        for place, op in enumerate(ops):
            for name in {*op.input_arg_names, *op.output_arg_names}:
                self.at.setdefault(name, []).append(place)

    def maker(self, name: str, reader: int) -> int | None:
        """Return the place of the operator that makes a value for `reader` alone; None if others use the value."""
        variable = self.ops[reader].block.find(name)
        if name in self.wanted or variable is None or variable.persistable or variable.type != VarType.LOD_TENSOR:
            return None
        before = [p for p in self.at[name] if p < reader]
        after = [p for p in self.at[name] if p > reader]
        if not before or name not in self.ops[before[-1]].output_arg_names:
            return None
        renewed = name in self.ops[reader].output_arg_names
        if (after and not renewed) or any(self.ops[p].forward is not None for p in after):
            return None
        return before[-1]


def algebra_of(op: Operator) -> Algebra | None:
    """Return the algebra trait of an operator's declaration; None if it has none."""
    return None if op.declared is None else op.declared.traits.algebra


def change_of(uses: Uses, place: int) -> Change:
    """Return the change of the gradient of the update at a place."""
    update = uses.ops[place]
    [name], [param] = update.inputs["Grad"], update.inputs["Param"]
    change = Change((place, name))
    penalty = _penalty(uses, name, place, param)
    if penalty is not None:
        change, place = penalty
    return _factor(uses, change, place) or change


def _penalty(uses: Uses, name: str, reader: int, param: str) -> tuple[Change, int] | None:
    """Return the change by a penalty that is added to the gradient `name`, and the place of the sum; or None."""
    place = uses.maker(name, reader)
    if place is None:
        return None
    adding = uses.ops[place]
    parts = adding.inputs.get("X") or []
    if not isinstance(algebra_of(adding), Sum) or len(parts) != 2:
        return None
    gradient, product = parts
    scaled = uses.maker(product, place)
    if scaled is None or gradient == product:
        return None
    scaling = uses.ops[scaled]
    plain = isinstance(algebra_of(scaling), Scale) and scaling.inputs == {"X": [param]} and scaling.attr("bias") == 0.0
    if not plain or any(param in uses.ops[p].output_arg_names for p in uses.at[param] if p < reader):
        return None
    coefficient = float(np.float32(scaling.attr("scale")))
    if coefficient == 0 and adding.block.variable(gradient).type == VarType.SELECTED_ROWS:
        return None  # the sum is dense, and some updates treat dense gradients differently
    return Change((place, gradient), None, coefficient, (scaled, place)), place


def _factor(uses: Uses, change: Change, reader: int) -> Change | None:
    """Return the change with the factor that the gradient is multiplied by; None if there is no factor."""
    place = uses.maker(change.gradient[1], reader)
    if place is None:
        return None
    op = uses.ops[place]
    if not isinstance(algebra_of(op), Multiply) or op.attr("axis") != -1:
        return None
    [gradient], [factor] = op.inputs["X"], op.inputs["Y"]
    one = op.block.variable(factor).shape == (1,)
    if not one or gradient == factor or op.block.variable(gradient).type != VarType.LOD_TENSOR:
        return None
    return change._replace(gradient=(place, gradient), factor=(place, factor), absorbed=(*change.absorbed, place))


def value_of(graph: FunctionGraph, reading: Reading) -> Value:
    """Return the value of a reading."""
    place, name = reading
    return next(value for value in graph.instructions[place].reads() if value.name == name)
