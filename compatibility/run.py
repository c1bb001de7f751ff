"""Runs a program on one side, in a copy of its project."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .catalog import Program
from .outputs import numbers_in

__all__ = ["Outcome", "Side", "Source", "run"]

DRIVER = Path(__file__).resolve().parent / "driver.py"
JOB = DRIVER.parent / "job.py"
ROOT = DRIVER.parent.parent
TIMED_OUT = 124


@dataclass(frozen=True)
class Outcome:
    """What a program did on one side: its output, its exit status, and the seconds that it took."""

    output: str
    status: int
    seconds: float

    @property
    def last_line(self) -> str:
        """The line that says what went wrong: the last that is not empty."""
        if self.status == TIMED_OUT:
            return f"stopped after {self.seconds:.0f} seconds"
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        errors = [line for line in lines if "Error" in line.split(":")[0]]
        return (errors or lines or [f"exit status {self.status}"])[-1]


@dataclass(frozen=True)
class Source:
    """The files of a program: its project's code, packages for PYTHONPATH, scripts that make data, and data sets."""

    code: Path
    packages: Path | None
    generators: Path
    datasets: Path


@dataclass(frozen=True)
class Side:
    """PaddlePaddle 1.8.5, or paddle_lite.

    Args:
        name: "fluid" or "ours".
        python: the interpreter.
        shake: how far off parameters begin, relatively.
    """

    name: str
    python: str
    shake: float = 0.0

    def command(self, words: list[str], program: Program) -> list[str]:
        """Return the command line of a program of which these are the words after `python`."""
        if words[0] == "{python}":
            return [self.python, *words[1:]]
        launcher = ["-m", "paddle_lite", "run"] if self.name == "ours" else []
        options = [*(["--cpu"] if program.cpu else []), *([f"--shake={self.shake}"] if self.shake else [])]
        driver = [str(DRIVER), *options, str(program.seed)] if program.seed or options else []
        return [self.python, *launcher, *driver, *words]

    def environment(self, home: Path, packages: Path | None, program: Program) -> dict[str, str]:
        """Return the environment of a program: a home directory of its own, and one thread."""
        given = dict(program.environment)
        path = [given.pop("PYTHONPATH")] if "PYTHONPATH" in given else []
        path += [str(packages)] if packages else []
        if self.name == "ours":
            path.append(str(ROOT))
        kept = {name: os.environ[name] for name in ("LANG", "PADDLE_LITE_CACHE_DIR") if name in os.environ}
        settings = {
            "PATH": os.pathsep.join(
                [
                    str(Path(shutil.which(self.python) or self.python).absolute().parent),
                    os.environ.get("PATH", os.defpath),
                ]
            ),
            "HOME": str(home),
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONHASHSEED": "0",
            "PYTHONUNBUFFERED": "1",
            "PYTHONIOENCODING": "utf8",
            "CUDA_VISIBLE_DEVICES": "",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "CPU_NUM": "1",
            "MPLBACKEND": "Agg",
        }
        return {**kept, **settings, **given}


def run(program: Program, side: Side, source: Source, work: Path) -> Outcome:
    """Run a program, and what it needs before it.

    Args:
        program: what to run.
        side: on what.
        source: where its files are.
        work: the folder to copy them to; it is made anew.

    Returns:
        The Outcome of the program; of the command before it that failed, if one did. The seconds are the last command's.
    """
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source.code, work / "code", symlinks=True)
    home, folder = work / "home", work / "code" / program.folder
    _give_data(home, source.datasets, program)
    env = side.environment(home, source.packages, program)
    for script, *arguments in program.generators:
        command = [sys.executable, str(source.generators / script), *arguments]
        made = _execute(command, folder, {**env, "PYTHONPATH": str(ROOT)}, program.limit)
        if made.status:
            raise RuntimeError(f"{source.generators / script} failed:\n{made.output[-1000:]}")
    for words in program.before:
        outcome = _execute(side.command(words, program), folder, env, program.limit)
        if outcome.status:
            return outcome
    command = side.command(program.command, program)
    if program.trainers:
        command = [sys.executable, str(JOB), str(program.servers), str(program.trainers), *command]
    return _execute(command, folder, env, program.limit, _has_enough(program))


def _give_data(home: Path, datasets: Path, program: Program) -> None:
    """Put the data sets of a program where `paddle.dataset` looks for them."""
    place = home / ".cache" / "paddle" / "dataset"
    place.mkdir(parents=True)
    for name in program.datasets:
        kept = datasets / name
        kept.mkdir(parents=True, exist_ok=True)
        (place / name).symlink_to(kept.resolve())


def _has_enough(program: Program) -> Callable[[str], bool] | None:
    """Return what says of an output whether the program may be stopped there; None if it may not."""
    if not program.enough:
        return None
    return lambda output: len(numbers_in(output, program.numbers[:1])[0]) >= program.enough


def _execute(
    command: list[str], folder: Path, env: dict[str, str], limit: float, enough: Callable[[str], bool] | None = None
) -> Outcome:
    """Run a command with a time limit, or until its output is enough; its children are stopped with it."""
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    status, output = None, b""
    try:
        for output in _outputs(process.stdout, start + limit):
            if enough is not None and enough(_text(_whole_lines(output))):
                status, output = 0, _whole_lines(output)
                break
        if status is None:
            process.wait(max(0.0, start + limit - time.monotonic()))
            if enough is not None and enough(_text(output)):  # it was faster than the signal would have been
                status = 0
    except (TimeoutError, subprocess.TimeoutExpired):
        status = TIMED_OUT
    finally:
        _stop_group(process.pid)
        process.stdout.close()
        process.wait()
    return Outcome(_text(output), process.returncode if status is None else status, time.monotonic() - start)


def _text(output: bytes) -> str:
    return output.decode("utf8", errors="replace")


def _whole_lines(output: bytes) -> bytes:
    """Return an output up to its last end of a line: what follows may be half of a number."""
    return output[: max(output.rfind(b"\n"), output.rfind(b"\r")) + 1]


def _outputs(pipe: IO[bytes], end: float) -> Iterator[bytes]:
    """Yield what has been written so far, each time that there is more; raise TimeoutError at the time `end`."""
    output = b""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            if not selector.select(max(0.0, end - time.monotonic())):
                raise TimeoutError
            part = os.read(pipe.fileno(), 65536)
            if not part:
                return
            output += part
            yield output


def _stop_group(leader: int) -> None:
    """Stop what a command has left running."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # nothing is left
