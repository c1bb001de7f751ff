"""Run cases on several sides in turn, and check that all of them compute the same values."""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import statistics
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple

from .case import ROOT, Case
from .side import OURS, SIDES

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
AVX2 = {
    "PADDLE_LITE_PROCESSOR": "haswell", "OPENBLAS_CORETYPE": "Haswell", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2", "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
}  # fmt: skip
"""Environment variables that keep each framework, and the libraries that it calls, to the instructions of AVX2."""

TOLERANCE = 5e-3
"""The largest permitted difference of two sides, relative to the root mean square."""

PATIENCE = 900.0
"""The timeout of a side in seconds; torch.compile takes minutes for a long program."""


WARM = 2.0
"""Seconds of warm-up calls before the measurement, which makes at least three."""


class Settings(NamedTuple):
    """Settings of the measurement."""

    pythons: dict[str, str]  # framework -> interpreter
    rounds: int = 11
    seconds: float = 0.1
    threads: int = 1
    clock: str = "wall"
    avx2: bool = False  # whether all sides are kept to AVX2


class Failure(Exception):
    """Raised when a side fails or does not answer."""


class Result(NamedTuple):
    """The measurements of one case on each side, one for each round, and the problems that occurred."""

    case: Case
    times: dict[str, list[float]]
    complaints: list[str]
    cpu: dict[str, list[float]] = {}
    """Processor times, of the cases that measure a time."""
    memory: dict[str, float] = {}
    """Bytes of whole programs, see `Worker.memory`."""
    costs: dict[str, float] = {}
    """FLOPs, bytes and calls of kernels in a step of a whole program, as its Plans count them."""

    def median(self, side: str) -> float:
        """Return the median time of a side, in seconds (or bytes)."""
        return statistics.median(self.times[side])

    def spread(self, side: str) -> float:
        """Return half the interquartile range relative to the median."""
        times = self.times[side]
        if len(times) < 2:
            return 0.0
        low, _, high = statistics.quantiles(times, n=4, method="inclusive")
        return (high - low) / 2 / max(self.median(side), 1e-12)

    def ratio(self, side: str, peer: str) -> float:
        """Return the median of the ratios of the rounds."""
        return statistics.median(a / b for a, b in zip(self.times[side], self.times[peer]))

    def best(self) -> str | None:
        """Return our fastest compiled side, or the eager one if no other is requested; None if it failed."""
        compiled = [name for name in ("static", "declared") if name in self.case.sides]
        return min((name for name in compiled or ["eager"] if name in self.times), key=self.median, default=None)


class Side:
    """A worker process."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - open as long as the process
        threads = dict.fromkeys(THREADS, str(settings.threads))
        environment = {**os.environ, **threads, "CPU_NUM": str(settings.threads), "PYTHONPATH": str(ROOT)}
        environment |= AVX2 if settings.avx2 else {}
        environment["FLAGS_plan_warm_up"] = (
            "2"  # so that ours compiles its kernels during the preparation, as the others do
        )
        self.process = subprocess.Popen(
            [settings.pythons[SIDES[name][0]], "-m", "benchmarks.worker", name],
            cwd=ROOT,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """Send a request and return the answer."""
        self.send(do, **request)
        return self.answer(do)

    def send(self, do: str, **request: Any) -> None:
        """Send a request."""
        try:
            self.process.stdin.write(json.dumps({"do": do, **request}) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._dead(do) from None

    def answer(self, do: str) -> dict[str, Any]:
        """Return the answer to the request that was sent."""
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            raise self._dead(do)
        answer = json.loads(line)
        if "error" in answer:
            raise Failure(f"{self.name}: {do} failed:\n...{answer['error'][-800:]}")
        return answer

    def _dead(self, do: str) -> Failure:
        """Kill the process and return the error about it."""
        self.process.kill()
        self.process.wait()
        self.errors.seek(0)
        said = self.errors.read()[-1500:]
        self.close()
        return Failure(f"{self.name}: no answer to {do}; the process said:\n{said}")

    def close(self) -> None:
        """Kill the process and close its files."""
        self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout, self.errors):
            with contextlib.suppress(BrokenPipeError):  # a request that nobody will read
                file.close()


def run(cases: list[Case], settings: Settings, report: Any = lambda result: None) -> list[Result]:
    """Run the cases and return their results, each of which is also passed to `report` immediately."""
    workers: dict[str, Side] = {}
    results = []
    try:
        for case in cases:
            names = [name for name in SIDES if SIDES[name][0] in settings.pythons and name in case.sides]
            measure = _memory if case.is_memory else _whole if case.whole else _times
            results.append(measure(case, names, settings, workers))
            report(results[-1])
    finally:
        for worker in workers.values():
            worker.close()
    return results


def _times(case: Case, names: list[str], settings: Settings, workers: dict[str, Side]) -> Result:
    """Measure the time of a case: prepare every side, then let them take turns, a slice each."""
    complaints: list[str] = []
    values, times, cpu = {}, {}, {}
    where = _where(case)
    for name in names:
        with _RecordFailure(complaints, name, workers):
            values[name] = _prepare(name, settings, workers, where)
            times[name], cpu[name] = [], []
    complaints += disagreements(values)
    for k in range(settings.rounds):
        for name in list(times) if k % 2 else list(times)[::-1]:
            with _RecordFailure(complaints, name, workers, times):
                _slice(workers[name], settings, times[name], cpu[name])
    return Result(case, times, complaints, cpu)


def _whole(case: Case, names: list[str], settings: Settings, workers: dict[str, Side]) -> Result:
    """Measure a whole program: each side in a new process, one after the other, for together they need much memory."""
    complaints: list[str] = []
    values, times, cpu, memory, costs = {}, {}, {}, {}, {}
    for name in names:
        alone: dict[str, Side] = {}
        with _RecordFailure(complaints, name, alone, times):
            values[name] = _prepare(name, settings, alone, _where(case))
            times[name], cpu[name] = [], []
            for _ in range(settings.rounds):
                _slice(alone[name], settings, times[name], cpu[name])
            memory[name] = alone[name].ask("memory")["memory"]
            costs.update(alone[name].ask("costs"))
        for side in alone.values():
            side.close()
    return Result(case, times, complaints + disagreements(values), cpu, memory, costs)


def _where(case: Case) -> dict[str, Any]:
    """Return what a request says of a case."""
    return {"module": case.module, "function": case.function, "arguments": list(case.arguments)}


def _slice(side: Side, settings: Settings, times: list[float], cpu: list[float]) -> None:
    """Let a side run a slice, and append its times."""
    answer = side.ask("slice", seconds=settings.seconds, clock=settings.clock)
    times.append(answer["time"])
    cpu.append(answer["cpu"])


def _prepare(name: str, settings: Settings, workers: dict[str, Side], where: dict[str, Any]) -> list[list[float]]:
    """Prepare a side and return the values to compare.

    A process that fails after it ran other cases is replaced once.
    """
    if name in workers:
        try:
            return workers[name].ask("prepare", **where, warm=WARM)["values"]
        except Failure:
            if workers[name].process.poll() is None:
                raise
    workers[name] = Side(name, settings)
    return workers[name].ask("prepare", **where, warm=WARM)["values"]


def _memory(case: Case, names: list[str], settings: Settings, workers: dict[str, Side]) -> Result:
    """Measure the memory of a case, each measurement in a process of its own."""
    complaints: list[str] = []
    values, times = {}, {name: [] for name in names}
    for _ in range(min(settings.rounds, 3)):
        for name in list(times):
            fresh = {name: Side(name, settings)}
            with _RecordFailure(complaints, name, fresh, times):
                answer = fresh[name].ask("peak", **_where(case))
                values[name] = answer["values"]
                times[name].append(answer["time"])
            for side in fresh.values():
                side.close()
    return Result(case, times, complaints + disagreements(values))


class _RecordFailure:
    """A context manager that records a failure of a side and continues without that side."""

    def __init__(self, complaints: list[str], name: str, workers: dict[str, Side], times: Any = None) -> None:
        self.complaints, self.name, self.workers, self.times = complaints, name, workers, times

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        if not isinstance(error, Failure):
            return False
        self.complaints.append(str(error))
        if self.times is not None:
            self.times.pop(self.name, None)
        if self.name in self.workers and self.workers[self.name].process.poll() is not None:
            del self.workers[self.name]
        return True


def disagreements(values: dict[str, list[list[float]]]) -> list[str]:
    """Return a line for each side whose values differ from those of the first side."""
    found = []
    sides = list(values)
    for side in sides[1:]:
        ours, theirs = values[sides[0]], values[side]
        if bool(ours) != bool(theirs):
            found.append(f"{side} gives {len(theirs)} arrays to check, {sides[0]} {len(ours)}")
            continue
        for k, (a, b) in enumerate(zip(ours, theirs)):
            scale = max(abs(a[0]), 1e-30)
            worst = max((abs(p - q) for p, q in zip(a, b)), default=0.0) / scale if len(a) == len(b) else math.inf
            if not worst <= TOLERANCE:
                found.append(
                    f"{side} and {sides[0]} differ in array {k} by {worst:.2g} of the root mean square {a[0]:.6g}; "
                    f"at most {TOLERANCE:g} is allowed"
                )
    return found


def interpreters(**named: str | None) -> dict[str, str]:
    """Return framework -> interpreter: ours, and those of the peers that were given."""
    return {"paddle_lite": sys.executable, **{name: python for name, python in named.items() if python}}


__all__ = ["OURS", "Failure", "Result", "Settings", "disagreements", "interpreters", "run"]
