"""How many examples a second train_from_dataset trains with one thread and with two, from memory and from files.

    python -m benchmarks.bench_dataset --fluid PYTHON

Each round runs `dataset/train.py` with one thread, with two, and with two under PaddlePaddle 1.8.5; ratios are medians of those of
the rounds. Two threads need two cores that nothing else uses.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .case import ROOT
from .cluster.jobs import rate_of

SCRIPT = Path(__file__).resolve().parent / "dataset" / "train.py"
KINDS = ("memory", "files")
BARS = {"one thread": 1.5, "PaddlePaddle 1.8.5": 1.0}  # the goals: two threads over each of these


def measure(runner: Sequence[str], threads: int, kind: str, folder: str) -> float:
    """Return the examples a second of a run."""
    words = {"THREADS": str(threads), "KIND": kind, "FOLDER": folder, "CPU_NUM": str(threads)}
    env = os.environ | words | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [*runner, str(SCRIPT)], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    )
    return rate_of(done.stdout)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fluid", metavar="PYTHON", help="interpreter with PaddlePaddle 1.8.5")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    ours = (sys.executable, "-m", "paddle_lite", "run")
    runs: dict[str, tuple[Sequence[str], int]] = {"two threads": (ours, 2), "one thread": (ours, 1)}
    if args.fluid:
        runs["PaddlePaddle 1.8.5"] = ((args.fluid,), 2)
    print(f"examples a second: {', '.join(runs)}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            found = [
                {name: measure(runner, threads, kind, folder) for name, (runner, threads) in runs.items()}
                for _ in range(args.rounds)
            ]
            line = f"{kind:8}" + "".join(f"{statistics.median(each[name] for each in found):10.0f}" for name in runs)
            for name in [*runs][1:]:
                ratio = statistics.median(each["two threads"] / each[name] for each in found)
                below = f", below the goal, {BARS[name]}" if ratio < BARS[name] else ""
                line += f"  of {name} {ratio:.2f}{below}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
