"""Which trainers a server has heard of, when, and what they exchanged with it."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from ...core.errors import PeerError, PeerLost, message
from ..rpc.heartbeats import interval
from ..rpc.traffic import Traffic, totals

SAMPLES, APART = 8, 1.0  # of the numbers of examples, and the seconds between two


@dataclass
class Known:
    """What a server knows of a trainer.

    Attributes:
        address: where it calls from.
        called, last: when it made its last call, and which.
        beat: when its last heartbeat came; None for a trainer of real PaddlePaddle.
        beats_from, left: from where that was, and from where earlier ones were.
        cut: since when its connection is closed; None while it is open.
        steps, examples: what it has run, as its last heartbeat said.
    """

    address: str = ""
    called: float = 0.0
    last: str = ""
    beat: float | None = None
    beats_from: str = ""
    left: set[str] = field(default_factory=set)
    cut: float | None = None
    steps: int = 0
    examples: int = 0
    traffic: Traffic = field(default_factory=Traffic)


class Presence:
    """What each trainer did last.

    Arguments:
        count: the number of trainers.

    Attributes:
        gone: the trainers that are done.
        twice: the error of a job of which two trainers have the same number; None if there are none.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._trainers: dict[str, int] = {}  # address -> the trainer there
        self._known: dict[int, Known] = {}
        self._lock = threading.Lock()
        self._first = 0.0  # when the first call of any trainer came
        self._seen: deque[tuple[float, int]] = deque(maxlen=SAMPLES)  # when, and examples of all trainers
        self.gone: set[int] = set()
        self.twice: PeerError | None = None

    def _at(self, address: str, trainer: int) -> Known:
        if not 0 <= trainer < self._count:
            raise PeerError(
                message("a call", "trainer_id", trainer, f"0 to {self._count - 1}, the trainers of this job")
            )
        if trainer or address not in self._trainers:
            self._trainers[address] = trainer
        number = self._trainers[address]
        known = self._known.get(number)
        if known is None:
            self._first = self._first or time.monotonic()
            known = self._known[number] = Known(traffic=totals.peer(f"trainer {number}"))
        known.address = address
        known.cut = None
        return known

    def heard(self, address: str, trainer: int, what: str) -> int:
        """Record a call; return the trainer that made it.

        Arguments:
            address: where the call comes from.
            trainer: the trainer that the message names; 0 also where it names none, as barriers do.
            what: the call, for errors.

        Raises:
            PeerError: the job has no such trainer.
        """
        with self._lock:
            known = self._at(address, trainer)
            known.called, known.last = time.monotonic(), what
            return self._trainers[address]

    def beat(self, address: str, trainer: int, steps: int, examples: int) -> None:
        """Record a heartbeat of a trainer, which says how many steps it has run, on how many examples."""
        with self._lock:
            known = self._at(address, trainer)
            now = time.monotonic()
            known.beat, known.steps, known.examples = now, steps, examples
            self._note_source(known, address, trainer)
            if not self._seen or now - self._seen[-1][0] > APART:
                self._seen.append((now, sum(each.examples for each in self._known.values())))

    def _note_source(self, known: Known, address: str, trainer: int) -> None:
        """Note from where a heartbeat comes. A connection that was made anew does not come back from where it was before."""
        if known.beats_from and known.beats_from != address:
            known.left.add(known.beats_from)
        if address in known.left:
            both = " and ".join(each.removeprefix("ipv4:") for each in (address, known.beats_from))
            needs = f"a number of its own for each trainer, 0 to {self._count - 1}"
            self.twice = PeerError(message("the trainers of this job", "trainer_id", f"{trainer} from {both}", needs))
        known.beats_from = address

    def cut(self, address: str, trainer: int) -> None:
        """Record that the connection of a trainer was closed, if it has not come back since from another address."""
        with self._lock:
            known = self._known.get(trainer)
            if known is not None and known.address == address and trainer not in self.gone:
                known.cut = time.monotonic()

    def count(self, address: str, received: int, sent: int) -> None:
        """Count the bytes of a call."""
        known = self._known.get(self._trainers.get(address, -1))
        if known is not None:
            with self._lock:
                known.traffic.calls += 1
                known.traffic.received += received
                known.traffic.sent += sent

    # --- who is lost --------------------------------------------------------------------------------------------------

    def lost(self, deadline: float, grace: float, expected: bool) -> PeerLost | None:
        """Return the trainer that is lost; None while all are there. Heartbeats tell it, and that others have come long ago.

        Arguments:
            deadline: the seconds after which one is lost that is not heard of.
            grace: the seconds in which one may come back whose connection was closed.
            expected: whether each trainer calls this server at its start.
        """
        now = time.monotonic()
        with self._lock:
            for trainer, known in sorted(self._known.items()):
                if trainer in self.gone or known.beat is None:
                    continue
                silent = now - max(known.beat, known.called)
                if known.cut is not None and now - known.cut > min(grace, deadline):
                    return self._loss(trainer, "has ended: its connection was closed")
                if silent > deadline:
                    return self._loss(trainer, f"has not been heard of for {silent:.1f} s")
            if expected and 0 < len(self._known) < self._count and now - self._first > deadline:
                return self._missing(set(self._known))
        return None

    def missing(self, waiting: set[int]) -> PeerLost:
        """Return the trainer for which all others wait at a barrier, and who else is not there."""
        with self._lock:
            return self._missing(waiting)

    def _missing(self, waiting: set[int]) -> PeerLost:
        absent = sorted(set(range(self._count)) - waiting - self.gone)
        if not absent:
            return PeerLost("trainer", -1, "", "is missing at a barrier")
        losses = [self._absence(trainer) for trainer in absent]
        first, *rest = losses
        others = "; ".join(f"trainer {each.number} {each.why}" for each in rest[:8])
        return PeerLost(first.role, first.number, first.endpoint, first.why, first.last_call, first.silent, others)

    def all_live(self) -> bool:
        """Return whether all trainers that are not done send heartbeats."""
        with self._lock:
            return all(self._lives(trainer) for trainer in range(self._count) if trainer not in self.gone)

    def _lives(self, trainer: int) -> bool:
        known = self._known.get(trainer)
        return known is not None and known.beat is not None and time.monotonic() - known.beat < 2 * interval()

    def _absence(self, trainer: int) -> PeerLost:
        known = self._known.get(trainer)
        if known is None:
            return PeerLost("trainer", trainer, "", "has never been heard of")
        silent = time.monotonic() - known.called
        why = "lives, but has not called" if self._lives(trainer) else "has not been heard of"
        return self._loss(trainer, f"{why} for {silent:.1f} s")

    def _loss(self, trainer: int, why: str) -> PeerLost:
        known = self._known[trainer]
        silent = time.monotonic() - known.called
        return PeerLost("trainer", trainer, known.address.removeprefix("ipv4:"), why, known.last, silent)

    # --- for people ---------------------------------------------------------------------------------------------------

    def rate(self) -> float:
        """Return how many examples a second the trainers have lately run; 0 where they do not tell."""
        with self._lock:
            if len(self._seen) < 2:
                return 0.0
            (begin, first), (end, last) = self._seen[0], self._seen[-1]
        return max(0, last - first) / (end - begin)

    def report(self) -> list[dict[str, Any]]:
        """Return what is known of each trainer."""
        now, found = time.monotonic(), []
        with self._lock:
            for trainer in range(self._count):
                known = self._known.get(trainer)
                state = "done" if trainer in self.gone else "never heard of" if known is None else "here"
                if state == "here" and known is not None and known.cut is not None:
                    state = "connection closed"
                known = known or Known(called=now)
                found.append({
                    "number": trainer, "state": state, "address": known.address, "last_call": known.last,
                    "silent": now - known.called, "beats": known.beat is not None, "steps": known.steps,
                    "examples": known.examples, "sent": known.traffic.received, "received": known.traffic.sent,
                })  # fmt: skip
        return found
