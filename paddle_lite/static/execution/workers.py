"""Threads that work on one task together: the first error ends them all, and so does Ctrl-C."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from ...core.threads.contexts import with_this_context

__all__ = ["run_together"]

_TURN = 0.2  # seconds between two looks at the threads; a wait without a limit does not see Ctrl-C on every system
_GRACE = 30.0  # seconds that the threads have to end after an interrupt


def run_together(
    tasks: Sequence[Callable[[], None]], stop: Callable[[], None], name: str = "paddle_lite worker"
) -> None:
    """Run each task in a thread, one task alone in the calling thread, and wait until all have ended.

    They run with what the guards around the call have set.

    Arguments:
        tasks: functions without arguments.
        stop: a function that makes the tasks end soon. It is called, by any thread, when a task raises an error or
            the waiting thread is interrupted; perhaps more than once.
        name: the name of the threads.

    Raises:
        BaseException: the first error of a task, or the interrupt.

    >>> done = []
    >>> run_together([lambda: done.append(1), lambda: done.append(2)], stop=lambda: None)
    >>> sorted(done)
    [1, 2]
    """
    if len(tasks) == 1:
        try:
            tasks[0]()
        except BaseException:
            stop()
            raise
        return
    errors: list[BaseException] = []

    def work(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:
            errors.append(error)
            stop()

    threads = [threading.Thread(target=with_this_context(work), args=(task,), name=name, daemon=True) for task in tasks]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                thread.join(_TURN)
    except BaseException:
        stop()
        with suppress(RuntimeError):  # a thread that was not started
            for thread in threads:
                thread.join(_GRACE)
        raise
    if errors:
        raise errors[0]
