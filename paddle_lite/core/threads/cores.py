"""Which core a thread runs on, and how it gets away from another thread's.

Linux may wake a thread on the core of the thread that woke it, although another core is idle, and leaves it there as long as it
sleeps again soon: then two threads that share a call take turns on one core.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Callable

__all__ = ["core", "leave_core"]


def core() -> int:
    """Return the number of the core that the calling thread runs on; -1 where the system does not say.

    >>> core() >= -1
    True
    """
    ask = _asked()
    return -1 if ask is None else ask()


def leave_core(other: int) -> None:
    """Move the calling thread to another core than `other` if it runs there and may run elsewhere; later it may run anywhere again."""
    if other < 0 or core() != other:
        return
    allowed = os.sched_getaffinity(0)
    if len(allowed) > 1:
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            os.sched_setaffinity(0, allowed - {other})
            os.sched_setaffinity(0, allowed)


@functools.cache
def _asked() -> Callable[[], int] | None:
    """Return the C library's function; None where it has none, or where threads cannot choose their cores."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    return getattr(ctypes.CDLL(None), "sched_getcpu", None)
