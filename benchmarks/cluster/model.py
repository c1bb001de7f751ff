"""The jobs that are simulated: parameter servers in three orders, and a ring of workers.

What is one event here is many calls there: a trainer sends each server one message for the large gradients of a layer, as soon as they
are computed, which costs what their calls cost together. The rest of a synchronous step, small gradients and all parameters among it, is
one call; in the other orders, so is each gradient and parameter.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import simpy

from paddle_lite.distributed.rpc.whole_step import SMALL

from .costs import NETS, Costs, Net, Rule, blocks
from .machines import Cores, Machine, Network, Process, Sharing

MODES = ("sync", "async", "geo", "ring")
MOST_HOPS = 96  # of a ring in an all-reduce that are simulated one by one; more are taken together


@dataclass(frozen=True)
class Job:
    """A job to simulate.

    Attributes:
        net: "mlp" or "ctr".
        mode: one of `MODES`.
        workers: trainers, or workers of the ring.
        servers: parameter servers.
        steps: of each trainer that are counted; some come before them.
        pushes: steps between two exchanges of changes (GEO).
        jitter: standard deviation of the logarithm of a step's computing time.
        seed: of the drawn computing times.
        network: between machines.
        shared_cores: cores of the one machine that all processes share; None: each has a machine of its own.
    """

    net: str
    mode: str
    workers: int
    servers: int = 1
    steps: int = 4
    pushes: int = 10
    jitter: float = 0.05
    seed: int = 0
    network: Network = field(default_factory=Network)
    shared_cores: int | None = None


class Result(NamedTuple):
    """What a job did.

    Attributes:
        rate: examples a second of all workers.
        step: seconds of a step of one.
        received: bytes that one receives from servers in a step.
        busy: the part of the time in which shared cores work; 0 for machines of their own.
    """

    rate: float
    step: float
    received: float = 0.0
    busy: float = 0.0


def simulate(job: Job, costs: Costs) -> Result:
    """Run a job, and return how fast it is.

    Arguments:
        job: what runs.
        costs: of its parts.
    """
    return (_Ring if job.mode == "ring" else _WAYS[job.mode])(job, costs).run()


class _Simulation:
    warm = 1  # steps before those that are counted

    def __init__(self, job: Job, costs: Costs) -> None:
        self.env = simpy.Environment()
        self.job, self.costs = job, costs
        self.net: Net = NETS[job.net]
        self.rule: Rule = costs.rule(job.net, job.mode)
        self._cores = None if job.shared_cores is None else Cores(self.env, job.shared_cores)
        self.workers = [self.process() for _ in range(job.workers)]
        seeds = np.random.SeedSequence(job.seed).spawn(job.workers)
        self._draws = [np.random.default_rng(seed) for seed in seeds]
        self._received = 0.0  # bytes from servers, of all workers
        self._begin = np.full(job.workers, np.nan)
        self._end = np.full(job.workers, np.nan)

    def process(self, server: bool = False) -> Process:
        """Return a new process, on the shared machine or on one of its own."""
        return Machine(self.env, self.job.network) if self._cores is None else Sharing(self._cores, server)

    def computing(self, worker: int) -> float:
        """Draw the seconds that a worker computes in a step; their mean is that of the costs."""
        sigma = self.job.jitter
        return self.rule.step * float(np.exp(sigma * self._draws[worker].standard_normal() - sigma * sigma / 2))

    def worker(self, number: int) -> Generator[Any, Any, None]:
        """Run the steps of a worker."""
        for step in range(self.warm + self.job.steps):
            if step == self.warm:
                self._begin[number] = self.env.now
            yield from self.step(number, step)
        self._end[number] = self.env.now

    def step(self, number: int, step: int) -> Generator[Any, Any, None]:
        raise NotImplementedError

    def run(self) -> Result:
        """Simulate until all workers are done."""
        self.env.run(self.env.all_of([self.env.process(self.worker(i)) for i in range(self.job.workers)]))
        seconds = (self._end - self._begin) / self.job.steps
        each = self._received / self.job.workers / (self.warm + self.job.steps)
        busy = 0.0 if self._cores is None else self._cores.busy
        return Result(float((self.net.batch / seconds).sum()), float(seconds.mean()), each, busy)


class _Servers(_Simulation):
    """What trainers and servers of all orders share."""

    def __init__(self, job: Job, costs: Costs) -> None:
        super().__init__(job, costs)
        self.servers = [self.process(server=True) for _ in range(job.servers)]
        factor = self.rule.alone if job.workers == 1 else self.rule.server
        self.sides = costs.trainer.times(self.rule.trainer), costs.server.times(factor)

    def call(
        self, worker: Process, server: int, calls: float, sent: float, received: float
    ) -> Generator[Any, Any, None]:
        """Exchange messages with a server."""
        target, (trainer, side) = self.servers[server], self.sides
        yield from self.message(worker, target, trainer.of(calls, sent, 0), side.of(calls, sent, 0), sent)
        yield from self.message(target, worker, side.of(0, 0, received), trainer.of(0, 0, received), received)
        self._received += received

    def message(
        self, source: Process, target: Process, writing: float, reading: float, size: float
    ) -> Generator[Any, Any, None]:
        """Carry a message: a process works on it for `writing` seconds, the other one for `reading`, both together for a part of them."""
        together = self.costs.overlap * min(writing, reading)
        yield from source.work(writing - together)
        rest = self.env.process(source.work(together))
        yield from source.transfer(target, size)
        yield from target.work(reading)
        yield rest

    def of_all(self, worker: Process, calls: float, sent: float, received: float) -> simpy.events.AllOf:
        """Call all servers at the same time: calls to each, and bytes to all together."""
        share = 1 / self.job.servers
        made = (self.call(worker, i, calls, sent * share, received * share) for i in range(self.job.servers))
        return self.env.all_of([self.env.process(each) for each in made])

    def together(self, worker: Process, messages: Sequence[tuple[float, float, float]]) -> simpy.events.AllOf:
        """Exchange several messages with all servers at the same time: the calls, and the bytes sent and received, of each.

        Between machines of their own they are one, which costs as much: thousands of trainers are many events.
        """
        if self.job.shared_cores is None:
            calls, sent, received = zip(*messages, strict=True)
            messages = [(sum(calls), sum(sent), sum(received))]
        return self.env.all_of([self.of_all(worker, *each) for each in messages])

    def tensors(self) -> float:
        """Return the calls to a server that carry the tensors of the network: small ones are on one of the servers, large ones on all."""
        return self.net.blocks(self.job.servers) + bool(self.net.table)

    def look_up(self, worker: Process) -> Generator[Any, Any, None]:
        """Get the rows of the table that a step needs."""
        if self.net.table:
            yield self.of_all(worker, 1, self.net.asked, self.net.answered)


class _Synchronous(_Servers):
    """All trainers send, the servers update, all trainers receive."""

    def __init__(self, job: Job, costs: Costs) -> None:
        super().__init__(job, costs)
        self._arrived = [0] * job.servers
        self._updated = [self.env.event() for _ in range(job.servers)]

    def step(self, number: int, step: int) -> Generator[Any, Any, None]:
        worker, net = self.workers[number], self.net
        yield from self.look_up(worker)
        servers, seconds = self.job.servers, self.computing(number)
        sent, small = [], 0.0
        for layer in net.layers():
            yield from worker.compute(seconds * layer.work)
            calls = blocks(layer.parameters, servers, SMALL) + bool(layer.rows)
            if calls:
                sent.append(self.of_all(worker, calls, layer.size, 0))
            else:
                small += layer.size
        yield self.env.all_of(sent)
        rest = (self._rest(worker, i, small / servers, net.dense / servers) for i in range(servers))
        yield self.env.all_of([self.env.process(each) for each in rest])

    def _rest(self, worker: Process, server: int, small: float, received: float) -> Generator[Any, Any, None]:
        """Tell a server that all gradients are there, and get its parameters when it has updated them for all trainers."""
        target = self.servers[server]
        yield from self.message(worker, target, *(side.of(1, small, 0) for side in self.sides), small)
        self._arrived[server] += 1
        if self._arrived[server] < self.job.workers:
            yield self._updated[server]
        else:
            self._arrived[server] = 0
            updated, self._updated[server] = self._updated[server], self.env.event()
            updated.succeed()
        yield from self.message(target, worker, *(side.of(0, 0, received) for side in self.sides[::-1]), received)
        self._received += received


class _Asynchronous(_Servers):
    """Servers update at each gradient. A Communicator in each trainer sends and receives beside computing, as
    `paddle_lite.distributed.communicator.queues` does:

    - Each gradient has a queue with room for one. A trainer waits when its next gradient finds the former one there.
    - A thread sends all that waits, and looks again when everything has arrived: so one gradient may wait while the one before is on its way.
    - Another thread receives all parameters when something has arrived since it last did, and again; nobody waits for it.
    """

    warm = 4  # steps until the queues are full

    def __init__(self, job: Job, costs: Costs) -> None:
        super().__init__(job, costs)
        env, self._layers = self.env, self.net.layers()
        self._queues = [[simpy.Store(env, 1) for _ in self._layers] for _ in self.workers]
        self._filled = [simpy.Store(env) for _ in self.workers]  # a token for each gradient that was put into a queue
        self._arrived = [simpy.Store(env) for _ in self.workers]  # one if something arrived since the latest receipt
        for number in range(job.workers):
            env.process(self._send(number))
            env.process(self._receive(number))

    def step(self, number: int, step: int) -> Generator[Any, Any, None]:
        worker = self.workers[number]
        yield from self.look_up(worker)
        seconds = self.computing(number)
        for layer, queue in zip(self._layers, self._queues[number], strict=True):
            yield from worker.compute(seconds * layer.work)
            yield queue.put(layer)
            yield self._filled[number].put(layer)

    def _send(self, number: int) -> Generator[Any, Any, None]:
        worker, filled, arrived = self.workers[number], self._filled[number], self._arrived[number]
        while True:
            yield filled.get()
            waiting = [queue for queue in self._queues[number] if queue.items]
            for _ in waiting[1:]:
                yield filled.get()
            sent = []
            for queue in waiting:
                layer = yield queue.get()
                calls = blocks(layer.parameters, self.job.servers) + bool(layer.rows)
                sent.append((calls, layer.size, 0.0))
            yield self.together(worker, sent)
            if not arrived.items:
                yield arrived.put(None)

    def _receive(self, number: int) -> Generator[Any, Any, None]:
        worker, parameters = self.workers[number], [layer.parameters for layer in self._layers if layer.parameters]
        while True:
            yield self._arrived[number].get()
            asked = [(blocks(each, self.job.servers), 0.0, 4.0 * sum(each)) for each in parameters]
            yield self.together(worker, asked)


class _Geo(_Servers):
    """Trainers update their own parameters, and exchange changes each `pushes` steps, beside computing, and later if the exchange before is
    not over by then: nobody waits. What is a step here is `pushes` steps."""

    def __init__(self, job: Job, costs: Costs) -> None:
        super().__init__(job, costs)
        self._due = [0] * job.workers  # steps since a worker's latest exchange began
        self._exchanging = [False] * job.workers
        self._changed = self.net.changed(job.pushes)
        self._answered = self.net.changed(job.pushes * job.workers)  # the rows that any trainer has changed meanwhile

    def step(self, number: int, step: int) -> Generator[Any, Any, None]:
        worker = self.workers[number]
        for _ in range(self.job.pushes):
            yield from worker.compute(self.computing(number))
            self._due[number] += 1
            if self._due[number] >= self.job.pushes and not self._exchanging[number]:
                self._due[number], self._exchanging[number] = 0, True
                self.env.process(self._exchange(number))

    def _exchange(self, number: int) -> Generator[Any, Any, None]:
        """Send the changes of the parameters and of the rows of some steps, and get what is there now."""
        worker, net = self.workers[number], self.net
        yield self.of_all(worker, self.tensors(), net.dense + self._changed, 0)
        yield self.of_all(worker, self.tensors(), 0, net.dense + self._answered)
        self._exchanging[number] = False

    def run(self) -> Result:
        found = super().run()
        return Result(
            found.rate * self.job.pushes, found.step / self.job.pushes, found.received / self.job.pushes, found.busy
        )


class _Ring(_Simulation):
    """Each worker sends a part of the gradients to the next one, 2 (n - 1) times, until each has the sum of all."""

    def __init__(self, job: Job, costs: Costs) -> None:
        super().__init__(job, costs)
        self._inbox = [simpy.Store(self.env) for _ in range(job.workers)]
        hops = 2 * (job.workers - 1)
        self._hops = min(hops, MOST_HOPS)
        self._merged = hops / self._hops if hops else 0.0
        self._size = (self.net.dense + self.net.table) / job.workers

    def step(self, number: int, step: int) -> Generator[Any, Any, None]:
        worker = self.workers[number]
        yield from worker.compute(self.computing(number))
        yield from worker.compute(self.rule.push if self._hops else 0.0)
        for _ in range(self._hops):
            yield from worker.work(self._merged * self._size * self.costs.byte)
            self.env.process(self._pass_on(worker, (number + 1) % self.job.workers))
            yield self._inbox[number].get()

    def _pass_on(self, worker: Process, following: int) -> Generator[Any, Any, None]:
        yield from worker.transfer(self.workers[following], self._merged * self._size)
        if self._cores is None:
            yield self.env.timeout((self._merged - 1) * self.job.network.latency)
        yield self._inbox[following].put(None)


_WAYS = {"sync": _Synchronous, "async": _Asynchronous, "geo": _Geo}
