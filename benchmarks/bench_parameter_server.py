"""How many examples a second a job with parameter servers trains: paddle_lite, and PaddlePaddle 1.8.5 on the same machine.

    python -m benchmarks.bench_parameter_server --fluid PYTHON
    python -m benchmarks.bench_parameter_server --fluid PYTHON --nets ctr --modes sync --rounds 5

Two servers and two trainers run `parameter_server/train.py`, and one process alone does; the sides take turns. The ratio is the
median of those of the rounds. Processor time is that of all processes together for a step of all trainers, from two lengths of the
job: on a busy machine it is the steadier number.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from paddle_lite.distributed.cluster import find_free_ports

from .case import ROOT
from .compare import Failure

SCRIPT = Path(__file__).resolve().parent / "parameter_server" / "train.py"
NETS, MODES = ("ctr", "mlp"), ("local", "sync", "async")
BARS = {("ctr", "sync"): 1.0, ("mlp", "sync"): 1.3}  # the goals: our examples a second over those of 1.8.5
STEPS = (20, 100)
PATIENCE = 120  # seconds that a job may take


class Measured(NamedTuple):
    """Examples a second of all trainers, and processor seconds of all processes for a step."""

    rate: float
    cpu: float


def _run(runner: Sequence[str], net: str, mode: str, steps: int) -> Measured:
    """Run a job; return the examples a second of its trainers, and the processor seconds of all processes from start to end."""
    count = 0 if mode == "local" else 2
    endpoints = [f"127.0.0.1:{port}" for port in find_free_ports(count)]
    common = {"NET": net, "MODE": mode, "STEPS": steps, "SERVERS": ",".join(endpoints), "TRAINERS": 2, "CPU_NUM": 1}
    common |= {"OMP_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1, "NUMBER": 0, "ENDPOINT": ""}

    def start(**more: object) -> subprocess.Popen:
        env = os.environ | {name: str(value) for name, value in (common | more).items()}
        out = subprocess.PIPE
        return subprocess.Popen(
            [*runner, str(SCRIPT)], env=env, stdout=out, stderr=subprocess.STDOUT, text=True, cwd=ROOT
        )

    used = _of_children()
    servers = [start(ROLE="server", ENDPOINT=endpoint) for endpoint in endpoints]
    trainers = [start(ROLE="trainer" if count else "local", NUMBER=i) for i in range(count or 1)]
    try:
        texts = [trainer.communicate(timeout=PATIENCE)[0] for trainer in trainers]
    except subprocess.TimeoutExpired:
        raise Failure(f"{net} {mode}: a trainer of {runner[0]} takes more than {PATIENCE} s") from None
    finally:
        _end([*trainers, *servers])
    return Measured(sum(rate_of(text) for text in texts), _of_children() - used)


def _end(processes: Sequence[subprocess.Popen]) -> None:
    """End processes: servers of PaddlePaddle 1.8.5 wait for ever, and all do if one fails."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _of_children() -> float:
    """Return the processor seconds of the processes that have been started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(runner: Sequence[str], net: str, mode: str) -> Measured:
    """Return the examples a second of a job, and the processor seconds of a step."""
    few, many = (_run(runner, net, mode, steps) for steps in STEPS)
    return Measured(many.rate, (many.cpu - few.cpu) / (STEPS[1] - STEPS[0]))


def rate_of(text: str) -> float:
    """Return the examples a second that a trainer has printed.

    Raises:
        Failure: it has printed none.
    """
    found = re.search(r"^examples per second: ([\d.]+)$", text, re.MULTILINE)
    if found is None:
        raise Failure(f"a trainer failed: {text[-600:]}")
    return float(found[1])


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
