"""What a profiler collects: when each operator ran, in which thread, and inside of which other.

Both modes tell `active`, and only while it is there; `watch` lets them hook themselves in when it starts and out when it
stops, so that nothing is asked of anybody while no profiler is on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any, NamedTuple


class Event(NamedTuple):
    """One run of an operator; times in nanoseconds."""

    name: str
    start: int
    end: int
    thread: int
    inside: tuple[str, ...]
    device: str
    single: str

    @property
    def duration(self) -> float:
        """Milliseconds."""
        return (self.end - self.start) / 1e6


class Recording:
    """The events since a profiler was started.

    Arguments:
        state: "CPU", "GPU" or "All"; with the last two each operator on a GPU is waited for, to know how long it took.
        tracer_option: "Default", "OpDetail" or "AllOpDetail".
    """

    def __init__(self, state: str, tracer_option: str) -> None:
        self.state = state
        self.tracer_option = tracer_option
        self.events: list[Event] = []
        self.began = perf_counter_ns()
        self._threads: dict[int, int] = {}
        self._open: dict[int, list[tuple[str, int, str]]] = {}

    def begin(self, name: str, outermost: bool = False, single: str = "") -> None:
        """An operator is about to run in this thread.

        Arguments:
            name: its type.
            outermost: it is not inside of another; what is still open was left by an error.
            single: which one of its type it is, where that is known.
        """
        stack = self._open.setdefault(threading.get_ident(), [])
        if outermost:
            stack.clear()
        stack.append((name, perf_counter_ns(), single))

    def end(self, results: Any = ()) -> None:
        """The operator that began last in this thread has run.

        Arguments:
            results: the arrays that it made.
        """
        on_gpu = [array for array in results if hasattr(array, "get")]
        if on_gpu and self.state != "CPU":
            on_gpu[0].device.synchronize()
        now, ident = perf_counter_ns(), threading.get_ident()
        stack = self._open.get(ident)
        if not stack:  # it began before the profiler did
            return
        name, start, single = stack.pop()
        thread = self._threads.setdefault(ident, len(self._threads))
        inside = tuple(outer for outer, _, _ in stack)
        self.events.append(Event(name, start, now, thread, inside, "gpu" if on_gpu else "cpu", single))

    def clear(self) -> None:
        """Forget the events so far."""
        self.events.clear()
        self.began = perf_counter_ns()


class Current:
    """The recording that is on, or None."""

    recording: Recording | None = None


_watchers: list[Callable[[Recording | None], None]] = []


def watch(changed: Callable[[Recording | None], None]) -> None:
    """Call `changed(recording)` when a recording starts, `changed(None)` when it stops, and now."""
    _watchers.append(changed)
    changed(Current.recording)


def switch(recording: Recording | None) -> None:
    """Start a recording, or stop the one that is on."""
    Current.recording = recording
    for changed in _watchers:
        changed(recording)
