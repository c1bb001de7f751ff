"""How many examples a second a job with parameter servers trains: paddle_lite, and PaddlePaddle 1.8.5 on the same machine.

    python -m benchmarks.bench_parameter_server --fluid PYTHON
    python -m benchmarks.bench_parameter_server --fluid PYTHON --nets ctr --modes sync --rounds 5

Two servers and two trainers run `parameter_server/train.py`, and one process alone does; the sides take turns. The ratio is the
median of those of the rounds. Processor time is that of all processes together for a step of all trainers, from two lengths of the
job: on a busy machine it is the steadier number.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from typing import NamedTuple

from .cluster.jobs import run_job

NETS, MODES = ("ctr", "mlp"), ("local", "sync", "async")
BARS = {("ctr", "sync"): 1.0, ("mlp", "sync"): 1.3}  # the goals: our examples a second over those of 1.8.5
STEPS = 100


class Measured(NamedTuple):
    """Examples a second of all trainers, and processor seconds of all processes for a step."""

    rate: float
    cpu: float


def measure(runner: Sequence[str], net: str, mode: str) -> Measured:
    """Return the examples a second of a job, and the processor seconds of a step."""
    count = 0 if mode == "local" else 2
    ran = run_job(runner, net, mode, STEPS, count, count or 1)
    return Measured(ran.rate, (ran.trainers + ran.servers) / STEPS)


def _rows(sides: dict[str, Sequence[str]], net: str, mode: str, rounds: int) -> str:
    """Return the line of a network and mode: the medians of the sides, and of the ratios of the first to the second."""
    found = [{side: measure(runner, net, mode) for side, runner in sides.items()} for _ in range(rounds)]
    cells = []
    for side in sides:
        rate, cpu = (statistics.median(values) for values in zip(*(each[side] for each in found), strict=True))
        cells.append(f"{rate:10.0f} {cpu * 1e3:8.1f} ms")
    line = f"{net:4} {mode:6}{' '.join(cells)}"
    if len(sides) > 1:
        ours, peer = sides
        ratio = statistics.median(each[ours].rate / each[peer].rate for each in found)
        limit = BARS.get((net, mode))
        line += f"  ratio {ratio:.2f}" + (f", below the goal, {limit}" if limit is not None and ratio < limit else "")
    return line


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluid", metavar="PYTHON", help="interpreter with PaddlePaddle 1.8.5")
    parser.add_argument("--nets", nargs="+", choices=NETS, default=NETS)
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    sides: dict[str, Sequence[str]] = {"paddle_lite": (sys.executable, "-m", "paddle_lite", "run")}
    if args.fluid:
        sides["PaddlePaddle 1.8.5"] = (args.fluid,)
    print(f"examples a second, processor time of a step: {', '.join(sides)}")
    for net in args.nets:
        for mode in args.modes:
            print(_rows(sides, net, mode, args.rounds), flush=True)


if __name__ == "__main__":
    main()
