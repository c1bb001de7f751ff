"""Compiled kernels on disk, each file named by everything that its machine code depends on.

One file holds one kernel for one signature, so that nothing is ever updated in place: a file is written aside and moved
to its name, and processes that compile the same kernel at the same time write the same file. A damaged or unreadable
file is compiled anew, a directory that cannot be written means that kernels live in memory only.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import pickle
import sys
from collections.abc import Iterable
from typing import Any

from paddle_lite.core.atomic import atomic_file
from paddle_lite.core.paths import cache_dir
from paddle_lite.version import own_version

__all__ = ["KernelCache", "content_key"]

MAGIC = b"paddle_lite kernel 1\n"
MOST_FILES = 4096  # the least recently used ones above this are removed
_trimmed: set[str] = set()  # directories that this process has looked through


def content_key(contents: Iterable[object]) -> str:
    """A digest of what a kernel is made of and of the versions of what compiles it."""
    versions: list[object] = [own_version, sys.version_info[:3], sys.platform]
    versions += [importlib.import_module(name).__version__ for name in ("numba", "llvmlite", "numpy")]
    digest = hashlib.sha256(repr(versions).encode())
    for part in contents:
        digest.update(repr(part).encode() + b"\0")
    return digest.hexdigest()


class KernelCache:
    """The overloads of one kernel on disk, in the shape that a Numba dispatcher asks for."""

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        self.cache_path = None if os.environ.get("PADDLE_LITE_KERNEL_CACHE") == "0" else cache_dir("kernels")

    def path(self, signature: object, codegen: Any) -> str | None:
        """The file for a signature on this processor, or None where nothing is kept."""
        if self.cache_path is None:
            return None
        digest = hashlib.sha256(repr((self.key, signature, codegen.magic_tuple())).encode()).hexdigest()
        return os.path.join(self.cache_path, f"{self.name}-{digest[:40]}.kernel")

    def load_overload(self, signature: object, target_context: Any) -> Any:
        """The compiled overload, or None if it has to be compiled."""
        target_context.refresh()
        path = self.path(signature, target_context.codegen())
        payload = _read(path) if path else None
        if payload is None:
            return None
        compiler = importlib.import_module("numba.core.compiler")
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, signature: object, result: Any) -> None:
        """Keep a compiled overload, unless its code holds addresses of this process."""
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
    """The payload of a file, or None if there is none or it is damaged."""
    try:
        with open(path, "rb") as file:
            header, digest, payload = file.read(len(MAGIC)), file.read(32), file.read()
        os.utime(path)  # marks it as used
    except OSError:
        return None
    return payload if header == MAGIC and digest == hashlib.sha256(payload).digest() else None


def _write(path: str, payload: bytes) -> None:
    """Write a file so that another process sees all of it or nothing."""
    directory = os.path.dirname(path)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    _trim(directory)
    with atomic_file(path) as file:
        file.write(MAGIC + hashlib.sha256(payload).digest() + payload)


def _trim(directory: str) -> None:
    """Remove the files that were not used for longest, once a process, where there are too many."""
    if directory in _trimmed:
        return
    _trimmed.add(directory)
    files = list(os.scandir(directory))
    if len(files) > MOST_FILES:
        files.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in files[: len(files) - MOST_FILES // 2]:
            with contextlib.suppress(OSError):
                os.unlink(entry.path)
