"""Observers of the operators that a Plan runs: the search for NaN, the profiler. Without any, nothing is called."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from ...core import flags
from ...core.finite import FLAG, check_finite
from ...core.profiling import Recording, watch
from ..program.operator import Operator


class Observer(Protocol):
    """What is told of each operator."""

    def started(self, op: Operator) -> None:
        """It is about to run."""

    def finished(self, op: Operator, results: tuple[Any, ...]) -> None:
        """It has run; the arrays are in the order of its `output_arg_names`."""


active: list[Observer] = []


def started(op: Operator) -> None:
    """Tell all observers."""
    for observer in active:
        observer.started(op)


def finished(op: Operator, results: tuple[Any, ...]) -> None:
    """Tell all observers."""
    for observer in reversed(active):
        observer.finished(op, results)


class NonFinite:
    """Raises when an operator makes a NaN or an infinity."""

    def started(self, op: Operator) -> None:
        """Nothing to do."""

    def finished(self, op: Operator, results: tuple[Any, ...]) -> None:
        """Look at the results."""
        for name, array in zip(op.output_arg_names, results, strict=False):
            check_finite(op.type, f"the result {name}", array)


class Timing:
    """Tells the profiler."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.numbers: dict[Operator, str] = {}
        self.counts: Counter[str] = Counter()

    def started(self, op: Operator) -> None:
        """Note the time."""
        if op not in self.numbers:
            self.numbers[op] = f"{op.type}{self.counts[op.type]}"
            self.counts[op.type] += 1
        self.recording.begin(op.type, outermost=op.block.idx == 0, single=self.numbers[op])

    def finished(self, op: Operator, results: tuple[Any, ...]) -> None:
        """Note the time."""
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
    """Let the profiler that is on observe, and no other."""
    active[:] = [observer for observer in active if not isinstance(observer, Timing)]
    if recording is not None:
        active.append(Timing(recording))


watch(_profiled)
