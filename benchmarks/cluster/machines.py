"""Processes, machines and networks of the simulation, on SimPy: who computes when, and how long bytes are under way."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol

import simpy

QUANTUM = 3e-3  # seconds that a process computes before another one that waits for the core has its turn, as in Linux
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


class Process(Protocol):
    """A process of the job."""

    def compute(self, seconds: float) -> Steps:
        """Compute a step."""

    def work(self, seconds: float) -> Steps:
        """Write, read or use messages, one after the other."""

    def transfer(self, target: Any, size: float) -> Steps:
        """Carry bytes to another process."""


class _Line:
    """What is done in the order in which it was asked for, one after the other: the end of each is known at once."""

    def __init__(self, env: simpy.Environment) -> None:
        self.env, self.free = env, 0.0

    def use(self, seconds: float) -> simpy.Timeout:
        """Return the event of the end."""
        self.free = max(self.env.now, self.free) + seconds
        return self.env.timeout(self.free - self.env.now)


class Machine:
    """A process with a machine of its own: it computes on one core while another one works on messages.

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
            yield self._messages.use(seconds)

    def transfer(self, target: Machine, size: float) -> Steps:
        """Carry bytes to another machine, when both connections are free."""
        begin = max(self.env.now, self._sending.free, target._receiving.free)
        end = self._sending.free = target._receiving.free = begin + size / self._network.bandwidth
        yield self.env.timeout(end - self.env.now + self._network.latency)


class Sharing:
    """A process that shares the cores of one machine with others; its threads take turns, for Python computes in one at a time.

    Arguments:
        cores: of the machine.
    """

    def __init__(self, cores: simpy.Resource) -> None:
        self._cores, self._turn = cores, simpy.Resource(cores._env)

    def compute(self, seconds: float) -> Steps:
        """Use a core for some seconds; give way after each `QUANTUM` if another thread or process waits."""
        while seconds > LEAST:
            with self._turn.request() as turn:
                yield turn
                with self._cores.request() as core:
                    yield core
                    while True:
                        part = min(seconds, QUANTUM)
                        yield self._cores._env.timeout(part)
                        seconds -= part
                        if seconds <= LEAST or self._turn.queue or self._cores.queue:
                            break

    work = compute

    def transfer(self, target: Sharing, size: float) -> Steps:
        """Carry bytes: within a machine they cost only what the processes compute."""
        yield from ()
