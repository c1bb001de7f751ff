"""Operators with blocks: while, conditional_block and recurrent; and feed and fetch, which the Executor handles."""

from __future__ import annotations

from ...ops.framework.spec import Attr, Required, Strings
from ..autodiff.control_gradients import branch_gradient, recurrent_gradient, while_gradient
from ..autodiff.loaded_gradients import convert_loaded
from ..autodiff.saved_gradients import in_the_form_of_files
from .structural import ControlGrad, before_saving, structural, when_loaded


def _block() -> Attr:
    return Required("BLOCK")


SKIPPED = {"skip_eager_deletion_vars": Strings([])}
OWN = {name: Strings([]) for name in ("seeds", "found", "of", "carried", "carriers")}
"""Attributes of gradient operators that PaddlePaddle does not have: see control_gradients.py and saved_gradients.py."""

structural(
    "while", "X* Condition*", "Out* StepScopes?",
    {"sub_block": _block(), "is_test": False, **SKIPPED}, grad=ControlGrad("X", "Out", while_gradient),
    doc="Runs its block again and again while Condition holds.",
)  # fmt: skip
structural(
    "while_grad", "X* Out* Out@GRAD* StepScopes", "X@GRAD*",
    {"sub_block": _block(), "original_output_grad": Strings([]), "is_test": False, **SKIPPED, **OWN},
    doc="The gradient of while: its block once for each round, the last one first.",
)  # fmt: skip
structural(
    "conditional_block", "Cond* Input*?", "Out* Scope?",
    {"sub_block": _block(), "is_scalar_condition": False, **SKIPPED}, grad=ControlGrad("Input", "Out", branch_gradient),
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
    {"sub_block": _block(), "is_scalar_condition": False, **OWN},
    doc="The gradient of conditional_block.",
)  # fmt: skip
structural(
    "recurrent", "inputs* initial_states*? parameters*?", "outputs* step_scopes?",
    {
        "sub_block": _block(), "has_states": False, "ex_states": Strings([]), "states": Strings([]), "reverse": False,
        "is_train": True, **SKIPPED,
    },
    grad=ControlGrad("inputs initial_states parameters", "outputs", recurrent_gradient),
    doc="Runs its block once for each step of its inputs, with states that are handed on.",
)  # fmt: skip
structural(
    "recurrent_grad", "inputs* initial_states*? parameters*? outputs* outputs@GRAD* step_scopes",
    "inputs@GRAD* initial_states@GRAD* parameters@GRAD*",
    {
        "sub_block": _block(), "has_states": False, "ex_states": Strings([]), "states": Strings([]), "reverse": False,
        "is_train": True, **SKIPPED, **OWN,
    },
    doc="The gradient of recurrent.",
)  # fmt: skip


structural("feed", "X", "Out", {"col": 0}, doc="What is fed; the Executor itself sees to it.")
structural("fetch", "X", "Out", {"col": 0}, doc="What is fetched; the Executor itself sees to it.")

when_loaded.append(convert_loaded)
before_saving.append(in_the_form_of_files)
