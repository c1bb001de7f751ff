"""Processes that a program starts itself: errors about those that died, and what is done when this one ends.

The loaders of paddle_lite end their threads and processes themselves and need none of this. Programs that start processes of
their own, as PaddlePaddle's loaders do, call it by these names.
"""

from __future__ import annotations

import atexit
import os
import queue
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from ....core.errors import ArgumentTypeError, DeviceError, describe, message

multiprocess_queue_set: set[Any] = set()
"""Queues between processes, which `_cleanup` empties."""

_children: dict[int, tuple[int, ...]] = {}  # the owner's number -> the ids of its processes


class CleanupFuncRegistrar:
    """Registers functions that are called once when this process ends, by itself or by a signal."""

    _executed_func_set: set[Callable] = set()
    _registered_func_set: set[Callable] = set()

    @classmethod
    def register(cls, function: Callable[[], None], signals: Iterable[int] = ()) -> None:
        """Call a function when this process ends, or when one of the signals arrives, which then ends it.

        Arguments:
            function: a function without arguments.
            signals: signals. SIGINT ends the process by KeyboardInterrupt, any other by SystemExit with its number. Earlier
                handlers of these signals are replaced. Only the main thread may pass signals.

        Raises:
            ArgumentTypeError: `function` is not callable.
            ValueError: there is no such signal.
        """
        if not callable(function):
            needs = f"a function: {function!r} is not callable"
            raise ArgumentTypeError(message("CleanupFuncRegistrar.register", "function", describe(function), needs))

        def once() -> None:
            if function not in cls._executed_func_set:
                cls._executed_func_set.add(function)
                function()

        def handle(number: int, frame: Any) -> None:
            once()
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            sys.exit(number)

        for number in signals:
            signal.signal(number, handle)
        if function not in cls._registered_func_set:
            cls._registered_func_set.add(function)
            atexit.register(once)


def _cleanup() -> None:
    """Empty the queues in `multiprocess_queue_set`, so that the processes that write into them can end."""
    for each in list(multiprocess_queue_set):
        with suppress(queue.Empty, OSError, ValueError):  # closed queues, too
            while True:
                each.get_nowait()
    multiprocess_queue_set.clear()


def _set_process_pids(owner: int, pids: Iterable[int]) -> None:
    """Watch child processes with `_throw_error_if_process_failed`.

    Arguments:
        owner: a number for them, such as the `id` of the object that has started them.
        pids: their process ids.

    Raises:
        ArgumentTypeError: `owner` is no int, or `pids` are not ints.
    """
    found = tuple(pids)
    if not isinstance(owner, int) or not all(isinstance(pid, int) for pid in found):
        got = f"{describe(owner)} and {describe(pids)}"
        raise ArgumentTypeError(message("core._set_process_pids", "owner and pids", got, "an int and a tuple of ints"))
    _children.setdefault(owner, found)


def _erase_process_pids(owner: int) -> None:
    """Stop watching the processes of an owner."""
    _children.pop(owner, None)


def _throw_error_if_process_failed() -> None:
    """Raise if a watched child process has failed: has ended with another status than 0, or was killed.

    Raises:
        DeviceError: it names the process, and its exit code or signal.
    """
    for owner, pids in list(_children.items()):
        for pid in pids:
            failure = _failure_of(pid)
            if failure:
                _erase_process_pids(owner)
                raise DeviceError(f"FatalError: DataLoader process (pid {pid}) {failure}")


def _failure_of(pid: int) -> str:
    """Return how a child process has failed; "" if it runs, has ended well, or is not a child."""
    try:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return ""
    if ended is None or (ended.si_code == os.CLD_EXITED and ended.si_status == 0):
        return ""
    if ended.si_code == os.CLD_EXITED:
        return f"exited unexpectedly with code {ended.si_status}. Run it in one process for the trace of its error."
    name = signal.strsignal(ended.si_status)
    if ended.si_status == signal.SIGBUS:
        fix = "It may lack shared memory: see `df -h /dev/shm`; pass smaller batches, or fewer at a time."
        return f"exited is killed by signal: {name}. {fix}"
    return f"exited is killed by signal: {name}."


def _set_process_signal_handler() -> None:
    """End this process, a child, with status 0 when it gets SIGTERM, which its parent sends at the end."""
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))


_handling = False


def has_SIGCHLD_handler() -> bool:
    """Return whether `_set_SIGCHLD_handler` has been called."""
    return _handling


def _set_SIGCHLD_handler() -> None:
    """Look for failed processes whenever a child ends; a handler that was there before is called, too."""
    global _handling
    _handling = True
    earlier = signal.getsignal(signal.SIGCHLD)

    def handle(number: int, frame: Any) -> None:
        _throw_error_if_process_failed()
        if callable(earlier):
            earlier(number, frame)

    signal.signal(signal.SIGCHLD, handle)


def _cleanup_mmap_fds() -> None:
    """Do nothing: no memory is shared by file descriptors."""


class ParentWatchDog:
    """Tells a process whether the one that started it still runs."""

    def __init__(self) -> None:
        self._parent_pid = os.getppid()
        self._parent_alive = True

    def is_alive(self) -> bool:
        """Return whether the parent still runs; once it does not, never again."""
        self._parent_alive = self._parent_alive and os.getppid() == self._parent_pid
        return self._parent_alive
