"""FLAGS_check_nan_inf in imperative mode: the first operator that makes a NaN or an infinity raises an error."""

from __future__ import annotations

from typing import Any

from ..core import flags
from ..core.errors import describe
from ..core.finite import FLAG, check_finite
from ..core.mode import state
from ..ops.framework.spec import OpDef
from .backward import Passes
from .variable import Variable


class CheckingRecorder:
    """Runs each call as `inner` would, then looks at its results.

    inner: the recorder of the place, None for the CPU.
    """

    imperative = True

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def record(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        state.recorder = self.inner
        try:
            results = op.call(*inputs, **attrs)
        finally:
            state.recorder = self
        outputs = results if isinstance(results, tuple) else (results,)
        for slot, output in zip(op.outputs, outputs, strict=True):
            for one in output if isinstance(output, list) else [output]:
                if isinstance(one, Variable):
                    check(op.type, f"Output({slot.name})", one.array, inputs)
        return results


def check(where: str, what: str, array: Any, inputs: tuple = ()) -> None:
    """Raise if an array of floats holds a NaN or an infinity."""
    check_finite(where, what, array, ", ".join(describe(v) for v in inputs if isinstance(v, Variable)))


def without(recorder: Any, kind: type) -> Any:
    """The recorder less the one of this kind among those that are wrapped around each other."""
    if isinstance(recorder, kind):
        return recorder.inner  # type: ignore[attr-defined]
    if hasattr(recorder, "inner"):
        recorder.inner = without(recorder.inner, kind)
    return recorder


def recorder_for(inner: Any) -> Any:
    """The recorder of a place, checking if the flag is set."""
    return CheckingRecorder(inner) if flags.get_flags(FLAG)[FLAG] else inner


class NonFiniteGradients:
    """Looks at the gradients that tape entries make."""

    def started(self, node: Any) -> None:
        """Nothing to do."""

    def finished(self, node: Any, gradients: Any) -> None:
        """Look at them."""
        op = getattr(node.run, "op", None)
        for gradient in gradients or ():
            array = getattr(gradient, "values", getattr(gradient, "array", gradient))
            check(f"{op.type if op else 'operator'} (backward)", "a gradient", array)


_gradients = NonFiniteGradients()


def _changed(value: Any) -> None:
    """Start or stop checking in the mode that is on."""
    Passes.observers = tuple(o for o in Passes.observers if o is not _gradients)
    if value:
        Passes.observers += (_gradients,)
    state.recorder = without(state.recorder, CheckingRecorder)
    if value and (state.recorder is None or state.recorder.imperative):
        state.recorder = CheckingRecorder(state.recorder)


if flags.get_flags(FLAG)[FLAG]:
    Passes.observers += (_gradients,)
flags.watch(FLAG, _changed)
