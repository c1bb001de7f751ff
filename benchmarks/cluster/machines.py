"""Processes, machines and networks of the simulation, on SimPy: who computes when, and how long bytes are under way."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol

import simpy

QUANTUM = 2e-3  # seconds that a thread keeps a core while others wait: in Linux 4 ms if they compute, too, and 0.1 to 0.9 if they wake up
SWITCH = 5e-3  # seconds after which Python's lock passes to a thread that waits for it: `sys.getswitchinterval()`
SERVER = 0.9  # the part of a server's work on a message that holds the GIL: the value that fits the jobs of docs/distributed.md best
TRAINER = 0.6  # the same of a trainer
LEAST = 1e-12  # seconds that are taken for none

Steps = Generator[Any, Any, None]


@dataclass(frozen=True)
class Network:
    """A network between machines.

    Attributes:
        bandwidth: bytes a second of a machine, in each direction.
        latency: seconds from the end of sending to the beginning of receiving.
    """

    bandwidth: float = 1.25e9
    latency: float = 25e-6


def cores() -> int:
    """Return how many cores this machine gives to this process and those that it starts."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Process(Protocol):
    """A process of the job."""

    def compute(self, seconds: float) -> Steps:
        """Compute a step."""

    def work(self, seconds: float) -> Steps:
        """Write, read or use messages."""

    def transfer(self, target: Any, size: float) -> Steps:
        """Carry bytes to another process."""


class _Line:
    """What is done in the order in which it was asked for, one after the other: the end of each is known at once."""

    def __init__(self, env: simpy.Environment) -> None:
        self.env, self.free = env, 0.0

    def use(self, seconds: float, latency: float = 0.0) -> simpy.Timeout:
        """Return the event of the end, or of so much later."""
        self.lengthen(seconds)
        return self.env.timeout(self.free - self.env.now + latency)

    def lengthen(self, seconds: float) -> None:
        """Have what is asked for from now on begin so much later."""
        self.free = max(self.env.now, self.free) + seconds


class Machine:
    """A process with a machine of its own: it computes on one core while another one works on messages.

    A step that comes after a message is later by the part of the message's work that holds Python's lock.

    Arguments:
        env: the simulation.
        network: between the machines; a machine sends one message at a time, and receives one.
    """

    def __init__(self, env: simpy.Environment, network: Network) -> None:
        self.env, self._network = env, network
        self._computing, self._messages, self._sending, self._receiving = (_Line(env) for _ in range(4))

    def compute(self, seconds: float) -> Steps:
        """Compute a step."""
        yield self._computing.use(seconds)

    def work(self, seconds: float) -> Steps:
        """Write, read or use messages."""
        if seconds > LEAST:
            self._computing.lengthen(TRAINER * seconds)
            yield self._messages.use(seconds)

    def transfer(self, target: Machine, size: float) -> Steps:
        """Carry bytes to another machine: they leave when this one has sent what it sent before, and arrive as the other one has room."""
        seconds = size / self._network.bandwidth
        left = max(self._sending.free - self.env.now, 0.0)
        self._sending.free = self.env.now + left + seconds
        if left > LEAST:
            yield self.env.timeout(left)
        yield target._receiving.use(seconds, self._network.latency)


class Cores(simpy.Resource):
    """The cores of a machine. used: the seconds that they have worked, all together."""

    def __init__(self, env: simpy.Environment, count: int) -> None:
        super().__init__(env, count)
        self.used = 0.0

    @property
    def busy(self) -> float:
        """The part of the time in which they have worked."""
        return self.used / (self.capacity * self._env.now)


class Sharing:
    """A process that shares the cores of one machine with others.

    Its threads share Python's lock: a step computes with it, and so does a part of the work on a message. The rest of that work goes on beside
    both.

    Arguments:
        cores: of the machine.
        server: whether it is a server.
    """

    def __init__(self, cores: Cores, server: bool = False) -> None:
        self._cores = cores
        self._lock = simpy.Resource(cores._env, 1)
        self._locked = SERVER if server else TRAINER

    def compute(self, seconds: float) -> Steps:
        """Compute a step, and give the lock away after each `SWITCH` if another thread waits for it."""
        while seconds > LEAST:
            with self._lock.request() as lock:
                yield lock
                part = min(seconds, SWITCH)
                yield from self._use(part)
                seconds -= part

    def work(self, seconds: float) -> Steps:
        """Write, read or use messages."""
        with self._lock.request() as lock:
            yield lock
            yield from self._use(self._locked * seconds)
        yield from self._use((1 - self._locked) * seconds)

    def transfer(self, target: Sharing, size: float) -> Steps:
        """Carry bytes: within a machine they cost only what the processes compute."""
        yield from ()

    def _use(self, seconds: float) -> Steps:
        """Use a core; give way after each `QUANTUM` if another thread or process waits."""
        while seconds > LEAST:
            with self._cores.request() as core:
                yield core
                while True:
                    part = min(seconds, QUANTUM)
                    yield self._cores._env.timeout(part)
                    self._cores.used += part
                    seconds -= part
                    if seconds <= LEAST or self._cores.queue:
                        break
