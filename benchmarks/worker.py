"""`python -m benchmarks.worker SIDE`.

A process that prepares and times benchmarks of one side on request.

Requests and answers are lines of JSON. The module runs under Python 3.7 and newer.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import statistics
import sys
import time
import traceback

GROUPS = 5
SAMPLES = 64
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


class Worker:
    """Runs the benchmarks of one side."""

    def __init__(self, side):
        from benchmarks.side import open_side

        self.side = open_side(side)
        self.work = None
        self.once = 0.0
        self.before = _status("VmRSS")

    def prepare(self, module, function, arguments, warm):
        """Build a benchmark, return its values to compare, and warm up: three calls, or up to ten within `warm` seconds."""
        self.work = None
        gc.collect()
        self.work = self._make(module, function, arguments)
        values = [fingerprint(array) for array in self.work.check()]
        end = time.perf_counter() + warm
        for k in range(10):
            start = time.perf_counter()
            self.work.step()
            self.once = max(time.perf_counter() - start, 1e-7)
            if k >= 2 and time.perf_counter() > end:
                break  # two calls may compile
        gc.collect()
        return {"values": values}

    def slice(self, seconds, clock):
        """Return the median time of a call, from a few groups of calls that take about `seconds` together.

        `cpu` is the same by the processor's clock.
        """
        step = self.work.step
        number = max(1, int(seconds / GROUPS / self.once))
        groups = max(1, min(GROUPS, int(seconds / self.once)))
        times = []
        for _ in range(groups):
            start = [read() for read in CLOCKS.values()]
            for _ in range(number):
                step()
            times.append([(read() - begun) / number for read, begun in zip(CLOCKS.values(), start)])
        found = dict(zip(CLOCKS, map(statistics.median, zip(*times))))
        self.once = max(min(time for time, *_ in times), 1e-7)
        return {"time": found[clock] / self.work.per_call, "cpu": found["cpu"] / self.work.per_call}

    def memory(self):
        """Return by how much the peak memory of two steps exceeds that of the process before any network was built."""
        _forget_peak()
        for _ in range(2):
            self.work.step()
        return {"memory": float(_status("VmHWM") - self.before)}

    def costs(self):
        """Return the FLOPs, bytes and calls of kernels of a step, as the side counts them; {} if it does not."""
        return self.side.costs(self.work.step) if hasattr(self.side, "costs") else {}

    def peak(self, module, function, arguments):
        """Return the increase of this process's peak memory by a few steps, in bytes; the process should be new.

        A small step runs first, so that one-time allocations of libraries and kernels do not count.
        """
        small, full = self._make(module, function, arguments)
        for _ in range(2):
            small.step()
        _forget_peak()
        before = _status("VmRSS")
        for _ in range(3):
            full.step()
        return {"time": float(_status("VmHWM") - before), "values": [fingerprint(array) for array in full.check()]}

    def _make(self, module, function, arguments):
        made = getattr(importlib.import_module("benchmarks.bench_" + module), function)
        return made(self.side, *arguments)


def fingerprint(array):
    """Return [root mean square, some elements ...], which suffice to distinguish arrays."""
    import numpy as np

    flat = np.asarray(array, "float64").reshape(-1)
    chosen = flat[:: max(1, flat.size // SAMPLES)][:SAMPLES]
    return [float(np.sqrt(np.mean(flat**2))), *chosen.tolist()]


def _forget_peak():
    """Give back memory that is free, and let the peak of this process begin anew."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def _status(name):
    """Return a line of /proc/self/status, in bytes."""
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith(name + ":"))


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # redirect the output of frameworks to stderr
    worker = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if worker is None:
                worker = Worker(sys.argv[1])
            answer = getattr(worker, request.pop("do"))(**request)
        except Exception:
            answer = {"error": traceback.format_exc()}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
