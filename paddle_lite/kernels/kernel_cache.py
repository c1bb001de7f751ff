"""The on-disk cache of compiled kernels; each file name is a digest of all inputs of the compilation.

There are two kinds of files: object files of our own compiler (`compiler/objects.py`), and the compiled forms of Numba
(`numba_cache.py`). Both begin with a line that says what made them and with a digest of their name and of the rest.

A file contains one kernel for one combination of argument types and is never updated: it is written to a temporary name
and then renamed, and processes that compile the same kernel at the same time write the same file. A damaged, renamed or
unreadable file is ignored and the kernel compiled again; if the directory is not writeable, new kernels stay in memory. Since the
files are executable code, files that another user may have written are not read, except those of root.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from paddle_lite.core.files.atomic import atomic_file
from paddle_lite.core.files.paths import cache_dir
from paddle_lite.version import own_version

__all__ = [
    "OBJECT", "OVERLOAD", "Contents", "clear", "contents", "counts", "digest_of", "directory", "file_name", "files_of", "load", "maker_of", "makers",
    "path_of", "payload_of", "read", "save", "versions", "write",
]  # fmt: skip

MAGIC = b"paddle_lite kernel 3\n"  # followed by a line that says what made the file, a digest, and the payload
OBJECT, OVERLOAD = ".kernel", ".numba"  # suffixes: object files, and the compiled forms of Numba
UNFINISHED = ".part"
MOST_FILES = 4096  # above this number the least recently used files are removed
LONGEST_WRITE = 3600  # seconds after which an unfinished file is assumed to belong to a dead process
USE = 3600  # seconds after which the time of the last use of a file is written again
OTHERS_WRITE = 0o022  # the bits of a file's mode that let other users write to it
counts: Counter[str] = Counter()  # the numbers of kernels that this process has "loaded" from disk and "compiled"
_trimmed: set[str] = set()  # the directories that this process has already trimmed


def directory() -> str | None:
    """Return the cache directory, or None if the cache is off."""
    return None if os.environ.get("PADDLE_LITE_KERNEL_CACHE") == "0" else cache_dir("kernels")


def path_of(name: str, key: str, suffix: str) -> str | None:
    """Return the file of a kernel, or None if the cache is off.

    Args:
        name: the name of the kernel, for readers of the directory.
        key: a text that stands for all inputs of the compilation.
        suffix: the kind of the file, OBJECT or OVERLOAD.
    """
    place = directory()
    return None if place is None else os.path.join(place, file_name(name, key, suffix))


def file_name(name: str, key: str, suffix: str) -> str:
    """Return the name of the file of a kernel; the arguments are those of `path_of`."""
    return f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:40]}{suffix}"


def read(path: str) -> bytes:
    """Return the content of a file; b"" if it is missing, no file, or possibly another user's. The file counts as used."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would be waited for
            return b""
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            content = file.read() if _trusted(status) else b""
    except OSError:
        return b""
    if content and time.time() - status.st_mtime > USE:
        with contextlib.suppress(OSError):  # the directory may be read-only
            os.utime(path)
    return content


def load(path: str | None, *, kernel: bool = True) -> bytes | None:
    """Return the payload of a file; None if the cache is off, or the file is missing, damaged, or possibly another user's.

    Only what is a `kernel` is counted.
    """
    payload = payload_of(os.path.basename(path), read(path)) if path else None
    if payload is not None and kernel:
        counts["loaded"] += 1
    return payload


def save(path: str | None, made_by: Callable[[], str], payload: bytes, *, kernel: bool = True) -> None:
    """Write what was newly compiled to its file, unless the cache is off or cannot be written to; only a `kernel` is counted."""
    counts["compiled"] += kernel
    if path is not None:
        with contextlib.suppress(OSError):
            write(path, MAGIC + made_by().encode() + b"\n" + _digest(os.path.basename(path), payload) + payload)


def _digest(name: str, payload: bytes) -> bytes:
    """Return the digest that a file of this name contains."""
    return hashlib.sha256(name.encode() + b"\0" + payload).digest()


def payload_of(name: str, content: bytes) -> bytes | None:
    """Return the payload of a file with this name and content; None if it is damaged, renamed or of another format."""
    start = content.find(b"\n", len(MAGIC)) + 1
    if not content.startswith(MAGIC) or not start:
        return None
    digest, payload = content[start : start + 32], content[start + 32 :]
    return payload if digest == _digest(name, payload) else None


def maker_of(content: bytes) -> str:
    """Return what a file with this beginning says that it was made by; "" for a file of another format."""
    if not content.startswith(MAGIC):
        return ""
    return content[len(MAGIC) :].partition(b"\n")[0].decode(errors="replace").strip()


def write(path: str, content: bytes) -> None:
    """Write a file of the cache atomically; only its owner may change it.

    Nothing waits for the disk, which can take longer than compiling the kernel: a file that a loss of power damages is noticed by its digest.

    Raises:
        OSError: it cannot be written.
    """
    place = os.path.dirname(path)
    os.makedirs(place, mode=0o700, exist_ok=True)
    _trim(place)
    with atomic_file(path, durable=False) as file:
        file.write(content)
        mode = os.fstat(file.fileno()).st_mode
        if mode & OTHERS_WRITE and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), mode & 0o7777 & ~OTHERS_WRITE)


def _trusted(status: os.stat_result) -> bool:
    """Return whether only this user, or root, can have written a file."""
    if not hasattr(os, "getuid"):  # on Windows the directory is private to its user
        return True
    return status.st_uid in (0, os.getuid()) and not status.st_mode & OTHERS_WRITE


def versions(**packages: str) -> str:
    """Return versions as text: of paddle_lite, of Python, and those given."""
    every = {"paddle_lite": own_version, "Python": "{}.{}.{}".format(*sys.version_info), **packages}
    return ", ".join(f"{name} {version}" for name, version in every.items())


def makers() -> list[str]:
    """Return what files say that this process makes, one text for each of the compilers that are installed."""
    from . import numba_cache  # not above: both import this module

    found = [numba_cache.made_by()]
    with contextlib.suppress(ImportError):  # llvmlite is not installed
        from .compiler import objects

        found.append(objects.made_by())
    return [maker for maker in found if maker]


def _trim(place: str) -> None:
    """Remove the least recently used files if there are too many; do so once a process."""
    if place in _trimmed:
        return
    _trimmed.add(place)
    files = _files(place)
    if len(files) > MOST_FILES:
        files.sort(key=lambda file: file.used)
        for file in files[: len(files) - MOST_FILES // 2]:
            with contextlib.suppress(OSError):
                os.unlink(file.path)


class _File(NamedTuple):
    path: str
    bytes: int
    used: float  # seconds since the epoch


def _files(place: str) -> list[_File]:
    """Return the kernel files and abandoned temporary files in a directory; other files are ignored."""
    found = []
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(place) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # another process has removed it meanwhile
                status = entry.stat(follow_symlinks=False)
                dead = entry.name.endswith(UNFINISHED) and time.time() - status.st_mtime > LONGEST_WRITE
                finished = entry.name.endswith((OBJECT, OVERLOAD))
                if not stat.S_ISREG(status.st_mode):
                    continue
                if finished or (dead and any(f"{suffix}." in entry.name for suffix in (OBJECT, OVERLOAD))):
                    found.append(_File(entry.path, status.st_size, status.st_mtime))
    return found


def files_of(made_by: str, suffix: str) -> list[str]:
    """Return the paths of the finished files of a kind that were made by this."""
    place = cache_dir("kernels")
    paths = sorted(file.path for file in _files(place)) if place else []
    return [path for path in paths if path.endswith(suffix) and _maker(path) == made_by]


def _maker(path: str) -> str:
    """Return what made a file; "" for one that is damaged, unfinished, or of another format."""
    try:
        with open(path, "rb") as file:
            return maker_of(file.read(1000))
    except OSError:
        return ""


class Contents(NamedTuple):
    """The files in the cache that were made with one set of versions for one processor.

    maker: the versions and the processor; "" for files that do not state them. files: their number. bytes: their total size.
    used: the time of the last use, in seconds since the epoch.
    """

    maker: str
    files: int
    bytes: int
    used: float


def contents() -> list[Contents]:
    """Return the contents of the cache grouped by what made them, the most recently used first."""
    place = cache_dir("kernels")
    groups: dict[str, list[_File]] = {}
    for file in _files(place) if place else ():
        groups.setdefault(_maker(file.path), []).append(file)
    found = [
        Contents(maker, len(files), sum(file.bytes for file in files), max(file.used for file in files))
        for maker, files in groups.items()
    ]
    return sorted(found, key=lambda group: -group.used)


def clear(keep: Collection[str] = ()) -> tuple[int, int]:
    """Remove the kernels from the disk. Running processes keep theirs; later processes compile again.

    Args:
        keep: leave the files that were made by one of these.

    Returns:
        The number of files removed, and their total size in bytes.

    Raises:
        OSError: a file cannot be removed.
    """
    place = cache_dir("kernels")
    removed = freed = 0
    for file in _files(place) if place else ():
        if not keep or _maker(file.path) not in keep:
            with contextlib.suppress(FileNotFoundError):  # another process was quicker
                os.unlink(file.path)
                removed, freed = removed + 1, freed + file.bytes
    return removed, freed


def digest_of(parts: Iterable[object]) -> str:
    """Return a digest of objects whose repr is the same in every process."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(repr(part).encode() + b"\0")
    return digest.hexdigest()
