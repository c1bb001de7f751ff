"""The events of a profiler: when each operator ran, in which thread, and nested in which other operator.

Both modes report to the active recording. `watch` lets them install their hooks when a recording starts and remove them
when it stops, so that the hooks cost nothing while no profiler is on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter_ns
from typing import Any, NamedTuple


class Event(NamedTuple):
    """One run of an operator; `start` and `end` are in nanoseconds."""

    name: str
    start: int
    end: int
    thread: int
    inside: tuple[str, ...]
    device: str
    single: str

    @property
    def duration(self) -> float:
        """The duration in milliseconds."""
        return (self.end - self.start) / 1e6


class Transfer(NamedTuple):
    """One call of another process; `start` and `end` are in nanoseconds, `sent` and `received` in bytes."""

    peer: str
    name: str
    start: int
    end: int
    sent: int
    received: int


class Recording:
    """The events since the start of a profiler.

    Arguments:
        state: "CPU", "GPU" or "All".
        tracer_option: "Default", "OpDetail" or "AllOpDetail".
        clock: measures operators on a GPU there (see `kernels.gpu.clock.DeviceClock`); without one they have the time that it
            takes to launch them.
    """

    def __init__(self, state: str, tracer_option: str, clock: Any = None) -> None:
        self.state = state
        self._clock = clock
        self._marks: list[tuple[int, Any, Any]] = []  # the number of an event on a GPU, and its marks there
        self.tracer_option = tracer_option
        self.events: list[Event] = []
        self.transfers: list[Transfer] = []
        self.waits: dict[str, int] = {}  # another process -> nanoseconds of waiting for it
        self.began = perf_counter_ns()
        self._threads: dict[int, int] = {}
        self._open: dict[int, list[tuple[str, int, str, Any]]] = {}

    def begin(self, name: str, outermost: bool = False, single: str = "") -> None:
        """Record that an operator starts to run in this thread.

        Arguments:
            name: the type of the operator.
            outermost: whether it is not nested; events that an error left open are dropped.
            single: a name of this one instance of its type, where it is known.
        """
        stack = self._open.setdefault(threading.get_ident(), [])
        while outermost and stack:
            stack.pop()
            if self._clock is not None:
                self._clock.end()
        mark = None if self._clock is None else self._clock.begin(single or name)
        stack.append((name, perf_counter_ns(), single, mark))

    def end(self, results: Any = ()) -> None:
        """Record the end of the operator that started last in this thread.

        Arguments:
            results: the arrays that it returned.
        """
        on_gpu = any(hasattr(array, "get") for array in results)
        now, ident = perf_counter_ns(), threading.get_ident()
        stack = self._open.get(ident)
        if not stack:  # it started before the profiler
            return
        mark = None if self._clock is None else self._clock.end()
        name, start, single, begun = stack.pop()
        thread = self._threads.setdefault(ident, len(self._threads))
        inside = tuple(outer for outer, *_ in stack)
        if on_gpu and begun is not None:
            self._marks.append((len(self.events), begun, mark))
        self.events.append(Event(name, start, now, thread, inside, "gpu" if on_gpu else "cpu", single))

    def settle(self) -> None:
        """Give the events on a GPU the time that they took there; wait for the last one."""
        for number, begun, ended in self._marks:
            event = self.events[number]
            took = int(self._clock.between(begun, ended) * 1e6)
            self.events[number] = event._replace(end=event.start + took)
        self._marks.clear()

    def transfer(self, peer: str, name: str, start: int, sent: int, received: int) -> None:
        """Record a call of another process that ends now.

        Arguments:
            peer: the other process.
            name: the call.
            start: when it began, of time.perf_counter_ns().
            sent, received: the bytes of the messages.
        """
        self.transfers.append(Transfer(peer, name, start, perf_counter_ns(), sent, received))

    def waited(self, peer: str, seconds: float) -> None:
        """Record a wait for another process."""
        self.waits[peer] = self.waits.get(peer, 0) + int(seconds * 1e9)

    def clear(self) -> None:
        """Drop the events recorded so far."""
        self.events.clear()
        self._marks.clear()
        self.transfers.clear()
        self.waits.clear()
        self.began = perf_counter_ns()


class Active:
    """Holds the active recording, or None."""

    recording: Recording | None = None


_watchers: list[Callable[[Recording | None], None]] = []


def watch(changed: Callable[[Recording | None], None]) -> None:
    """Call `changed(recording)` when a recording starts, `changed(None)` when it stops, and now."""
    _watchers.append(changed)
    changed(Active.recording)


def set_active(recording: Recording | None) -> None:
    """Make a recording the active one, or stop the active one with None."""
    Active.recording = recording
    for changed in _watchers:
        changed(recording)
