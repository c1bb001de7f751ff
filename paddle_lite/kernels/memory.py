"""Settings of the host's memory allocator that keep freed arrays for reuse instead of returning them to the system.

By default the C library returns each freed array of more than 128 KB to the system, and the next array of that size costs
a page fault for every 4 KB: a third of the time of a small network. `keep_freed_memory` raises the two limits that control
this (malloc's M_MMAP_THRESHOLD and M_TRIM_THRESHOLD, see `man mallopt`).
"""

from __future__ import annotations

import ctypes
import os
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
LARGEST_KEPT = 32 << 20  # bytes of one array; the largest value that glibc accepts
KEPT_IN_ALL = 512 << 20

_done = False


def keep_freed_memory() -> bool:
    """Set glibc's limits once a process and return whether they are set; PADDLE_LITE_KEEP_MEMORY=0 keeps the defaults."""
    global _done
    if not _done and sys.platform == "linux" and os.environ.get("PADDLE_LITE_KEEP_MEMORY", "1") != "0":
        try:
            mallopt = ctypes.CDLL(None).mallopt
        except (AttributeError, OSError):  # another C library
            return False
        _done = bool(mallopt(_M_MMAP_THRESHOLD, LARGEST_KEPT)) and bool(mallopt(_M_TRIM_THRESHOLD, KEPT_IN_ALL))
    return _done
