"""Second derivatives: gradient operators in a form that has a gradient, and warnings of those that have none.

Where a gradient operator has no gradient, a second derivative stops, as in 1.8.5.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from typing import Any

from ...core.dtype import to_numpy
from ...core.tracebacks import user_level
from ..program.operator import Operator

FORMS = {"cross_entropy_grad2": "cross_entropy_grad"}
"""Gradient operators that read a result of the forward operator without a gradient of its own, and those that compute the
same from its inputs alone."""


def differentiable_form(op: Operator) -> Operator:
    """Return what is differentiated for an operator: itself, or an operator with the same result that has a gradient."""
    type, forward = FORMS.get(op.type), op.forward
    if type is None or forward is None:
        return op
    inputs = {**{slot: list(names) for slot, names in forward.inputs.items()}, "Y@GRAD": op.input("Y@GRAD")}
    attrs: dict[str, Any] = {name: op.attrs[name] for name in ("ignore_index", "op_role") if name in op.attrs}
    return Operator(op.block, type, inputs, op.outputs, attrs, op.line)


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
