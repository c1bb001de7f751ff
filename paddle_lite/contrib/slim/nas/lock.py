"""Locks of files, for processes that share one."""

from __future__ import annotations

from typing import Any

__all__: list[str] = []

LOCK_EX, LOCK_UN = 2, 8
"""The operations of `fcntl.flock`."""


def lock(file: Any) -> None:
    """Lock an open file; wait while another process has locked it."""
    import fcntl

    fcntl.flock(file, fcntl.LOCK_EX)


def unlock(file: Any) -> None:
    """Unlock a file that `lock` has locked."""
    import fcntl

    fcntl.flock(file, fcntl.LOCK_UN)
