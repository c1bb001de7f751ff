"""Run benchmark modules on several sides in turn, and print medians and ratios."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def run_side(module: str, side: str, python: str, threads: int) -> dict[str, float]:
    """Seconds by case of one side, in a process of its own with the given number of threads."""
    environment = {**os.environ, **dict.fromkeys(THREADS, str(threads)), "CPU_NUM": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [python, "-m", f"benchmarks.{module}", side], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{module} on {side} ({python}) failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def compare(module: str, pythons: dict[str, str], rounds: int, threads: int) -> dict[str, dict[str, float]]:
    """side -> case -> median seconds; the sides take turns, so that all see the same noise."""
    runs: dict[str, list[dict[str, float]]] = {side: [] for side in pythons}
    for _ in range(rounds):
        for side, python in pythons.items():
            runs[side].append(run_side(module, side, python, threads))
    return {
        side: {case: statistics.median(run[case] for run in results) for case in results[0]}
        for side, results in runs.items()
    }


def show(title: str, results: dict[str, dict[str, float]]) -> None:
    """A table: each case's time by side, and our time as a ratio of each peer's."""
    ours = results["paddle_lite"]
    peers = [side for side in results if side != "paddle_lite"]
    print(f"\n{title}")
    header = f"{'case':38}{'paddle_lite':>14}" + "".join(f"{peer:>14}{'ratio':>8}" for peer in peers)
    print(header)
    for case, time in ours.items():
        line = f"{case:38}{_human(time):>14}"
        for peer in peers:
            other = results[peer].get(case)
            line += f"{'-':>14}{'':>8}" if other is None else f"{_human(other):>14}{time / other:8.2f}"
        print(line)


def _human(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.2f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def interpreters(torch: str | None, fluid: str | None) -> dict[str, str]:
    """The sides to run: ours, and the peers whose interpreters were named."""
    named = {"paddle_lite": sys.executable, "torch": torch, "fluid": fluid}
    return {side: python for side, python in named.items() if python}
