"""Gradients of L2 penalties among the operators of a Plan: kernels of updates add them themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...core.dtype import VarType
from ..operator import Operator


class Penalty(NamedTuple):
    """What two operators add to a gradient: `coefficient` times the parameter.

    places: where the two stand, the `scale` and the `sum`. gradient: the name of the gradient that the `sum` reads.
    """

    coefficient: float
    places: tuple[int, int]
    gradient: str


def penalty_of(
    ops: Sequence[Operator], at: Mapping[str, Sequence[int]], place: int, wanted: Collection[str]
) -> Penalty | None:
    """The penalty in the gradient of the update at a place, if nothing else needs the two operators that add it.

    Arguments:
        ops: the operators.
        at: by name, the places of the operators that read or write it, rising.
        place: of the update.
        wanted: the names that the Plan returns.
    """
    update = ops[place]
    [total], [param] = update.inputs["Grad"], update.inputs["Param"]
    if total in wanted or update.block.variable(total).persistable:
        return None
    writers = [p for p in at[total] if p < place and total in ops[p].output_arg_names]
    if not writers or at[total][at[total].index(writers[-1]) + 1 :] != [place]:
        return None  # somebody else reads it too
    adding = ops[writers[-1]]
    parts = adding.inputs.get("X") or []
    if adding.type != "sum" or len(parts) != 2 or update.block.variable(parts[0]).type == VarType.SELECTED_ROWS:
        return None
    gradient, product = parts
    if len(at[product]) != 2 or at[product][1] != writers[-1] or product in wanted:
        return None
    scaling = ops[at[product][0]]
    plain = scaling.type == "scale" and scaling.inputs == {"X": [param]} and scaling.attr("bias") == 0.0
    if not plain or any(param in ops[p].output_arg_names for p in at[param] if p < place):
        return None
    if update.block.variable(product).persistable:
        return None
    return Penalty(float(np.float32(scaling.attr("scale"))), (at[product][0], writers[-1]), gradient)
