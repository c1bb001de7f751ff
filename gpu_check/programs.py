"""Scripts on the device: the examples, and those of a folder that the user names."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 900.0
"""The seconds that a script may take."""


class Outcome(NamedTuple):
    """How a script ended: its exit code, or None where it was stopped after LIMIT; its last lines."""

    script: str
    code: int | None
    seconds: float
    last: str


def examples() -> list[list[str]]:
    """Return the command lines of the examples."""
    return [[str(path), "--quick"] for path in sorted((ROOT / "examples").glob("*.py"))]


def scripts_of(folder: str) -> list[list[str]]:
    """Return the command lines of the scripts in a folder and the folders in it."""
    return [[str(path)] for path in sorted(Path(folder).rglob("*.py"))]


def run(words: Sequence[str], stand_in: bool, folder: str) -> Outcome:
    """Run a script in a process of its own, where every place means the GPU.

    Arguments:
        words: the script and its arguments.
        stand_in: whether the stand-in is the GPU.
        folder: the working directory.
    """
    launcher = [str(ROOT / "tests" / "gpu" / "run_on_stand_in.py")] if stand_in else []
    command = [sys.executable, "-m", "paddle_lite", "run", "--gpu", *launcher, *words]
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH", "")])])
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, timeout=LIMIT, text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        code, said = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        code, said = None, late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
    lines = [line for line in said.splitlines() if line.strip()]
    return Outcome(Path(words[0]).name, code, time.perf_counter() - start, "\n".join(lines[-1 if code == 0 else -15 :]))
