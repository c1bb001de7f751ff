"""FLAGS_check_nan_inf in imperative mode: the first operator that computes a NaN or an infinity raises an error."""

from __future__ import annotations

from typing import Any

from ..core import flags
from ..core.errors import describe
from ..core.finite import FLAG, check_finite
from ..core.mode import in_imperative_mode, state
from ..ops.framework.spec import OpDef
from .backward import Passes
from .mode import ImperativeMode, ObservedMode, without
from .variable import Variable


class CheckingMode(ObservedMode):
    """Run each call in another imperative mode, and raise an error if a result contains a NaN or an infinity."""

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run an operator, check its results and return them.

        Raises:
            NonFiniteError: a result contains a NaN or an infinity.
        """
        results = self.run(op, inputs, attrs)
        outputs = results if isinstance(results, tuple) else (results,)
        for slot, output in zip(op.outputs, outputs, strict=True):
            for one in output if isinstance(output, list) else [output]:
                if isinstance(one, Variable):
                    check(op.type, f"Output({slot.name})", one.array, inputs)
        return results


def check(where: str, what: str, array: Any, inputs: tuple = ()) -> None:
    """Raise an error if an array of floats contains a NaN or an infinity."""
    check_finite(where, what, array, ", ".join(describe(v) for v in inputs if isinstance(v, Variable)))


def checking(mode: ImperativeMode) -> ImperativeMode:
    """Return the mode, wrapped in a CheckingMode if the flag is set."""
    return CheckingMode(mode) if flags.get_flags(FLAG)[FLAG] else mode


class NonFiniteGradients:
    """Observer of backward passes that checks the gradients of each tape entry."""

    def started(self, node: Any) -> None:
        """Do nothing: there are no gradients yet."""

    def finished(self, node: Any, gradients: Any) -> None:
        """Raise an error if a gradient contains a NaN or an infinity."""
        op = getattr(node.run, "op", None)
        for gradient in gradients or ():
            array = getattr(gradient, "values", getattr(gradient, "array", gradient))
            check(f"{op.type if op else 'operator'} (backward)", "a gradient", array)


_gradients = NonFiniteGradients()


def _changed(value: Any) -> None:
    """Start or stop the checks in the current mode."""
    Passes.observers = tuple(o for o in Passes.observers if o is not _gradients)
    if value:
        Passes.observers += (_gradients,)
    if in_imperative_mode():
        mode = without(state.mode, CheckingMode)
        state.mode = CheckingMode(mode) if value else mode


if flags.get_flags(FLAG)[FLAG]:
    Passes.observers += (_gradients,)
flags.watch(FLAG, _changed)
