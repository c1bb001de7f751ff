"""What this process exchanges with others: counters that calls add to, and nothing else."""

from __future__ import annotations

import time
from typing import Any

from ...core.profiling.recording import Active


class Traffic:
    """The calls between this process and another one.

    Attributes:
        calls: how many.
        sent, received: bytes of their messages.
        waited: seconds in which nothing else was done but to wait for an answer.
    """

    __slots__ = ("calls", "received", "sent", "waited")

    def __init__(self) -> None:
        self.calls = self.sent = self.received = 0
        self.waited = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the counters by name."""
        return {name: getattr(self, name) for name in ("calls", "sent", "received", "waited")}


class Totals:
    """The counters of this process.

    Attributes:
        role: "trainer", "server", "worker" of a job without servers, or "" before the first call.
        number: which of them.
        began: when counting began.
        steps, examples: what this trainer has run.
        peers: name or endpoint of a process -> Traffic.
        waits: kind of call, such as "send_barrier" -> seconds of waiting in it.
    """

    def __init__(self) -> None:
        self.role, self.number = "", 0
        self.began = 0.0
        self.steps = self.examples = 0
        self.peers: dict[str, Traffic] = {}
        self.waits: dict[str, float] = {}

    def peer(self, name: str) -> Traffic:
        """Return the counters of a process."""
        found = self.peers.get(name)
        if found is None:
            if not self.peers:
                self.began = time.monotonic()
            found = self.peers[name] = Traffic()
        return found

    def waited(self, kind: str, since: float) -> None:
        """Count the wait of a call that began at `since`, of time.perf_counter()."""
        self.waits[kind] = self.waits.get(kind, 0.0) + time.perf_counter() - since

    def stepped(self, examples: int) -> None:
        """Count a step of this trainer."""
        self.steps += 1
        self.examples += examples


totals = Totals()


def exchanged(peer: str, kind: str, since: float, amount: int) -> None:
    """Count a call of all workers together, which ends now.

    Arguments:
        peer: the workers.
        kind: the call, such as "allreduce".
        since: when it began, of time.perf_counter().
        amount: the bytes that this worker has given.
    """
    took, counted = time.perf_counter() - since, totals.peer(peer)
    counted.calls += 1
    counted.sent += amount
    counted.received += amount
    counted.waited += took
    totals.waited(kind, since)
    if Active.recording is not None:
        Active.recording.waited(peer, took)
        Active.recording.transfer(peer, kind, int(since * 1e9), amount, amount)


def metrics() -> dict[str, Any]:
    """Return what this process has exchanged with the others of its job since its first call of one of them.

    Returns:
        A dict: "role" ("trainer", "server", "worker" of a job without servers, or "" before the first call) and "number" of this process; "seconds" since that
        first call; "steps" and "examples" of this trainer; "peers", for each process a dict of "calls", "sent" and "received"
        in bytes, and "waited" in seconds; "waits", the seconds of waiting by kind of call; "share", the part of the time
        since the first call that was spent waiting.

    >>> import paddle_lite as paddle
    >>> sorted(paddle.distributed.metrics())
    ['examples', 'number', 'peers', 'role', 'seconds', 'share', 'steps', 'waits']
    """
    seconds = time.monotonic() - totals.began if totals.peers else 0.0
    waits = dict(totals.waits)
    return {
        "role": totals.role,
        "number": totals.number,
        "seconds": seconds,
        "steps": totals.steps,
        "examples": totals.examples,
        "peers": {name: traffic.as_dict() for name, traffic in sorted(totals.peers.items())},
        "waits": waits,
        "share": min(1.0, sum(waits.values()) / seconds) if seconds else 0.0,
    }
