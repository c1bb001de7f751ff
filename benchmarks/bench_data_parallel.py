"""`python -m benchmarks.bench_data_parallel [--workers 2] [--steps 60]`: what the exchange of gradients costs in a step of DataParallel.

A network of 784-1024-1024-10 (7.4 MB of parameters) trains with batches of 64 a worker. In each step, beside the step itself, MPI
alone sums arrays of the same sizes in place, by calls of 2 MB that block: that is the engine's own time. Times are those of
worker 0, from a barrier on; medians, and the least ones, which a busy machine disturbs less.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import numpy as np

import paddle_lite.fluid as fluid
from paddle_lite.distributed.cluster import find_free_ports, get_cluster
from paddle_lite.distributed.collective.bucket import BYTES
from paddle_lite.distributed.collective.current import group
from paddle_lite.distributed.processes.local import (
    start_local_trainers,
    terminate_local_procs,
    watch_local_trainers,
)

SIZES, BATCH = (784, 1024, 1024, 10), 64
BARS = {"share": 0.10, "engine": 1.2}


class Network(fluid.dygraph.Layer):
    """Fully connected layers of `SIZES`."""

    def __init__(self) -> None:
        super().__init__()
        layers = [fluid.dygraph.Linear(a, b, act="relu") for a, b in pairwise(SIZES[:-1])]
        self.layers = fluid.dygraph.LayerList([*layers, fluid.dygraph.Linear(SIZES[-2], SIZES[-1], act="softmax")])

    def forward(self, x: fluid.Variable) -> fluid.Variable:
        for layer in self.layers:
            x = layer(x)
        return x


def timed(call: Callable[[], object]) -> float:
    """Return the seconds of a call that all workers begin together."""
    group().barrier()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def worker(steps: int) -> None:
    """Train, and print the times of worker 0."""
    with fluid.dygraph.guard(fluid.CPUPlace()):
        model = fluid.dygraph.DataParallel(Network(), fluid.dygraph.prepare_context())
        rule = fluid.optimizer.SGD(0.1, parameter_list=model.parameters())
        random = np.random.RandomState(0)
        x = fluid.dygraph.to_variable(random.rand(BATCH, SIZES[0]).astype("float32"))
        label = fluid.dygraph.to_variable(random.randint(0, SIZES[-1], (BATCH, 1)))
        from mpi4py import MPI

        arrays = [np.ones(parameter.shape, "float32").reshape(-1) for parameter in model.parameters()]
        piece = BYTES // 4

        def engine() -> None:
            for array in arrays:
                for start in range(0, array.size, piece):
                    MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, array[start : start + piece])

        rows = []
        for _ in range(steps):
            start = time.perf_counter()
            loss = model.scale_loss(fluid.layers.mean(fluid.layers.cross_entropy(model(x), label)))
            loss.backward()
            before = time.perf_counter() - start
            exchange = timed(model.apply_collective_grads)
            start = time.perf_counter()
            rule.minimize(loss)
            model.clear_gradients()
            rows.append((before + exchange + time.perf_counter() - start, exchange, timed(engine)))
        if group().rank == 0:
            report(rows[steps // 6 :])


def report(rows: list[tuple[float, float, float]]) -> None:
    """Print medians, least times, and whether the goals are met."""
    print(f"{'milliseconds':24}{'median':>10}{'least':>10}")
    columns = list(zip(*rows, strict=True))
    for name, column in zip(("a step", "exchange of gradients", "MPI alone"), columns, strict=True):
        print(f"{name:24}{1e3 * median(column):10.2f}{1e3 * min(column):10.2f}")
    for way, pick in (("medians", median), ("least times", min)):
        step, exchange, engine = map(pick, columns)
        for name, found in (("share", exchange / step), ("engine", exchange / engine)):
            what = "of the step" if name == "share" else "of MPI alone"
            verdict = "met" if found <= BARS[name] else "not met"
            print(f"{way}: {found:.2f} {what}, the goal {BARS[name]:.2f} is {verdict}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--steps", type=int, default=60)
    options = parser.parse_args()
    if "PADDLE_TRAINER_ID" in os.environ:
        worker(options.steps)
        return
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    ports = sorted(find_free_ports(options.workers))
    job = get_cluster(["127.0.0.1"], "127.0.0.1", ports, range(options.workers))
    started = start_local_trainers(*job, os.path.abspath(__file__), [*sys.argv[1:]])
    try:
        while watch_local_trainers(started, options.workers):
            time.sleep(0.1)
    finally:
        terminate_local_procs(started)


if __name__ == "__main__":
    main()
