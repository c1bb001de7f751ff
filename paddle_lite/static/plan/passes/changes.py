"""What operators do to a gradient before an update: factors of clips and L2 penalties, which kernels of updates do themselves."""

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
"""A value: the place of an operator that reads it, and the name under which it does."""


class Change(NamedTuple):
    """A gradient is multiplied by `factor`, if there is one, and `coefficient` times the parameter is added.

    gradient: the gradient before that. absorbed: where the operators stand that need not run.
    """

    gradient: Reading
    factor: Reading | None = None
    coefficient: float = 0.0
    absorbed: tuple[int, ...] = ()


class Uses:
    """Which operators of a Plan use which names.

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
        """Where the value was made that the operator at `reader` reads, if nobody else needs it."""
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
    """Return what an operator computes, as its declaration says it."""
    return None if op.declared is None else op.declared.traits.algebra


def change_of(uses: Uses, place: int) -> Change:
    """What is done to the gradient of the update at a place."""
    update = uses.ops[place]
    [name], [param] = update.inputs["Grad"], update.inputs["Param"]
    change = Change((place, name))
    penalty = _penalty(uses, name, place, param)
    if penalty is not None:
        change, place = penalty
    return _factor(uses, change, place) or change


def _penalty(uses: Uses, name: str, reader: int, param: str) -> tuple[Change, int] | None:
    """The gradient `name` without a penalty that was added to it, and where that was."""
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
        return None  # the sum is dense, of which some updates take another step
    return Change((place, gradient), None, coefficient, (scaled, place)), place


def _factor(uses: Uses, change: Change, reader: int) -> Change | None:
    """The same with a factor that the gradient was multiplied by."""
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
    """The value that an operator reads under a name."""
    place, name = reading
    return next(value for value in graph.instructions[place].reads() if value.name == name)
