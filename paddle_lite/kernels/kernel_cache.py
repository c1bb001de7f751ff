"""The on-disk cache of compiled kernels; each file name is a digest of all inputs of the compilation.

A file contains one kernel for one signature and is never updated: it is written to a temporary name and then renamed,
and processes that compile the same kernel at the same time write the same file. A damaged or unreadable file is ignored
and the kernel compiled again; if the directory is not writeable, new kernels stay in memory. Since the files are
executable code, files of other users are not read, except those of root.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import pickle
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from paddle_lite.core.atomic import atomic_file
from paddle_lite.core.paths import cache_dir
from paddle_lite.version import own_version

__all__ = ["Contents", "KernelCache", "clear", "content_key", "contents", "counts", "directory", "made_by"]

MAGIC = b"paddle_lite kernel 2\n"  # followed by a line with the versions, a digest, and the payload
SUFFIX, UNFINISHED = ".kernel", ".part"
MOST_FILES = 4096  # above this number the least recently used files are removed
LONGEST_WRITE = 3600  # seconds after which an unfinished file is assumed to belong to a dead process
COMPILING = (
    "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_DISABLE_INTEL_SVML", "NUMBA_LLVM_REFPRUNE_PASS",
    "NUMBA_LOOP_VECTORIZE", "NUMBA_OPT", "NUMBA_SLP_VECTORIZE",
)  # fmt: skip  # environment variables that change the machine code
counts: Counter[str] = Counter()  # the numbers of kernels that this process has "loaded" from disk and "compiled"
_trimmed: set[str] = set()  # the directories that this process has already trimmed


def content_key(contents: Iterable[object]) -> str:
    """Return a digest of a kernel's contents and of the versions of the compilers."""
    versions: list[object] = [own_version, sys.version_info[:3], sys.platform]
    versions += [importlib.import_module(name).__version__ for name in ("numba", "llvmlite", "numpy")]
    versions += [(name, os.environ[name]) for name in COMPILING if name in os.environ]
    digest = hashlib.sha256(repr(versions).encode())
    for part in contents:
        digest.update(repr(part).encode() + b"\0")
    return digest.hexdigest()


@functools.cache
def compiler_digest() -> str:
    """Return a digest of the source of our compiler and of the versions that object code depends on."""
    import numpy
    from llvmlite import __version__

    digest = hashlib.sha256(repr((sys.version_info[:2], sys.platform, numpy.__version__, __version__)).encode())
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compiler")
    for name in sorted(os.listdir(here)):
        if name.endswith(".py"):
            with open(os.path.join(here, name), "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()


def object_key(contents: Iterable[object]) -> str:
    """Return a digest of a kernel's contents."""
    digest = hashlib.sha256()
    for part in contents:
        digest.update(repr(part).encode() + b"\0")
    return digest.hexdigest()


def load_object(name: str, key: str) -> bytes | None:
    """Return object code from the cache; None if it is not there."""
    path = _object_path(name, key)
    code = _read(path) if path else None
    counts["loaded"] += code is not None
    return code


def save_object(name: str, key: str, code: bytes) -> None:
    """Keep object code in the cache."""
    counts["compiled"] += 1
    path = _object_path(name, key)
    if path is not None:
        with contextlib.suppress(OSError):
            _write(path, code)


def _object_path(name: str, key: str) -> str | None:
    place = directory()
    return (
        None
        if place is None
        else os.path.join(place, f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:40]}{SUFFIX}")
    )


@functools.cache
def made_by() -> str:
    """Return the versions of the packages that compile kernels, as each file states them."""
    from importlib import metadata  # not above: importing it takes as long as loading several kernels

    versions = {"paddle_lite": own_version, "Python": platform.python_version()}
    versions |= {name: metadata.version(name) for name in ("numba", "numpy")}
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def directory() -> str | None:
    """Return the cache directory, or None if the cache is off."""
    return None if os.environ.get("PADDLE_LITE_KERNEL_CACHE") == "0" else cache_dir("kernels")


class KernelCache:
    """The overloads of one kernel on disk, with the interface that a Numba dispatcher expects."""

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        self.cache_path = directory()

    def path(self, signature: object, codegen: Any) -> str | None:
        """Return the file for a signature on this processor, or None if the cache is off."""
        if self.cache_path is None:
            return None
        digest = hashlib.sha256(repr((self.key, signature, codegen.magic_tuple())).encode()).hexdigest()
        return os.path.join(self.cache_path, f"{self.name}-{digest[:40]}.kernel")

    def load_overload(self, signature: object, target_context: Any) -> Any:
        """Return the compiled overload, or None if it is not in the cache."""
        target_context.refresh()
        path = self.path(signature, target_context.codegen())
        payload = _read(path) if path else None
        if payload is None:
            return None
        counts["loaded"] += 1
        compiler = importlib.import_module("numba.core.compiler")
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, signature: object, result: Any) -> None:
        """Write a compiled overload to disk, unless its code contains addresses of this process."""
        counts["compiled"] += 1
        path = self.path(signature, result.library.codegen)
        if path is None or result.lifted or result.library.has_dynamic_globals:
            return
        payload = importlib.import_module("numba.core.serialize").dumps(result._reduce())
        with contextlib.suppress(OSError):
            _write(path, payload)

    def flush(self) -> None:
        """Do nothing: files never become outdated, since their names are digests of their contents."""

    enable = disable = flush


def _read(path: str) -> bytes | None:
    """Return the payload of a file, or None if it is missing, damaged, or possibly written by another user."""
    try:
        with open(path, "rb") as file:
            if not _trusted(os.fstat(file.fileno())):
                return None
            header, _, digest, payload = file.read(len(MAGIC)), file.readline(), file.read(32), file.read()
    except OSError:
        return None
    with contextlib.suppress(OSError):  # the directory may be read-only
        os.utime(path)  # mark the file as used
    return payload if header == MAGIC and digest == hashlib.sha256(payload).digest() else None


def _trusted(status: os.stat_result) -> bool:
    """Return whether only this user, or root, can have written a file."""
    if not hasattr(os, "getuid"):  # on Windows the directory is private to its user
        return True
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o002


def _write(path: str, payload: bytes) -> None:
    """Write a file atomically."""
    place = os.path.dirname(path)
    os.makedirs(place, mode=0o700, exist_ok=True)
    _trim(place)
    with atomic_file(path) as file:
        file.write(MAGIC + made_by().encode() + b"\n" + hashlib.sha256(payload).digest() + payload)


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
                if entry.name.endswith(SUFFIX) or (dead and f"{SUFFIX}." in entry.name):
                    found.append(_File(entry.path, status.st_size, status.st_mtime))
    return found


def _maker(path: str) -> str:
    """Return the versions that a file states; "" for one that is damaged, unfinished, or of an older format."""
    try:
        with open(path, "rb") as file:
            return file.readline(1000).decode().strip() if file.read(len(MAGIC)) == MAGIC else ""
    except (OSError, UnicodeDecodeError):
        return ""


class Contents(NamedTuple):
    """The files in the cache that were made with one set of versions.

    maker: the versions; "" for files that do not state them. files: their number. bytes: their total size. used: the time of
    the last use, in seconds since the epoch.
    """

    maker: str
    files: int
    bytes: int
    used: float


def contents() -> list[Contents]:
    """Return the contents of the cache grouped by versions, the most recently used first."""
    place = cache_dir("kernels")
    groups: dict[str, list[_File]] = {}
    for file in _files(place) if place else ():
        groups.setdefault(_maker(file.path), []).append(file)
    found = [
        Contents(maker, len(files), sum(file.bytes for file in files), max(file.used for file in files))
        for maker, files in groups.items()
    ]
    return sorted(found, key=lambda group: -group.used)


def clear(others_only: bool = False) -> tuple[int, int]:
    """Remove the kernels from the disk. Running processes keep theirs; later processes compile again.

    Args:
        others_only: keep those that the present versions of paddle_lite, Numba, NumPy and Python have made.

    Returns:
        The number of files removed, and their total size in bytes.

    Raises:
        OSError: a file cannot be removed.
    """
    place = cache_dir("kernels")
    removed = freed = 0
    for file in _files(place) if place else ():
        if not others_only or _maker(file.path) != made_by():
            with contextlib.suppress(FileNotFoundError):  # another process was quicker
                os.unlink(file.path)
                removed, freed = removed + 1, freed + file.bytes
    return removed, freed
