"""Operators that exist only in Programs: those that own blocks, and (tensor_arrays.py) those on arrays of tensors.

Operators with blocks have no kernel; plan/control.py defines how they run, control_gradients.py their gradients.
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
    """The gradient rule of a structural operator, which replaces the `Grad` of other operators.

    Arguments:
        targets, incoming: the input slots that get gradients; the output slots whose gradients are read.
        rule: `f(builder, operator, gradients of the outputs by slot)`, which appends the gradient operator.
    """

    compose = via = op = None

    def __init__(self, targets: str, incoming: str, rule: Callable[..., None]) -> None:
        self.targets = tuple(targets.split())
        self.incoming = tuple(incoming.split())
        self.rule = rule


def passes(op: Any, name: str) -> bool:
    """Return whether the gradient of a result passes through an operator.

    It does not where a branch writes what persists, such as a parameter that an optimizer updates in it: that is
    differentiated by its value after the branch.
    """
    variable = op.block.find(name) if op.type == "conditional_block" else None
    return variable is None or not variable.persistable


definitions = only_in_programs
before_saving: list[Callable[[Any], Any]] = []
"""Functions that return a Program, or a copy of it, with operators as files have them."""
when_loaded: list[Callable[[Any], None]] = []
"""Functions that convert a Program that was read from a file, in place, to operators that run here."""


def _only_in_programs(xp: Any, *inputs: Any, **attrs: Any) -> Any:
    raise ModeError("an operator with blocks runs only in a Program, through an Executor")


def structural(
    type: str, inputs: str, outputs: str, attrs: Mapping[str, Any] | None = None, *, reference: Callable | None = None,
    infer: Callable | None = None, grad: Any = None, lod: Any = None, needs_lod: str | None = None, doc: str = "",
    **traits: Any,
) -> OpDef:  # fmt: skip
    """Declare an operator with its `traits` (see Traits); one without a `reference` runs as plan/control_source.py defines."""
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
