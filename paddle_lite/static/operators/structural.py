"""Operators that only Programs have: those that own blocks, and (array_ops.py) those on arrays of tensors.

Those with blocks have no kernel; plan/control.py says how they run, control_gradients.py how they are differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core.errors import ModeError
from ...ops.framework.registry import only_in_programs
from ...ops.framework.spec import OpDef, parse_slots
from ...ops.framework.traits import Traits

EMPTY = "@EMPTY@"


class ControlGrad:
    """How a structural operator is differentiated, in place of the `Grad` of other operators.

    Arguments:
        targets, incoming: the input slots that get gradients, the output slots whose gradients are read.
        rule: `f(builder, operator, gradients of the outputs by slot)` that appends the gradient operator.
    """

    compose = via = op = None

    def __init__(self, targets: str, incoming: str, rule: Callable[..., None]) -> None:
        self.targets = tuple(targets.split())
        self.incoming = tuple(incoming.split())
        self.rule = rule


definitions = only_in_programs


def _only_in_programs(xp: Any, *inputs: Any, **attrs: Any) -> Any:
    raise ModeError("an operator with blocks runs only in a Program, through an Executor")


def structural(
    type: str, inputs: str, outputs: str, attrs: Mapping[str, Any] | None = None, *, reference: Callable | None = None,
    infer: Callable | None = None, grad: Any = None, lod: Any = None, needs_lod: str | None = None, doc: str = "",
    **traits: Any,
) -> OpDef:  # fmt: skip
    """Declare one, with its `traits` (see Traits); without a `reference` it runs as plan/control_source.py says."""
    made = OpDef(
        type, parse_slots(inputs), parse_slots(outputs), attrs or {}, family="control", reference=reference or _only_in_programs,
        infer=infer, grad=None if isinstance(grad, ControlGrad) else grad, lod=lod, needs_lod=needs_lod, traits=Traits(**traits), doc=doc,
    )  # fmt: skip
    if isinstance(grad, ControlGrad):
        made.grad = grad  # type: ignore[assignment]
    definitions[type] = made
    if made.grad is not None and made.grad.op is not None:
        definitions[made.grad.op.type] = made.grad.op
    return made
