"""Locks that a fork waits for, so that the child finds them free."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["hold_while_forking"]

_locks: list[Any] = []  # in the order in which threads acquire them
_taken: list[Any] = []  # the locks held by the forking thread


def hold_while_forking(lock: Any) -> None:
    """Make fork() wait until `lock` is free, so that in the child it is not held by a thread that does not exist there.

    Of locks that a thread holds at the same time, register first the one that it acquires first.
    """
    _locks.append(lock)


def _before_fork() -> None:
    locks = _locks[:]
    for lock in locks:
        lock.acquire()
    _taken[:] = locks


def _after_fork() -> None:
    locks = _taken[::-1]
    for lock in locks:
        lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
