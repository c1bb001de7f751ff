"""Running a converted model by an interpreter that has the other library."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, NotYetAvailable, message

SECONDS = 600


def run_elsewhere(
    call: str, python: str | None, script: str, words: Sequence[str], arrays: Mapping[str, np.ndarray]
) -> list[np.ndarray]:
    """Run a script that reads arrays from a file and writes arrays into another one.

    Arguments:
        call: the call, for errors.
        python: the interpreter; this one where it is None.
        script: the source; it finds in sys.argv the words, the file to read and the file to write.
        words: the first arguments of the script.
        arrays: what it reads.

    Returns:
        What it wrote, in order.

    Raises:
        NotYetAvailable: the script failed, such as for a library that is not installed.
        ArgumentValueError: there is no such interpreter.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, made = os.path.join(folder, "given.npz"), os.path.join(folder, "made.npz")
        held: dict[str, Any] = dict(arrays)
        np.savez(given, **held)
        command = [python or sys.executable, "-c", script, *map(os.path.abspath, words), given, made]
        quiet = {**os.environ, "GLOG_minloglevel": "3"}  # PaddlePaddle's log of what goes well
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=folder, env=quiet)
        except OSError as error:
            raise ArgumentValueError(message(call, "--python", f"{python} ({error})", "an interpreter")) from None
        except subprocess.TimeoutExpired:
            raise NotYetAvailable(f"{call}: nothing came within {SECONDS} s") from None
        if done.returncode:
            lines = done.stderr.strip().splitlines()
            said = [line for line in lines if "Error" in line][-1:] or lines[-1:] or ["no reason given"]
            missing = "not installed" in said[0]
            fix = "Name an interpreter that has the library: --python PYTHON." if missing else ""
            raise NotYetAvailable(f"{call}: {command[0]}: {said[0]}. {fix}".rstrip())
        with np.load(made) as file:
            return [file[name] for name in file.files]
