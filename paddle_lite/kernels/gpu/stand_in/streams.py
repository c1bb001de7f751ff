"""Streams and events: what has certainly happened before what, as vector clocks (one counter for each stream)."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from .graphs import Recording

Clock = dict[int, int]


class StandInError(RuntimeError):
    """A mistake that a GPU would not report, or not where it was made."""


class Ledger:
    """Who wrote and who read the memory of an array: for each stream the number of its latest operation that did."""

    __slots__ = ("__weakref__", "read", "written")

    def __init__(self) -> None:
        self.written: Clock = {}
        self.read: Clock = {}


def merge(into: Clock, other: Clock) -> None:
    """Take over what is later in another clock."""
    for stream, count in other.items():
        if into.get(stream, 0) < count:
            into[stream] = count


_numbers = itertools.count(1)
host: Clock = {}
"""What the host has waited for; each operation that starts later comes behind it."""


class Stream:
    """A stream: operations in it run one after another.

    Arguments:
        null: whether it is the default stream of the current device, which waits for all blocking streams there and they for it.
        non_blocking: whether it does not.
    """

    def __init__(self, null: bool = False, non_blocking: bool = False, ptds: bool = False) -> None:
        self.number = self.ptr = next(_numbers)
        self.device, self.null, self.blocking = here.device, null, not non_blocking
        self.clock: Clock = {}
        self.recording: Recording | None = None
        self._outer: list[Stream] = []

    def __enter__(self) -> Stream:
        self._outer.append(current())
        return self.use()

    def __exit__(self, *exception: Any) -> None:
        self._outer.pop().use()

    def use(self) -> Stream:
        """Make it the current stream of its device."""
        here.streams[self.device] = self
        return self

    def start(self) -> None:
        """Count an operation that starts now."""
        merge(self.clock, host)
        if self.blocking:
            default = null_stream(self.device)
            for other in _blocking.get(self.device, ()) if self.null else (default,):
                merge(self.clock, other.clock)
            if self is not default:
                _blocking.setdefault(self.device, WeakSet()).add(self)
        self.clock[self.number] = self.clock.get(self.number, 0) + 1

    def touches(self, ledgers: Any, writes: Any) -> None:
        """Note which memory an operation reads and which it writes.

        Raises:
            StandInError: another stream writes it, or reads what is written, perhaps at the same time.
        """
        written = {id(ledger) for ledger in writes}
        for ledger in ledgers:
            self._behind(ledger.written, "has written")
            if id(ledger) in written:
                self._behind(ledger.read, "reads")
                ledger.written = {self.number: self.clock[self.number]}
            else:
                ledger.read[self.number] = self.clock[self.number]

    def _behind(self, others: Clock, what: str) -> None:
        for number, count in others.items():
            if number != self.number and self.clock.get(number, 0) < count:
                raise StandInError(
                    f"stream {self.number} uses memory that stream {number} {what}, without a wait between the two: "
                    "record an event in the one stream, and let the other wait for it"
                )

    def record(self, event: Event | None = None) -> Event:
        """Record an event."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Let what follows in this stream wait for an event."""
        merge(self.clock, event.clock)

    def synchronize(self) -> None:
        """Let the host wait for the stream."""
        if self.recording is not None:
            raise StandInError("the host waits for a stream while it is captured")
        merge(host, self.clock)

    @property
    def done(self) -> bool:
        """True: operations of a stand-in have ended when the host goes on. That the host knows of it is not said."""
        return True

    def begin_capture(self, mode: int | None = None) -> None:
        """Start to capture what runs in this stream."""
        from .graphs import Recording

        if self.null:
            raise StandInError("the default stream cannot be captured")
        self.recording = Recording()

    def end_capture(self) -> Any:
        """Return the graph of what ran since `begin_capture`."""
        if self.recording is None:
            raise StandInError("end_capture: the stream is not captured")
        recording, self.recording = self.recording, None
        return recording.graph()

    def is_capturing(self) -> bool:
        """Return whether the stream is captured."""
        return self.recording is not None


class Event:
    """A point in a stream that other streams, or the host, can wait for."""

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        self.clock: Clock = {}
        self.at = 0.0

    def record(self, stream: Stream | None = None) -> None:
        """Set the event to what the stream has been given so far."""
        from time import perf_counter

        stream = current() if stream is None else stream
        merge(stream.clock, host)
        self.clock, self.at = dict(stream.clock), perf_counter()

    def synchronize(self) -> None:
        """Let the host wait for the event."""
        merge(host, self.clock)

    @property
    def done(self) -> bool:
        """True; the host then knows it."""
        merge(host, self.clock)
        return True


def elapsed_time(start: Event, end: Event) -> float:
    """Return the milliseconds between two events."""
    return (end.at - start.at) * 1e3


class _Here(threading.local):
    """What is current in a thread: the device, and the stream of each device."""

    def __init__(self) -> None:
        self.device = 0
        self.streams: dict[int, Stream] = {}


here = _Here()
_blocking: dict[int, WeakSet[Stream]] = {}
_nulls: dict[int, Stream] = {}


def null_stream(device: int) -> Stream:
    """Return the default stream of a device."""
    if device not in _nulls:
        _nulls[device] = Stream(null=True)
        _nulls[device].device = device
    return _nulls[device]


def current() -> Stream:
    """Return the current stream of the current device."""
    return here.streams.get(here.device) or null_stream(here.device)


def reset() -> None:
    """Forget what has happened."""
    for known in (host, _blocking, _nulls, here.streams):
        known.clear()
    here.device = 0
