"""Kernels that were compiled when the package was installed: a folder of files of the cache beside this module.

`hatch_build.py` has `cli/installing.py` make the folder, for a wheel or for an editable installation; nothing writes to it later. A kernel
that the user's cache does not have is looked for here. The name of a file is a digest of all that its code depends on, so
that another processor, other versions, or a kernel whose source has changed find nothing. Who can write to this folder can
also change the modules beside it: files are not asked who owns them, unlike those of the cache.
"""

from __future__ import annotations

import os

from . import kernel_cache

__all__ = ["FOLDER", "VARIABLE", "contents_of", "ignored", "load", "maker", "names"]

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "installed")
VARIABLE = "PADDLE_LITE_INSTALLED_KERNELS"


def ignored() -> str:
    """Return the environment variable that says that these kernels are not to be used, or that none is to be read at all; "" without one."""
    return next((name for name in (VARIABLE, "PADDLE_LITE_KERNEL_CACHE") if os.environ.get(name) == "0"), "")


def load(name: str, *, kernel: bool = True) -> bytes | None:
    """Return the payload of a file; None if it is missing or damaged, or these kernels are ignored. Only what is a `kernel` is counted."""
    payload = None if ignored() else kernel_cache.payload_of(name, contents_of(name))
    if payload is not None and kernel:
        kernel_cache.counts["loaded"] += 1
    return payload


def contents_of(name: str) -> bytes:
    """Return the content of a file; b"" if it is missing."""
    try:
        with open(os.path.join(FOLDER, name), "rb") as file:
            return file.read()
    except OSError:
        return b""


def names() -> list[str]:
    """Return the names of the files, sorted."""
    try:
        return sorted(name for name in os.listdir(FOLDER) if name.endswith(kernel_cache.OBJECT))
    except OSError:
        return []


def maker() -> str:
    """Return what the files say that they were made by; "" if there are none, or the first is damaged."""
    return next((kernel_cache.maker_of(contents_of(name)) for name in names()), "")
