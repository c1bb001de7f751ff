"""Locks that a fork waits for, so that the child finds them free, and what they guard whole."""

from __future__ import annotations

import _imp
import os
import threading
import time
from importlib import _bootstrap
from types import SimpleNamespace
from typing import Any

__all__ = ["KERNELS", "LEAVES", "LLVM", "PLANS", "hold_while_forking"]

PLANS, KERNELS, LLVM, LEAVES = range(4)
"""What a lock is held for, in the order in which a thread acquires several: a Plan is made, kernels are compiled, LLVM is called, a few
lines run."""

LONGEST_IMPORT = 10.0
"""The seconds for which a fork waits for modules that other threads import. One of them may wait for the forking thread."""

_IMPORTS = SimpleNamespace(acquire=_imp.acquire_lock, release=_imp.release_lock)
"""The lock with which a thread begins an import. fork() takes it, too, but lets other threads run while it waits for it."""

_locks: list[tuple[int, Any]] = []  # in the order in which threads acquire them
_taken: list[Any] = []  # the locks held by the forking thread


def hold_while_forking(lock: Any, level: int = KERNELS) -> None:
    """Make fork() wait until `lock` is free, so that in the child it is not held by a thread that does not exist there.

    No code of users may run while the lock is held, for that could wait for the thread that forks.

    Arguments:
        lock: the lock.
        level: when threads acquire it. Of one level, register that first which is acquired first.
    """
    _locks.append((level, lock))
    _locks.sort(key=lambda each: each[0])


def _importing() -> bool:
    """Return whether another thread imports a module, whose lock the child of a fork would find held."""
    here, locks = threading.get_ident(), (each() for each in list(getattr(_bootstrap, "_module_locks", {}).values()))
    return any(getattr(lock, "owner", None) not in (None, here) for lock in locks)


def _before_fork() -> None:
    end = time.monotonic() + LONGEST_IMPORT
    while True:
        while _importing() and time.monotonic() < end:
            time.sleep(0.001)
        for lock in [*(lock for _, lock in _locks), _IMPORTS]:
            lock.acquire()
            _taken.append(lock)  # one by one, for an interrupt ends the waiting, and then the fork goes on
        if not _importing() or time.monotonic() > end:
            return
        _release()  # an import that has begun in between may wait for one of them


def _release() -> None:
    locks = _taken[::-1]
    _taken.clear()
    for lock in locks:
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_release, after_in_child=_release)
