"""Measure on this machine what the simulation rests on: calls of a server by themselves, and small jobs."""

from __future__ import annotations

import multiprocessing
import platform
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from paddle_lite.distributed.cluster import find_free_ports
from paddle_lite.kernels.memory import keep_freed_memory

from .costs import NETS, Costs, Rule, Side
from .jobs import Exchanged, Ran, run_job
from .machines import cores
from .quiet import undisturbed

SIZES, CALLS, TOGETHER, ROUNDS = (
    (64, 1 << 20),
    200,
    8,
    5,
)  # bytes of a message; calls of each size, and how many are under way
LARGE, SINGLE = 4 << 20, 40  # bytes of a message that is under way alone, and how many of them
REDUCE = Path(__file__).with_name("reduce.py")
STEPS = 170
USED = "processor time"


class Measured(NamedTuple):
    """A way to train a network: the costs, and jobs by the number of trainers."""

    net: str
    mode: str
    costs: Costs
    jobs: dict[int, Ran]


class _Holds:
    """The handler of a server that takes arrays and gives those that it holds, and tells the processor time of its process."""

    def __init__(self) -> None:
        self._held = {str(size): np.ones(size // 4, "float32") for size in (*SIZES, LARGE)}

    def send(self, message: Any, address: str) -> Any:
        from paddle_lite.distributed.rpc.wire import Message

        return Message()

    def get(self, message: Any, address: str) -> Any:
        from paddle_lite.distributed.rpc.wire import Message

        name = message.out_name
        value = np.array([time.process_time()]) if name == USED else self._held[name]
        return Message(message.out_name, value)

    look_up = get_now = notify = get

    def counted(self, address: str, received: int, sent: int) -> None:
        """Count nothing."""


def _serve(port: int) -> None:
    from paddle_lite.distributed.rpc.control import HEARTBEAT, pack
    from paddle_lite.distributed.rpc.service import Service

    keep_freed_memory()

    def beat(data: bytes, context: Any) -> bytes:
        time.sleep(30)
        return pack({})

    service = Service(f"127.0.0.1:{port}", _Holds(), {HEARTBEAT: beat})
    time.sleep(600)
    service.stop()


class _Caller:
    """Calls a server, and reads the processor time of both processes."""

    def __init__(self, port: int) -> None:
        from paddle_lite.distributed.rpc.client import Servers

        self._servers, self._endpoint = Servers(), f"127.0.0.1:{port}"

    def close(self) -> None:
        """End the connection."""
        self._servers.leave()

    def send(self, size: int, count: int) -> None:
        array = np.ones(size // 4, "float32")
        self._servers.send(["weight@GRAD"] * count, [array] * count, [self._endpoint] * count, 0)
        self._servers.settle()

    def deliver(self, size: int, count: int) -> None:
        """Send arrays, while another thread may receive some."""
        array = np.ones(size // 4, "float32")
        self._servers.deliver(["weight@GRAD"] * count, [array] * count, [self._endpoint] * count, 0)

    def receive(self, size: int, count: int) -> None:
        self._servers.receive([str(size)] * count, [self._endpoint] * count, 0, now=True)

    def used(self) -> tuple[float, float]:
        """Return the processor seconds of this process and of the server."""
        [there] = self._servers.receive([USED], [self._endpoint], 0, now=True)
        return time.process_time(), float(there[0])

    def cost(self, call: Any, size: int) -> tuple[float, float]:
        """Return the processor seconds of a call here and there."""
        for _ in range(5):
            call(size, TOGETHER)
        here, there = self.used()
        for _ in range(CALLS // TOGETHER):
            call(size, TOGETHER)
        after = self.used()
        return (after[0] - here) / CALLS, (after[1] - there) / CALLS


def overlap_of(here: float, there: float, took: float) -> float:
    """Return the part of the lesser side's work during which both sides of a message work, from the seconds of each and of the message."""
    return min(max((here + there - took) / min(here, there), 0.0), 1.0)


def _overlap(caller: _Caller) -> float:
    """Measure the overlap of both sides of a large message, the mean of both directions."""
    found = []
    for call in (caller.send, caller.receive):
        before = caller.used()
        began = time.perf_counter()
        for _ in range(SINGLE):
            call(LARGE, 1)
        took = time.perf_counter() - began
        here, there = (after - former for former, after in zip(before, caller.used(), strict=True))
        found.append(overlap_of(here, there, took))
    return statistics.mean(found)


def measure_calls() -> tuple[Side, Side, float]:
    """Return what a call costs a trainer and a server, the medians of `ROUNDS`, and the overlap of both."""
    keep_freed_memory()
    [port] = find_free_ports(1)
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(port,), daemon=True)
    server.start()
    try:
        caller, found = _Caller(port), []
        for _ in range(ROUNDS):
            found.append([[caller.cost(call, size) for size in SIZES] for call in (caller.send, caller.receive)])
        overlap = statistics.median(_overlap(caller) for _ in range(ROUNDS))
        caller.close()
    finally:
        server.terminate()
        server.join()
    sent, received = np.median(found, axis=0)  # of sizes, of processes
    small, large = SIZES
    slopes = [np.maximum(each[1] - each[0], 0.0) / (large - small) for each in (sent, received)]
    calls = (sent[0] + received[0]) / 2
    trainer, there = (Side(float(calls[i]), float(slopes[0][i]), float(slopes[1][i])) for i in range(2))
    return trainer, there, overlap


def measure_reduction(runner: Sequence[str], rounds: int) -> float:
    """Return the processor seconds of a worker for a byte that goes to its neighbour: two workers sum the gradients of the MLP."""
    found = [run_job(runner, "mlp", "ring", STEPS, 0, 2, REDUCE).trainers / 2 for _ in range(rounds)]
    return statistics.median(found) / STEPS / NETS["mlp"].dense


def measure_jobs(
    runner: Sequence[str], net: str, mode: str, counts: Sequence[int], rounds: int
) -> tuple[float, dict[int, Ran]]:
    """Run one process alone and jobs with one server, in turn.

    Arguments:
        runner: the command that runs a script.
        net, mode: see `parameter_server/train.py`.
        counts: the trainers of each job.
        rounds: of which the medians are taken. What other processes disturb is run again; see `undisturbed`.

    Returns:
        (the processor seconds of a step of the process alone, by the number of trainers the examples a second, and of a step the
        processor seconds of all trainers and of the server, and what the trainers exchanged).
    """
    servers = 0 if mode == "ring" else 1
    alone, found = [], []
    for _ in range(rounds):
        alone.append(undisturbed(lambda: run_job(runner, net, "local", STEPS, 0, 1)).trainers)
        found.append([undisturbed(lambda n=count: run_job(runner, net, mode, STEPS, servers, n)) for count in counts])
    jobs = {}
    for count, ran in zip(counts, zip(*found, strict=True), strict=True):
        rate, trained, served = (statistics.median(column) for column in list(zip(*ran, strict=True))[:3])
        exchanged = np.median([each.exchanged for each in ran], axis=0) / STEPS
        jobs[count] = Ran(rate, trained / STEPS, served / STEPS, Exchanged(*exchanged.tolist()))
    return statistics.median(alone) / STEPS, jobs


def rule(ran: Mapping[int, Ran], step: float, costs: Costs) -> Rule:
    """Return what a way to train with servers costs.

    Arguments:
        ran: a step of jobs with one server, by the number of trainers: those of 1 and 2 count.
        step: what one process alone takes for a step.
        costs: of calls.
    """
    trainers = statistics.mean(
        (each.trainers / n - step) * n / costs.trainer.of(*each.exchanged) for n, each in ran.items() if n <= 2
    )
    servers = {n: each.servers / costs.server.of(*each.exchanged) for n, each in ran.items()}
    return Rule(step, trainer=max(trainers, 0.0), server=servers[2], alone=servers[1])


def rule_of_ring(net: str, two: Ran, step: float, costs: Costs) -> Rule:
    """Return what training without servers costs, from a job of two workers."""
    moved = costs.byte * (NETS[net].dense + NETS[net].table)
    return Rule(step, push=max(two.trainers / 2 - step - moved, 0.0))


def measure(
    runner: Sequence[str],
    nets: Iterable[str],
    modes: Iterable[str],
    rounds: int,
    known: Costs | None = None,
    counts: Sequence[int] = (1, 2),
) -> Iterator[Measured]:
    """Measure calls, and then each way to train; yield all costs so far, and what the jobs took.

    Arguments:
        runner: the command that runs a script.
        nets, modes: see `parameter_server/train.py`.
        rounds: of each measurement.
        known: costs that were measured before: those of calls are taken from there, those of other ways to train are kept.
        counts: the trainers of the jobs that are run, 1 and 2 among them.
    """
    if known:
        costs = known
    else:
        costs = Costs(*measure_calls(), measure_reduction(runner, rounds), {}, f"{platform.machine()}, {cores()} cores")
    print(f"a call: {costs.trainer}, server {costs.server}, overlap {costs.overlap}, a byte of a ring: {costs.byte}")
    for net in nets:
        for mode in modes:
            step, jobs = measure_jobs(runner, net, mode, counts, rounds)
            found = rule_of_ring(net, jobs[2], step, costs) if mode == "ring" else rule(jobs, step, costs)
            costs.rules[f"{net} {mode}"] = found
            print(f"{net} {mode}: {found}", flush=True)
            yield Measured(net, mode, costs, jobs)
