"""What the long run measures of its own process."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path

from .trends import Limit

MEASURED = {
    "memory, MiB": Limit(10.0),
    "file handles": Limit(0.5),
    "threads": Limit(0.5),
    "child processes": Limit(0.5),
    "Python objects, thousands": Limit(2.0),
}
"""What is measured, and how much it may grow. A slower step is judged by SLOWER."""
SLOWER = Limit(0.0, 0.1)

_PROCESS = Path("/proc/self")


def supported() -> bool:
    """Return whether this system tells what is measured: Linux does."""
    return (_PROCESS / "statm").exists()


def measured() -> dict[str, float]:
    """Return the numbers of this process, after a collection of garbage."""
    gc.collect()
    pages = int((_PROCESS / "statm").read_text().split()[1])
    children = [(task / "children").read_text().split() for task in (_PROCESS / "task").iterdir()]
    return {
        "memory, MiB": pages * os.sysconf("SC_PAGESIZE") / 2**20,
        "file handles": float(len(os.listdir(_PROCESS / "fd")) - 1),  # without that of the folder itself
        "threads": float(threading.active_count()),
        "child processes": float(sum(map(len, children))),
        "Python objects, thousands": len(gc.get_objects()) / 1000,
    }
