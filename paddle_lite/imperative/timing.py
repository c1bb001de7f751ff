"""The profiler in imperative mode: each call, and each step of a backward pass."""

from __future__ import annotations

from typing import Any

from ..core.mode import state
from ..core.profiling import Active, Recording, watch
from ..ops.framework.spec import OpDef
from .backward import Passes
from .checking import without
from .variable import Variable


class TimingRecorder:
    """Runs each call as `inner` would, and tells the profiler.

    inner: the recorder of the place, None for the CPU.
    """

    imperative = True

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def record(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        recording = Active.recording
        state.recorder = self.inner
        if recording is None:  # it was put back by a block that began while the profiler was on
            return op.call(*inputs, **attrs)
        results = None
        recording.begin(op.type)
        try:
            results = op.call(*inputs, **attrs)
        finally:
            recording.end(_arrays(results))
            state.recorder = self
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


def timed(recorder: Any) -> Any:
    """The recorder of a place, which tells the profiler if one is on."""
    return recorder if Active.recording is None else TimingRecorder(recorder)


def _changed(recording: Recording | None) -> None:
    """Start or stop in the mode that is on."""
    Passes.observers = tuple(o for o in Passes.observers if not isinstance(o, Timing))
    state.recorder = without(state.recorder, TimingRecorder)
    if recording is not None:
        Passes.observers += (Timing(recording),)
        if state.recorder is None or state.recorder.imperative:
            state.recorder = TimingRecorder(state.recorder)


watch(_changed)
