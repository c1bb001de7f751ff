"""The threads in which parts of loops run: those of compiled kernels without Python, those of Python functions from a queue."""

from __future__ import annotations

import atexit
import contextlib
import threading
import weakref
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any

from ..core.threads.cores import core, leave_core

__all__ = ["Pool"]


class _Job:
    """A part of a loop: `kernel(*part)`, which whoever is free first runs."""

    __slots__ = ("done", "error", "kernel", "part")

    def __init__(self, kernel: Callable, part: Sequence[Any]) -> None:
        self.kernel, self.part = kernel, part
        self.error: BaseException | None = None
        self.done = threading.Lock()
        self.done.acquire()

    def run(self) -> None:
        """Run the part, and let those that wait for it go on."""
        try:
            self.kernel(*self.part)
        except BaseException as error:  # the caller raises it
            self.error = error
        finally:
            self.done.release()


class Pool:
    """Threads that wait for jobs.

    Arguments:
        count: their number.
    """

    def __init__(self, count: int) -> None:
        from .team import Team, native  # not above: kernels know this module's user, `threads`

        self.jobs: SimpleQueue[_Job | int | None] = SimpleQueue()
        self.team = Team(count + 1) if native() else None
        self.resting = list(range(1, count + 1))  # the numbers of threads that do not serve the team
        self.threads = [
            threading.Thread(
                target=_work, args=(self.jobs, self.team, self.resting), name="paddle_lite kernel", daemon=True
            )
            for _ in range(count)
        ]
        for thread in self.threads:
            thread.start()
        _pools.add(self)

    def call(self, kernel: Any, args: Sequence[Any], masks: int, length: int, *, wake: bool) -> bool:
        """Call a compiled kernel that all threads share, as `Team.call`; return False if all others rest.

        wake: whether there is enough work to wake those that rest.
        """
        team, resting = self.team, self.resting
        if team is None or (not wake and len(resting) == len(self.threads)):
            return False
        if resting and wake:
            team.welcome()
            team.core = core()
            while resting:
                self.jobs.put(resting.pop())
        team.call(kernel, args, masks, length)
        return True

    def run(self, kernel: Callable, parts: Sequence[Sequence[Any]]) -> None:
        """Call kernel(*part) for each part; the calling thread takes parts, too, until none is left.

        So it never waits for a thread that the system has not woken yet. Raises the error of the first part that has one.
        """
        if self.team is not None:
            self.team.dismiss()
        jobs = [_Job(kernel, part) for part in parts]
        for job in jobs[1:]:
            self.jobs.put(job)
        jobs[0].run()
        with contextlib.suppress(Empty):
            while (left := self.jobs.get_nowait()) is not None:
                if isinstance(left, int):
                    self.resting.append(left)  # it has nothing to serve any more
                else:
                    left.run()
        for job in jobs[1:]:
            job.done.acquire()
        for job in jobs:
            if job.error is not None:
                raise job.error

    def close(self) -> None:
        """Let the threads end."""
        if self.team is not None:
            self.team.dismiss()
        for _ in self.threads:
            self.jobs.put(None)


def _work(jobs: SimpleQueue[_Job | int | None], team: Any, resting: list[int]) -> None:
    """Run jobs until there is a None; a number says to serve the team under it."""
    while (job := jobs.get()) is not None:
        if isinstance(job, int):
            leave_core(team.core)
            team.serve(job)
            resting.append(job)
        else:
            job.run()
        del job  # it holds arrays


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


@atexit.register
def _close() -> None:
    """End all threads, so that none runs a kernel while Python takes itself apart."""
    for pool in list(_pools):
        pool.close()
        for thread in pool.threads:
            if thread.is_alive():  # those of the process that forked this one do not run here
                thread.join(1)
