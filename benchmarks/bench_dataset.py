"""How many examples a second train_from_dataset trains with one thread and with two, from memory and from files.

    python -m benchmarks.bench_dataset --fluid PYTHON

Each round runs `dataset/train.py` with two threads, with one, with one in each of two processes at the same time, and with two under
PaddlePaddle 1.8.5; ratios are medians of those of the rounds. Two processes share nothing but the machine: what they train together is
what its cores, caches and memory allow. Two threads need two cores that nothing else uses.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .case import ROOT
from .cluster.jobs import rate_of

SCRIPT = Path(__file__).resolve().parent / "dataset" / "train.py"
KINDS, TWO = ("memory", "files"), "two threads"
BARS = {"one thread": 1.5, "PaddlePaddle 1.8.5": 1.0}  # the goals: two threads over each of these


class Side(NamedTuple):
    """What is timed: the command that runs a script, its threads, and how many processes run at the same time."""

    runner: Sequence[str]
    threads: int
    processes: int = 1


def measure(side: Side, kind: str, folder: str) -> float:
    """Return the examples a second of all processes of a side; they run in `folder`, for PaddlePaddle leaves a file where it runs."""
    words = {"THREADS": str(side.threads), "KIND": kind, "FOLDER": folder, "CPU_NUM": str(side.threads)}
    words |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    command, env, out = [*side.runner, str(SCRIPT)], os.environ | words, subprocess.PIPE
    started = [
        subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT, text=True, cwd=folder)
        for _ in range(side.processes)
    ]
    return sum(rate_of(text) for text in [process.communicate()[0] for process in started])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluid", metavar="PYTHON", help="interpreter with PaddlePaddle 1.8.5")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    ours = (sys.executable, "-m", "paddle_lite", "run")
    sides = {TWO: Side(ours, 2), "one thread": Side(ours, 1), "two processes": Side(ours, 1, 2)}
    if args.fluid:
        sides["PaddlePaddle 1.8.5"] = Side((args.fluid,), 2)
    print(f"examples a second: {', '.join(sides)}")
    with tempfile.TemporaryDirectory() as folder:
        measure(sides["one thread"], "files", folder)  # makes the files, and fills the cache of kernels
        for kind in KINDS:
            found = [{name: measure(side, kind, folder) for name, side in sides.items()} for _ in range(args.rounds)]
            print(line(kind, found), flush=True)


def line(kind: str, found: Sequence[Mapping[str, float]]) -> str:
    """Return the line of a kind: the medians of the sides, and of the ratios of two threads to each other side."""
    sides = list(found[0])
    text = f"{kind:8}" + "".join(f"{statistics.median(each[name] for each in found):10.0f}" for name in sides)
    for name in sides:
        if name != TWO:
            ratio = statistics.median(each[TWO] / each[name] for each in found)
            below = f", below the goal, {BARS[name]}" if ratio < BARS.get(name, 0.0) else ""
            text += f"  of {name} {ratio:.2f}{below}"
    ceiling = statistics.median(each["two processes"] / each["one thread"] for each in found)
    return f"{text}  (two processes: {ceiling:.2f} of one thread)"


if __name__ == "__main__":
    main()
