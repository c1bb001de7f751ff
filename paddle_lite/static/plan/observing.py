"""Observers of the operators that a Plan runs: the check for NaN and infinity, and the profiler."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from ...core import flags
from ...core.finite import FLAG, check_finite
from ...core.profiling.recording import Recording, watch
from ..program.operator import Operator


class Observer(Protocol):
    """An observer that is notified before and after each operator."""

    def started(self, op: Operator) -> None:
        """Handle the start of an operator."""

    def finished(self, op: Operator, results: tuple[Any, ...]) -> None:
        """Handle the end of an operator; results: its arrays, in the order of its `output_arg_names`."""


active: list[Observer] = []


def started(op: Operator) -> None:
    """Notify all observers that an operator is about to run."""
    for observer in active:
        observer.started(op)


def finished(op: Operator, results: tuple[Any, ...]) -> None:
    """Notify all observers that an operator has run."""
    for observer in reversed(active):
        observer.finished(op, results)


class NonFinite:
    """An observer that raises if a result of an operator contains NaN or infinity."""

    def started(self, op: Operator) -> None:
        """Do nothing."""

    def finished(self, op: Operator, results: tuple[Any, ...]) -> None:
        """Check the results."""
        for name, array in zip(op.output_arg_names, results, strict=False):
            check_finite(op.type, f"the result {name}", array)


class Timing:
    """An observer that reports the time of each operator to the profiler."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.numbers: dict[Operator, str] = {}
        self.counts: Counter[str] = Counter()

    def started(self, op: Operator) -> None:
        """Record the start of an operator."""
        if op not in self.numbers:
            self.numbers[op] = f"{op.type}{self.counts[op.type]}"
            self.counts[op.type] += 1
        self.recording.begin(op.type, outermost=op.block.idx == 0, single=self.numbers[op])

    def finished(self, op: Operator, results: tuple[Any, ...]) -> None:
        """Record the end of an operator."""
        self.recording.end(results)


_non_finite = NonFinite()


def _changed(value: Any) -> None:
    if value and _non_finite not in active:
        active.append(_non_finite)
    elif not value and _non_finite in active:
        active.remove(_non_finite)


_changed(flags.get_flags(FLAG)[FLAG])
flags.watch(FLAG, _changed)


def _profiled(recording: Recording | None) -> None:
    """Make the active recording, if any, the only Timing observer."""
    active[:] = [observer for observer in active if not isinstance(observer, Timing)]
    if recording is not None:
        active.append(Timing(recording))


watch(_profiled)
