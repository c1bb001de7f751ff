"""`python -m paddle_lite gpu check` in a checkout."""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import warnings
from typing import Any

from paddle_lite.core.progress.bars import progress_bar
from paddle_lite.kernels import registry

from .environment import environment
from .report import write


def check(asked: argparse.Namespace) -> int:
    """Run the parts that are asked for, and write the report after each; return 1 if something failed."""
    xp, begun = _device(asked.stand_in), time.perf_counter()
    found: dict[str, Any] = {"state": "", "seconds": 0.0, "stand_in": asked.stand_in, "environment": environment(xp)}
    parts = {"operators": _operators, "programs": _programs, "speed": _speed}
    for name in asked.only:
        try:
            found[name] = parts[name](asked, xp)
            found["state"] = f"{name} done"
        finally:
            found["state"] = found["state"] if name in found else f"stopped in {name}"
            found["seconds"] = time.perf_counter() - begun
            write(found, asked.out)
    found["state"] = "Complete, on the stand-in for a GPU" if asked.stand_in else "Complete"
    write(found, asked.out)
    bad = len(found.get("operators", {"failures": []})["failures"]) + sum(
        each[1] != 0 for each in found.get("programs", [])
    )
    print(f"{bad} failures. The report is {asked.out}; attach it to a bug report.")
    return 1 if bad else 0


def _device(stand_in: bool) -> Any:
    """Return the array module of the device."""
    if stand_in:
        from paddle_lite.kernels.gpu.stand_in import StandIn

        registry.use_gpu_module(StandIn(), kernels=True, most=300)
    return registry.array_module("gpu")


def _operators(asked: argparse.Namespace, xp: Any) -> dict[str, Any]:
    from .operators import failures, selected

    rows, failed = selected(asked.select), []
    with warnings.catch_warnings(), progress_bar(rows, "operators") as bar:
        warnings.simplefilter("ignore")
        for op, row in bar:
            failed += failures(op, row, xp)
            bar.set_postfix(failed=len(failed))
    return {"checked": len(rows), "failures": failed}


def _programs(asked: argparse.Namespace, xp: Any) -> list[Any]:
    from .programs import examples, run, scripts_of

    commands = examples() if asked.scripts is None else scripts_of(asked.scripts)
    commands = [words for words in commands if re.search(asked.select, words[0])]
    with progress_bar(commands, "programs") as bar, tempfile.TemporaryDirectory() as folder:
        return [run(words, asked.stand_in, folder) for words in bar]


def _speed(asked: argparse.Namespace, xp: Any) -> list[Any]:
    from .speed import NETWORKS, SMALL, measure, sides

    networks = SMALL if asked.stand_in else NETWORKS
    names = [name for name in networks if re.search(asked.select, name)]
    rounds, count = (1, 1) if asked.stand_in else (5, 20)
    with progress_bar(names, "benchmarks") as bar:
        return [(name, measure(sides(networks[name](), asked.stand_in), rounds, count)) for name in bar]
