"""Timing, in the form that every side's interpreter can run (Python 3.7 and newer, no imports of ours)."""

import gc
import json
import statistics
import sys
import time


def seconds(call, budget=0.6, rounds=7):
    """The median time of one call, from `rounds` groups of calls that together take about `budget` seconds."""
    call()
    start = time.perf_counter()
    call()
    once = max(time.perf_counter() - start, 1e-7)
    number = max(1, int(budget / rounds / once))
    times = []
    gc.collect()
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(number):
            call()
        times.append((time.perf_counter() - start) / number)
    return statistics.median(times)


def side_main(sides):
    """Run as `python -m benchmarks.bench_X SIDE`: time each case of that side and print seconds as JSON."""
    results = {}
    for name, (call, per_call) in sides[sys.argv[1]]().items():
        results[name] = seconds(call) / per_call
    print(json.dumps(results))
