"""Profiling in imperative mode of each operator call and each step of a backward pass."""

from __future__ import annotations

from typing import Any

from ..core.mode import in_imperative_mode, state
from ..core.profiling.recording import Active, Recording, watch
from ..ops.framework.spec import OpDef
from .backward import Passes
from .mode import ImperativeMode, ObservedMode, without
from .variable import Variable


class TimingMode(ObservedMode):
    """Run each call in another imperative mode, and report it to the profiler."""

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run an operator, record its time and return its results."""
        recording = Active.recording
        if recording is None:  # profiling ended, and a block that began before has restored this mode
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
    """Return the arrays of the results of a call."""
    each = results if isinstance(results, (tuple, list)) else (results,)
    return [one.array for one in each if isinstance(one, Variable)]


class Timing:
    """Observer of backward passes that reports each tape entry to the profiler."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording

    def started(self, node: Any) -> None:
        """Begin the record of a tape entry."""
        op = getattr(node.run, "op", None)
        self.recording.begin(f"{op.type}_grad" if op is not None else "gradient")

    def finished(self, node: Any, gradients: Any) -> None:
        """End the record of a tape entry."""
        self.recording.end([getattr(g, "array", g) for g in gradients or () if g is not None])


def timed(mode: ImperativeMode) -> ImperativeMode:
    """Return the mode, wrapped in a TimingMode if the profiler is on."""
    return mode if Active.recording is None else TimingMode(mode)


def _changed(recording: Recording | None) -> None:
    """Start or stop the reports in the current mode."""
    Passes.observers = tuple(o for o in Passes.observers if not isinstance(o, Timing))
    if recording is not None:
        Passes.observers += (Timing(recording),)
    if in_imperative_mode():
        mode = without(state.mode, TimingMode)
        state.mode = mode if recording is None else TimingMode(mode)


watch(_changed)
