"""Running the processes of a job to their end, and restarting them after a failure."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from ..environment import OF_STARTERS, RESTARTS
from .group import Member, ProcessGroup, Task

PROXIES = {"http_proxy", "https_proxy"}


class Ended(Exception):
    """The launcher was asked to end, by a signal with this number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"signal {number}")
        self.number = number


def python(script: str, arguments: Sequence[str]) -> list[str]:
    """Return the command that runs a script, with `import paddle` meaning paddle_lite."""
    return [sys.executable, "-u", "-m", "paddle_lite", "run", script, *arguments]


def environment(restart: int = 0) -> dict[str, str]:
    """Return the environment of this process for those that it starts, with the number of the restart.

    Proxies are left out, for no process of a job is reached through them, and so is what tells this process that it is a task of srun
    or mpiexec.
    """
    kept = {name: value for name, value in os.environ.items() if name not in OF_STARTERS | PROXIES}
    return {**kept, RESTARTS: str(restart)}


@contextmanager
def signals() -> Iterator[None]:
    """Raise Ended in this block where the process is asked to end."""

    def stop(number: int, _: Any) -> NoReturn:
        raise Ended(number)

    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), stop) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def run(
    tasks: Callable[[], Sequence[Task]], command: Sequence[str], restarts: int, logger: logging.Logger,
    linger: float | None = None,
) -> int:  # fmt: skip
    """Run a job until its workers have ended; where a process fails, end the others, and start all again.

    Arguments:
        tasks: returns the processes; it is called at each start, for ports may be taken meanwhile.
        command: what each of them runs.
        restarts: how often the job is started again.
        logger: takes the messages.
        linger: seconds that servers have to end after the last worker; None: the job has no servers.

    Returns:
        The exit status: 0, 1 after a failure, 128 and the number of the signal that ended it.
    """
    try:
        with signals():
            for restart in range(restarts + 1):
                with ProcessGroup() as group:
                    planned = list(tasks())
                    for task in planned:
                        group.start(task, command, environment(restart), append=restart > 0)
                    failed = _watch(group, linger)
                    group.stop()
                if failed is None:
                    return 0
                logger.error(report(failed, len(planned)))
                if restart < restarts:
                    logger.info("start the job again: restart %d of %d", restart + 1, restarts)
            return 1
    except Ended as ended:
        logger.info("ended by signal %d, with all processes of the job", ended.number)
        return 128 + ended.number


def _watch(group: ProcessGroup, linger: float | None) -> Member | None:
    """Wait for the workers. Return a process that has failed, or None."""
    while any(member.task.kind == "worker" for member in group.running):
        for member in group.wait(1.0):
            if member.process.returncode != 0:
                return member
    if linger is not None:
        print("all workers exit, going to finish parameter server", file=sys.stderr, flush=True)
        until = time.monotonic() + linger
        while group.running and time.monotonic() < until:
            group.wait(until - time.monotonic())
        group.stop()
        print("all parameter server are killed", file=sys.stderr, flush=True)
    return None


def report(failed: Member, processes: int) -> str:
    """Print which process has failed, how, and where its log is."""
    task = failed.task
    first = (
        f"ABORT!!! Out of all {processes} processes, the {task.kind} process with rank=[{task.rank}] was aborted. "
        "Please check its log."
    )
    return f"{first}\n{task} {failed.how()}; the others were ended. {failed.last_lines()}"
