"""Compiled kernels on disk, each file named by everything that its machine code depends on.

One file holds one kernel for one signature, so that nothing is ever updated in place: a file is written aside and moved
to its name, and processes that compile the same kernel at the same time write the same file. A damaged or unreadable
file is compiled anew, a directory that cannot be written means that new kernels live in memory only. Files are
programs: those of another user are not read, unless it is the system's own.
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
from importlib import metadata
from typing import Any, NamedTuple

from paddle_lite.core.atomic import atomic_file
from paddle_lite.core.paths import cache_dir
from paddle_lite.version import own_version

__all__ = ["Contents", "KernelCache", "clear", "content_key", "contents", "counts", "directory", "made_by"]

MAGIC = b"paddle_lite kernel 2\n"  # then a line that says what made it, a digest, and what the digest is of
SUFFIX, UNFINISHED = ".kernel", ".part"
MOST_FILES = 4096  # the least recently used ones above this are removed
LONGEST_WRITE = 3600  # seconds after which an unfinished file belongs to a process that has died
COMPILING = (
    "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_DISABLE_INTEL_SVML", "NUMBA_LLVM_REFPRUNE_PASS",
    "NUMBA_LOOP_VECTORIZE", "NUMBA_OPT", "NUMBA_SLP_VECTORIZE",
)  # fmt: skip  # variables that change the machine code; those for the processor change what LLVM says of it
counts: Counter[str] = Counter()  # kernels that this process "loaded" from the disk, and "compiled"
_trimmed: set[str] = set()  # directories that this process has looked through


def content_key(contents: Iterable[object]) -> str:
    """Return a digest of what a kernel is made of and of the versions of what compiles it."""
    versions: list[object] = [own_version, sys.version_info[:3], sys.platform]
    versions += [importlib.import_module(name).__version__ for name in ("numba", "llvmlite", "numpy")]
    versions += [(name, os.environ[name]) for name in COMPILING if name in os.environ]
    digest = hashlib.sha256(repr(versions).encode())
    for part in contents:
        digest.update(repr(part).encode() + b"\0")
    return digest.hexdigest()


@functools.cache
def made_by() -> str:
    """Return the versions of what makes kernels now, as each file says it."""
    versions = {"paddle_lite": own_version, "Python": platform.python_version()}
    versions |= {name: metadata.version(name) for name in ("numba", "numpy")}
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def directory() -> str | None:
    """Where this process keeps kernels; None for one that keeps none."""
    return None if os.environ.get("PADDLE_LITE_KERNEL_CACHE") == "0" else cache_dir("kernels")


class KernelCache:
    """The overloads of one kernel on disk, in the shape that a Numba dispatcher asks for."""

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        self.cache_path = directory()

    def path(self, signature: object, codegen: Any) -> str | None:
        """Return the file for a signature on this processor, or None where nothing is kept."""
        if self.cache_path is None:
            return None
        digest = hashlib.sha256(repr((self.key, signature, codegen.magic_tuple())).encode()).hexdigest()
        return os.path.join(self.cache_path, f"{self.name}-{digest[:40]}.kernel")

    def load_overload(self, signature: object, target_context: Any) -> Any:
        """Return the compiled overload, or None if it has to be compiled."""
        target_context.refresh()
        path = self.path(signature, target_context.codegen())
        payload = _read(path) if path else None
        if payload is None:
            return None
        counts["loaded"] += 1
        compiler = importlib.import_module("numba.core.compiler")
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, signature: object, result: Any) -> None:
        """Keep a compiled overload, unless its code holds addresses of this process."""
        counts["compiled"] += 1
        path = self.path(signature, result.library.codegen)
        if path is None or result.lifted or result.library.has_dynamic_globals:
            return
        payload = importlib.import_module("numba.core.serialize").dumps(result._reduce())
        with contextlib.suppress(OSError):
            _write(path, payload)

    def flush(self) -> None:
        """Nothing to forget: a file's name says what it holds."""

    enable = disable = flush


def _read(path: str) -> bytes | None:
    """Return the payload of a file, or None if there is none, it is damaged, or another user may have written it."""
    try:
        with open(path, "rb") as file:
            if not _trusted(os.fstat(file.fileno())):
                return None
            header, _, digest, payload = file.read(len(MAGIC)), file.readline(), file.read(32), file.read()
    except OSError:
        return None
    with contextlib.suppress(OSError):  # where the directory is for reading only
        os.utime(path)  # marks it as used
    return payload if header == MAGIC and digest == hashlib.sha256(payload).digest() else None


def _trusted(status: os.stat_result) -> bool:
    """Return whether only this user, or the system's own, can have written a file."""
    if not hasattr(os, "getuid"):  # Windows keeps the directory to its user
        return True
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o002


def _write(path: str, payload: bytes) -> None:
    """Write a file so that another process sees all of it or nothing."""
    place = os.path.dirname(path)
    os.makedirs(place, mode=0o700, exist_ok=True)
    _trim(place)
    with atomic_file(path) as file:
        file.write(MAGIC + made_by().encode() + b"\n" + hashlib.sha256(payload).digest() + payload)


def _trim(place: str) -> None:
    """Remove the files that were not used for longest, once a process, where there are too many."""
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
    """Return the kernels in a directory, and what processes that have died left unfinished.

    Other files are not ours.
    """
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
    """What made a file, as it says itself; "" for one that is damaged, unfinished, or of an older form."""
    try:
        with open(path, "rb") as file:
            return file.readline(1000).decode().strip() if file.read(len(MAGIC)) == MAGIC else ""
    except (OSError, UnicodeDecodeError):
        return ""


class Contents(NamedTuple):
    """Files in the cache that one set of versions has made.

    maker: the versions; "" for files that do not say. files: how many. bytes: in all. used: when one was used last, in
    seconds since the epoch.
    """

    maker: str
    files: int
    bytes: int
    used: float


def contents() -> list[Contents]:
    """What the cache holds, by what has made it, the last used first."""
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
    """Remove the kernels from the disk. Processes that run keep theirs; the next ones compile anew.

    Args:
        others_only: leave those that this version, with the Numba, NumPy and Python it runs with, has made.

    Returns:
        How many files were removed, and their bytes.

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
