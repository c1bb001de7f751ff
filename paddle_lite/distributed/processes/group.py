"""A group of processes that begin and end together."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import guard

GRACE = 3.0  # seconds that a process has to end after it was asked to
POLL = 0.05
TAIL = 20  # lines of a log that an error shows
_REGISTERED = 'echo "+$$" >&0; exec "$@" </dev/null'  # the guard knows a process before that runs anything


@dataclass
class Task:
    """A process that a job needs.

    Attributes:
        kind, rank: "worker" or "server", and its index.
        endpoint: its address; "" if it has none.
        variables: its own environment variables.
        log: the file of its output; None: its output goes where that of this process goes.
    """

    kind: str
    rank: int
    endpoint: str = ""
    variables: dict[str, str] = field(default_factory=dict)
    log: Path | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.rank}" + (f" ({self.endpoint})" if self.endpoint else "")


@dataclass
class Member:
    """A process of a group.

    Attributes:
        task: what it is.
        process: the process.
        offset: where in its log the output of this process begins.
    """

    task: Task
    process: subprocess.Popen
    offset: int = 0

    def how(self) -> str:
        """Say how the process has ended."""
        code = self.process.returncode
        if code is not None and code < 0:
            with contextlib.suppress(ValueError):
                return f"was killed by {signal.Signals(-code).name}"
        return f"ended with exit status {code}"

    def last_lines(self, count: int = TAIL) -> str:
        """Name the log, and return its last lines."""
        log = self.task.log
        if log is None:
            return "Its output is above; --log_dir DIR gives each process a log of its own."
        with open(log, "rb") as file:
            file.seek(max(self.offset, log.stat().st_size - 65536))
            lines = file.read().decode(errors="replace").splitlines()[-count:]
        return "\n".join([f"Its log {log} ends with:", *(f"    {line}" for line in lines)])


class ProcessGroup:
    """Processes that end when their launcher does, also when it is killed, with all processes that they have started.

    Each has a process group of its own. A guard, which only waits for the launcher to end, ends those that are left.

    Arguments:
        grace: seconds that a process has to end after SIGTERM, before SIGKILL.
    """

    def __init__(self, grace: float = GRACE) -> None:
        self.grace = grace
        self._running: list[Member] = []
        self._guard: Any = None

    def __enter__(self) -> ProcessGroup:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """End all processes, and the guard."""
        self.stop()
        if self._guard is not None:
            self._guard.stdin.close()
            self._guard.wait()
            self._guard = None

    @property
    def running(self) -> list[Member]:
        """The processes that have not ended, as far as `ended` has seen."""
        return list(self._running)

    def start(self, task: Task, command: Sequence[str], env: Mapping[str, str], append: bool = False) -> Member:
        """Start a process.

        Arguments:
            task: what it is.
            command, env: what it runs, and its environment, to which the task adds its own variables.
            append: keep what its log holds.
        """
        sys.stdout.flush()
        offset, output, log = 0, None, task.log
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
            output = open(log, "ab" if append else "wb")  # noqa: SIM115 - closed below
            offset = output.tell()
        try:
            process = self._spawn(list(command), {**env, **task.variables}, output)
        finally:
            if output is not None:
                output.close()
        member = Member(task, process, offset)
        self._running.append(member)
        return member

    def _spawn(self, command: list[str], env: dict[str, str], output: Any) -> subprocess.Popen:
        errors = None if output is None else subprocess.STDOUT
        if os.name == "nt":
            return subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        if self._guard is None:
            watch = [sys.executable, "-S", "-E", guard.__file__, str(self.grace)]
            self._guard = subprocess.Popen(watch, stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
        command = ["/bin/sh", "-c", _REGISTERED, "sh", *command]
        stdin = self._guard.stdin
        return subprocess.Popen(command, env=env, stdin=stdin, stdout=output, stderr=errors, start_new_session=True)

    def ended(self) -> list[Member]:
        """Return the processes that have ended since the last call; end what they have left behind."""
        gone = [member for member in self._running if member.process.poll() is not None]
        for member in gone:
            self._running.remove(member)
            self._signal(member, "SIGKILL")
            if self._guard is not None:
                with contextlib.suppress(OSError):  # the guard was killed: then nothing has to be told
                    self._guard.stdin.write(f"-{member.process.pid}\n".encode())
        return gone

    def wait(self, seconds: float) -> list[Member]:
        """Wait until a process ends, at most some seconds; return those that have ended."""
        until = time.monotonic() + seconds
        while not (gone := self.ended()) and self._running and time.monotonic() < until:
            time.sleep(POLL)
        return gone

    def stop(self) -> None:
        """End all processes: ask them to, and kill those that have not ended in time."""
        for name in ("SIGTERM", "SIGKILL"):
            for member in self._running:
                self._signal(member, name)
            until = time.monotonic() + self.grace
            while self._running and time.monotonic() < until:
                self.wait(until - time.monotonic())

    @staticmethod
    def _signal(member: Member, name: str) -> None:
        """Send a signal to a process and all that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                member.process.terminate()
            else:
                os.killpg(member.process.pid, getattr(signal, name))
