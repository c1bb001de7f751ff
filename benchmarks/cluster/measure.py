"""Measure on this machine what the simulation rests on: calls of a server by themselves, and small jobs."""

from __future__ import annotations

import multiprocessing
import platform
import statistics
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from paddle_lite.distributed.cluster import find_free_ports
from paddle_lite.kernels.memory import keep_freed_memory

from .costs import NETS, Costs, Rule, Side
from .jobs import Exchanged, Ran, run_job
from .machines import cores

SIZES, CALLS, TOGETHER, ROUNDS = (
    (64, 1 << 20),
    200,
    8,
    5,
)  # bytes of a message; calls of each size, and how many are under way
STEPS = (20, 170)
USED = "processor time"


class _Holds:
    """The handler of a server that takes arrays and gives those that it holds, and tells the processor time of its process."""

    def __init__(self) -> None:
        self._held = {str(size): np.ones(size // 4, "float32") for size in SIZES}

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


def _both_ways(caller: _Caller) -> tuple[float, float]:
    """Return the seconds that `TOGETHER` messages take in each direction at the same time, and the processor seconds of both sides."""
    size = SIZES[1]
    seconds, used = [], []
    for _ in range(CALLS // TOGETHER):
        before, since = sum(caller.used()), time.perf_counter()
        receiving = threading.Thread(target=caller.receive, args=(size, TOGETHER))
        receiving.start()
        caller.deliver(size, TOGETHER)
        receiving.join()
        seconds.append(time.perf_counter() - since)
        used.append(sum(caller.used()) - before)
    return statistics.median(seconds), statistics.median(used)


def measure_calls() -> tuple[Side, Side]:
    """Return what a call costs a trainer and a server: the least of `ROUNDS`, which other work on the machine disturbs least."""
    keep_freed_memory()
    [port] = find_free_ports(1)
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(port,), daemon=True)
    server.start()
    try:
        caller, found = _Caller(port), []
        for _ in range(ROUNDS):
            found.append([[caller.cost(call, size) for size in SIZES] for call in (caller.send, caller.receive)])
        took, used = _both_ways(caller)
        print(
            f"messages both ways on a connection: {took * 1e3:.1f} ms, processor time {used * 1e3:.1f} ms", flush=True
        )
        caller.close()
    finally:
        server.terminate()
        server.join()
    sent, received = np.min(found, axis=0)  # of sizes, of processes
    small, large = SIZES
    slopes = [np.maximum(each[1] - each[0], 0.0) / (large - small) for each in (sent, received)]
    calls = (sent[0] + received[0]) / 2
    trainer, there = (Side(float(calls[i]), float(slopes[0][i]), float(slopes[1][i])) for i in range(2))
    return trainer, there


def measure_job(runner: Sequence[str], net: str, mode: str, trainers: int, rounds: int) -> Ran:
    """Return a job with one server: the most examples a second of the rounds, the least processor seconds of a step of all trainers
    and of the server, and what the trainers exchanged in a step of the round with the least of theirs."""
    servers, found = (0 if mode in ("local", "ring") else 1), []
    for _ in range(rounds):
        few, many = (run_job(runner, net, mode, steps, servers, trainers) for steps in STEPS)
        steps = STEPS[1] - STEPS[0]
        counts = [(after - before) / steps for before, after in zip(few.exchanged, many.exchanged, strict=True)]
        used = (many.trainers - few.trainers) / steps, (many.servers - few.servers) / steps
        found.append(Ran(many.rate, *used, Exchanged(*counts)))
    least = min(found, key=lambda ran: ran.trainers)
    return least._replace(rate=max(ran.rate for ran in found), servers=min(ran.servers for ran in found))


def rule(net: str, mode: str, ran: Mapping[int, Ran], trainer: Side, server: Side, pushes: int) -> Rule:
    """Return what a way to train costs beside its calls.

    Arguments:
        net, mode: see `parameter_server/train.py`.
        ran: a step of jobs with one server, by the number of trainers: 1 and 2.
        trainer, server: the costs of calls.
        pushes: steps between two exchanges of changes (GEO).
    """
    if mode == "ring":
        alone, two = ran[1].trainers, ran[2].trainers / 2
        of = NETS[net]
        return Rule(alone, byte=max(two - alone, 0.0) / (of.dense + of.table))
    steps = [(each.trainers - trainer.of(*each.exchanged)) / n for n, each in ran.items()]
    updates = {n: each.servers - server.of(*each.exchanged) for n, each in ran.items()}
    step = max(statistics.mean(steps), 0.0)
    update = max(updates[2] / 2, 0.0)
    if mode == "sync":
        return Rule(step, alone=max(updates[1], 0.0), update=update)
    return Rule(step, update=update * pushes if mode == "geo" else update)


def measure(
    runner: Sequence[str],
    nets: Iterable[str],
    modes: Iterable[str],
    pushes: int,
    rounds: int,
    known: Costs | None = None,
) -> Costs:
    """Return the costs of calls and of some ways to train.

    Arguments:
        runner: the command that runs a script.
        nets, modes: see `parameter_server/train.py`.
        pushes: steps between two exchanges of changes (GEO).
        rounds: of each measurement.
        known: costs that were measured before: those of calls are taken from there, those of other ways to train are kept.
    """
    trainer, server = (known.trainer, known.server) if known else measure_calls()
    print(f"a call: {trainer}, server {server}", flush=True)
    rules = dict(known.rules) if known else {}
    for net in nets:
        for mode in modes:
            ran = {n: measure_job(runner, net, mode, n, rounds) for n in (1, 2)}
            rules[f"{net} {mode}"] = rule(net, mode, ran, trainer, server, pushes)
            print(f"{net} {mode}: {rules[f'{net} {mode}']}", flush=True)
    return Costs(trainer, server, rules, f"{platform.machine()}, {cores()} cores")
