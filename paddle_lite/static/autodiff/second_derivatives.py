"""Second derivatives: gradient operators in a form that has a gradient, and warnings of those that have none.

Where a gradient operator has no gradient, a second derivative stops, as in 1.8.5.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from typing import Any

from ...core.dtype import to_numpy
from ...core.tracebacks import user_level
from ...ops.framework import registry
from ..program.operator import Operator


def differentiable_form(op: Operator) -> Operator:
    """Return what is differentiated for an operator: itself, or an operator with the same result that has a gradient."""
    forward, type = op.forward, "" if op.declared is None else op.declared.traits.differentiated_as
    if not type or forward is None:
        return op
    given = {**forward.inputs, **{slot: names for slot, names in op.inputs.items() if slot.endswith("@GRAD")}}
    known = {*registry.get(type).attrs, "op_role"}
    attrs: dict[str, Any] = {name: value for name, value in op.attrs.items() if name in known}
    return Operator(op.block, type, {slot: list(names) for slot, names in given.items()}, op.outputs, attrs, op.line)


def warn_of_gaps(forward: Sequence[Operator], sources: set[str], targets: set[str], stopped: Collection[str]) -> None:
    """Warn of each gradient operator on a path from a source to a target that has no gradient itself.

    Arguments:
        forward: the operators in order.
        sources: the names of the Variables to differentiate by.
        targets: the names of the Variables whose gradients are asked.
        stopped: the names of the Variables through which no gradient flows.
    """
    closed = [op for op in forward if _is_closed(op)]
    if not closed:
        return
    reached = set(sources)
    for op in forward:
        if not reached.isdisjoint(op.input_arg_names):
            reached.update(n for n in op.output_arg_names if n not in stopped and _is_float(op, n))
    wanted, gaps = set(targets), {id(op) for op in closed if not reached.isdisjoint(op.input_arg_names)}
    found: list[str] = []
    for op in reversed(forward):
        if wanted.isdisjoint(op.output_arg_names):
            continue
        if id(op) in gaps:
            found.append(op.type)
        elif op.declared is not None and op.declared.grad is not None:
            wanted.update(n for n in op.input_arg_names if n in reached)
    if found:
        names = ", ".join(dict.fromkeys(found))
        text = (
            f"{names}: a second derivative stops there, as in PaddlePaddle 1.8.5, so what goes through it is missing in the "
            "gradient. Imperative mode raises an error instead: fluid.dygraph.grad(create_graph=True)."
        )
        warnings.warn(text, UserWarning, stacklevel=user_level())


def _is_closed(op: Operator) -> bool:
    """Return whether an operator computes gradients and has no gradient itself."""
    return op.declared is not None and op.declared.forward is not None and op.declared.grad is None


def _is_float(op: Operator, name: str) -> bool:
    variable = op.block.find(name)
    return variable is not None and variable.shape is not None and to_numpy(variable.dtype).kind == "f"
