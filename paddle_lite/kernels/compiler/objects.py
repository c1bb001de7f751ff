"""Object files of kernels: from the cache on disk, from what was compiled at the installation, or new.

The key of an object file stands for all that its machine code depends on: the contents of the kernel and the types of its
arguments, which `variants` puts into the name of the entry, and the place: the processor, the compiler, and the layout of
the objects of this Python and NumPy.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any

import numpy as np

from .. import installed_kernels, kernel_cache, object_layout
from .machine import LEVEL, machine
from .unpacking import UNPACK, unpacking_text

__all__ = ["compiled", "entry", "fallbacks", "load", "made_by", "place"]

fallbacks: dict[str, str] = {}  # the kernels that Numba has compiled in this process, and why
_BESIDE = ("array_pointers.py", "numba_jit.py", "object_layout.py", "simd.py")  # more modules that write instructions


@functools.cache
def place() -> dict[str, Any]:
    """Return what object files depend on beside the kernel, by name."""
    host = machine()
    triple, processor, features = host.target
    layout = [getattr(object_layout, name) for name in object_layout.__all__ if name.endswith("_AT")]
    return {
        "processor": processor,
        "features": features,
        "triple": triple,
        "Python": EXTENSION_SUFFIXES[0],  # which names version, platform and ABI
        "numpy": np.__version__,
        "llvmlite": host.version,
        "LLVM": ".".join(map(str, host.llvm.llvm_version_info)),
        "layout": layout,
        "level": LEVEL,
        "compiler": kernel_cache.digest_of(_sources()),
    }


def _sources() -> list[bytes]:
    """Return the source of the compiler."""
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [here, os.path.join(here, "templates")]
    paths = [os.path.join(each, name) for each in folders for name in sorted(os.listdir(each)) if name.endswith(".py")]
    found = []
    for path in [*paths, *(os.path.join(os.path.dirname(here), name) for name in _BESIDE)]:
        with open(path, "rb") as file:
            found.append(file.read())
    return found


@functools.cache
def _place_key() -> str:
    return kernel_cache.digest_of(place().items())


@functools.cache
def made_by() -> str:
    """Return the versions and the processor that object files state."""
    what = place()
    stated = kernel_cache.versions(numpy=what["numpy"], llvmlite=what["llvmlite"])
    return f"{stated}, for {what['processor']} {_place_key()[:12]}"


def _path(name: str, symbol: str) -> str | None:
    return kernel_cache.path_of(name, *_key_and_kind(symbol))


def _key_and_kind(symbol: str) -> tuple[str, str]:
    return f"{symbol} {_place_key()}", kernel_cache.OBJECT


def load(name: str, symbol: str, *, kernel: bool = True) -> bytes | None:
    """Return the object code of a kernel's entry from the cache or from the installation; None if neither has it."""
    code = kernel_cache.load(_path(name, symbol), kernel=kernel)
    if code is None:
        code = installed_kernels.load(kernel_cache.file_name(name, *_key_and_kind(symbol)), kernel=kernel)
    return code


def compiled(name: str, symbol: str, text: str) -> bytes:
    """Compile a module and keep its object code in the cache."""
    from ..compile_notice import compiling  # not above: only compiling needs it

    with compiling(name):
        code = machine().object_code(text)
    kernel_cache.save(_path(name, symbol), made_by, code)
    return code


def entry(code: bytes, symbol: str, name: str, next: Callable[..., Any]) -> Callable[..., Any]:
    """Load object code and return its entry as a Python function; `next` is called with arguments that it refuses."""
    _define_unpacking()
    return machine().function(code, symbol, name, next)


@functools.cache
def _define_unpacking() -> None:
    """Load the function that all entries call, whose object file is kept as those of kernels are."""
    code = load(UNPACK, UNPACK, kernel=False)
    if code is None:
        code = machine().object_code(unpacking_text())
        kernel_cache.save(_path(UNPACK, UNPACK), made_by, code, kernel=False)
    machine().define(code, UNPACK)
