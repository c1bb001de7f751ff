"""The compiled forms of Numba on disk: pickled overloads of dispatchers, in files of the cache of kernels."""

from __future__ import annotations

import importlib
import os
import pickle
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from paddle_lite.version import own_version

from . import kernel_cache

__all__ = ["NumbaCache", "content_key", "made_by"]

COMPILING = (
    "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_DISABLE_INTEL_SVML", "NUMBA_LLVM_REFPRUNE_PASS",
    "NUMBA_LOOP_VECTORIZE", "NUMBA_OPT", "NUMBA_SLP_VECTORIZE",
)  # fmt: skip  # environment variables that change the machine code


def content_key(contents: Iterable[object]) -> str:
    """Return a digest of a kernel's contents and of all that Numba's machine code depends on, but for the processor."""
    versions: list[object] = [own_version, sys.version_info[:3], sys.platform, np.__version__]
    versions += [importlib.import_module(name).__version__ for name in ("numba", "llvmlite")]
    versions += [(name, os.environ[name]) for name in COMPILING if name in os.environ]
    return kernel_cache.digest_of([versions, *contents])


def made_by() -> str:
    """Return the versions that files of Numba state; "" if Numba is not installed."""
    from importlib import metadata  # not above: importing it takes as long as loading several kernels

    try:
        return kernel_cache.versions(numpy=np.__version__, numba=metadata.version("numba"))
    except metadata.PackageNotFoundError:
        return ""


class NumbaCache:
    """The overloads of one kernel on disk, with the interface that a Numba dispatcher expects."""

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        self.cache_path = kernel_cache.directory()

    def path(self, signature: object, codegen: Any) -> str | None:
        """Return the file for a signature on this processor, or None if the cache is off."""
        key = repr((self.key, signature, codegen.magic_tuple()))
        return kernel_cache.path_of(self.name, key, kernel_cache.OVERLOAD)

    def load_overload(self, signature: object, target_context: Any) -> Any:
        """Return the compiled overload, or None if it is not in the cache."""
        target_context.refresh()
        payload = kernel_cache.load(self.path(signature, target_context.codegen()))
        if payload is None:
            return None
        compiler = importlib.import_module("numba.core.compiler")
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, signature: object, result: Any) -> None:
        """Write a compiled overload to disk, unless its code contains addresses of this process."""
        path = self.path(signature, result.library.codegen)
        if result.lifted or result.library.has_dynamic_globals:
            path = None
        plain = result._replace(type_annotation="")  # of a kernel without its source, the text of its types is an error
        kernel_cache.save(path, made_by, importlib.import_module("numba.core.serialize").dumps(plain._reduce()))

    def flush(self) -> None:
        """Do nothing: files never become outdated, since their names are digests of their contents."""

    enable = disable = flush
