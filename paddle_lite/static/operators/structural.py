"""Operators that only Programs have: those that own blocks, and (array_ops.py) those on arrays of tensors.

Those with blocks have no kernel; plan/control.py says how they run, control_gradients.py how they are differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core.errors import ModeError
from ...ops.framework.registry import only_in_programs
from ...ops.framework.spec import Attr, OpDef, Required, Strings, parse_slots
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
        infer=infer, grad=grad, lod=lod, needs_lod=needs_lod, traits=Traits(**traits), doc=doc,
    )  # fmt: skip
    definitions[type] = made
    if made.grad is not None and made.grad.op is not None:
        definitions[made.grad.op.type] = made.grad.op
    return made


def _block() -> Attr:
    return Required("BLOCK")


SKIPPED = {"skip_eager_deletion_vars": Strings([])}

structural(
    "while", "X* Condition*", "Out* StepScopes?",
    {"sub_block": _block(), "is_test": False, **SKIPPED},
    doc="Runs its block again and again while Condition holds.",
)  # fmt: skip
structural(
    "while_grad", "X* Out* Out@GRAD* StepScopes", "X@GRAD*",
    {"sub_block": _block(), "original_output_grad": Strings([]), "seeds": Strings([]), "found": Strings([]), "of": Strings([])},
    doc="The gradient of while: its block once for each round, the last one first.",
)  # fmt: skip
structural(
    "conditional_block", "Cond* Input*?", "Out* Scope?",
    {"sub_block": _block(), "is_scalar_condition": False, **SKIPPED},
    doc="Runs its block where Cond holds; else Out stays as it was.",
)  # fmt: skip
structural(
    "conditional_block_infer",
    "Cond* Input*?",
    "Out* Scope?",
    {"sub_block": _block(), "is_scalar_condition": False, **SKIPPED},
)
structural(
    "conditional_block_grad", "Cond* Input* Out* Out@GRAD* Scope", "Input@GRAD*",
    {"sub_block": _block(), "is_scalar_condition": False, "seeds": Strings([]), "found": Strings([]), "of": Strings([])},
    doc="The gradient of conditional_block.",
)  # fmt: skip
structural(
    "recurrent", "inputs* initial_states* parameters*", "outputs* step_scopes?",
    {
        "sub_block": _block(), "has_states": False, "ex_states": Strings([]), "states": Strings([]), "reverse": False,
        "is_train": True, **SKIPPED,
    },
    doc="Runs its block once for each step of its inputs, with states that are handed on.",
)  # fmt: skip
structural(
    "recurrent_grad", "inputs* initial_states* parameters* outputs* outputs@GRAD* step_scopes",
    "inputs@GRAD* initial_states@GRAD* parameters@GRAD*",
    {
        "sub_block": _block(), "has_states": False, "ex_states": Strings([]), "states": Strings([]), "reverse": False,
        "seeds": Strings([]), "found": Strings([]), "of": Strings([]),
    },
    doc="The gradient of recurrent.",
)  # fmt: skip


structural("feed", "X", "Out", {"col": 0}, doc="What is fed; the Executor itself sees to it.")
structural("fetch", "X", "Out", {"col": 0}, doc="What is fetched; the Executor itself sees to it.")
