"""Discovery of benchmarks: each `time_*` and `peakmem_*` function of each module, and its cases."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.side import EVERYWHERE, SIDES

ROOT = Path(__file__).resolve().parent.parent
OWN_COMMAND = frozenset({"data_parallel", "dataset", "first_run", "growth", "parameter_server", "rpc"})
"""Modules that are not compared case by case; each is a command of its own, `python -m benchmarks.bench_NAME`."""


class Case(NamedTuple):
    """One row of the tables."""

    module: str
    function: str
    arguments: tuple[Any, ...]
    title: str
    sides: tuple[str, ...]
    bars: tuple[tuple[str, float], ...]
    shown: bool
    whole: bool = False

    @property
    def is_memory(self) -> bool:
        """Whether it measures bytes rather than seconds."""
        return self.function.startswith("peakmem_")


def modules() -> list[str]:
    """Return the names of the benchmark modules without the prefix `bench_`, except those of OWN_COMMAND."""
    return sorted({path.stem[len("bench_") :] for path in (ROOT / "benchmarks").glob("bench_*.py")} - OWN_COMMAND)


def cases(module: str) -> list[Case]:
    """Return the cases of a module, in the order of its source."""
    space = vars(importlib.import_module(f"benchmarks.bench_{module}"))
    found = []
    for name, function in space.items():
        if name.startswith(("time_", "peakmem_")) and callable(function):
            title = function.__doc__.splitlines()[0]
            sides = getattr(function, "sides", EVERYWHERE)
            sides = tuple(side for side in SIDES if side in sides)
            bars = tuple(getattr(function, "bars", ()))
            whole = getattr(function, "whole", False)
            for arguments in getattr(function, "cases", [()]):
                marked = bool(bars) or getattr(function, "shown", False)
                found.append(Case(module, name, arguments, title.format(*arguments), sides, bars, marked, whole))
    return found
