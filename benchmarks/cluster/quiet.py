"""Run again what other processes of the machine have disturbed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .machines import cores

T = TypeVar("T")
MOST = 0.03  # of the machine's time, that others may use
TRIES = 5
STAT = Path("/proc/stat")


def undisturbed(run: Callable[[], T]) -> T:
    """Run something until other processes use little of the machine meanwhile; of `TRIES` runs return the least disturbed one.

    Where nothing tells what the machine does (there is no /proc/stat), the first run counts.

    Arguments:
        run: starts processes and waits for their ends.
    """
    tried: list[tuple[float, T]] = []
    while len(tried) < TRIES:
        tried.append(_share_of_others(run))
        share, found = tried[-1]
        if share <= MOST:
            return found
        print(f"others used {share:.0%} of the machine: again", flush=True)
    return min(tried, key=lambda each: each[0])[1]


def _share_of_others(run: Callable[[], T]) -> tuple[float, T]:
    """Return the part of the machine's time that is not of this process and those that it has waited for, and what a run returns."""
    before = time.perf_counter(), _busy(), sum(os.times()[:4])
    found = run()
    took, busy, own = (
        after - since for after, since in zip((time.perf_counter(), _busy(), sum(os.times()[:4])), before, strict=True)
    )
    return (busy - own) / (took * cores()), found


def _busy() -> float:
    """Return the processor seconds of all processes since the machine was started; 0 where nothing tells them."""
    if not STAT.exists():
        return 0.0
    user, nice, system, _idle, _waiting, *interrupts = STAT.read_text().split("\n", 1)[0].split()[1:8]
    return sum(map(int, (user, nice, system, *interrupts))) / os.sysconf("SC_CLK_TCK")
