"""Locks on folders and files that the operating system drops when their process ends, however it ends."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator

if sys.platform == "win32":
    import msvcrt

    def _try(fd: int, shared: bool) -> bool:
        """Lock an open file, if that needs no waiting. Windows has no shared locks here: one process at a time."""
        with contextlib.suppress(OSError):
            os.lseek(fd, 0, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            return True
        return False

    def _wait(fd: int, shared: bool) -> None:
        while not _try(fd, shared):
            time.sleep(0.02)

else:
    import fcntl

    def _try(fd: int, shared: bool) -> bool:
        """Lock an open file or folder, if that needs no waiting."""
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait(fd: int, shared: bool) -> None:
        fcntl.flock(fd, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)


def try_lock(fd: int) -> bool:
    """Lock an open file, and return whether nobody else has it locked. Closing the file drops the lock."""
    return _try(fd, shared=False)


@contextlib.contextmanager
def folder_lock(folder: str, *, shared: bool = False) -> Iterator[None]:
    """Lock a folder for the block, and wait until no other holder excludes it.

    The lock binds only processes and threads that ask for it, too. It leaves no file in the folder. Where a file system locks
    no folders (Windows, some network shares), a file in the folder for temporary files stands for it, which binds the
    processes of one user on one machine.

    Arguments:
        folder: a folder that exists.
        shared: whether others may hold it at the same time if they share it, too.
    """
    fd = _locked_folder(folder, shared)
    if fd is None:
        fd = os.open(_stand_in(folder), os.O_RDWR | os.O_CREAT, 0o600)
        _wait(fd, shared)
    _held.add(fd)
    try:
        yield
    finally:
        if fd in _held:  # not in a process that was forked inside of the block
            _held.remove(fd)
            os.close(fd)


_held: set[int] = set()
"""The descriptors of the locks that this process holds."""


def _leave_locks() -> None:
    """Close the locks of the parent, which a forked process would keep for it, even beyond its end."""
    for fd in _held:
        os.close(fd)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_locks)


def _locked_folder(folder: str, shared: bool) -> int | None:
    """Return a descriptor of the locked folder; None where the file system does not lock folders."""
    if sys.platform == "win32":
        return None
    fd = os.open(folder, os.O_RDONLY)
    try:
        _wait(fd, shared)
    except OSError:
        os.close(fd)
        return None
    except BaseException:
        os.close(fd)
        raise
    return fd


def _stand_in(folder: str) -> str:
    """Return the path of the file that stands for a folder that cannot be locked itself."""
    digest = hashlib.blake2b(os.path.realpath(folder).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return os.path.join(tempfile.gettempdir(), f"paddle_lite-{digest}.lock")
