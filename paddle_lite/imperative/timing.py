"""The profiler in imperative mode: each call, and each step of a backward pass."""

from __future__ import annotations

from typing import Any

from ..core.mode import in_imperative_mode, state
from ..core.profiling import Active, Recording, watch
from ..ops.framework.spec import OpDef
from .backward import Passes
from .mode import ImperativeMode, ObservedMode, without
from .variable import Variable


class TimingMode(ObservedMode):
    """Runs each call in another imperative mode, and reports it to the profiler."""

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run an operator between two notes of the profiler."""
        recording = Active.recording
        if recording is None:  # a block that began while the profiler was on has switched back to this mode
            state.mode = self.inner
            return op.call(*inputs, **attrs)
        results = None
        recording.begin(op.type)
        try:
            results = self.run(op, inputs, attrs)
        finally:
            recording.end(_arrays(results))
        return results


def _arrays(results: Any) -> list[Any]:
    """The arrays of what a call returns."""
    each = results if isinstance(results, (tuple, list)) else (results,)
    return [one.array for one in each if isinstance(one, Variable)]


class Timing:
    """Tells the profiler of a backward pass."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording

    def started(self, node: Any) -> None:
        """The gradients of a tape entry are about to be made."""
        op = getattr(node.run, "op", None)
        self.recording.begin(f"{op.type}_grad" if op is not None else "gradient")

    def finished(self, node: Any, gradients: Any) -> None:
        """They are made."""
        self.recording.end([getattr(g, "array", g) for g in gradients or () if g is not None])


def timed(mode: ImperativeMode) -> ImperativeMode:
    """Return the mode, with reports to the profiler if one is on."""
    return mode if Active.recording is None else TimingMode(mode)


def _changed(recording: Recording | None) -> None:
    """Start or stop in the mode that is on."""
    Passes.observers = tuple(o for o in Passes.observers if not isinstance(o, Timing))
    if recording is not None:
        Passes.observers += (Timing(recording),)
    if in_imperative_mode():
        mode = without(state.mode, TimingMode)
        state.mode = mode if recording is None else TimingMode(mode)


watch(_changed)
