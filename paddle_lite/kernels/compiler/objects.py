"""Object code of kernels: compiled, or loaded from the cache on disk."""

from __future__ import annotations

import functools
import hashlib

from .. import kernel_cache
from ..compile_notice import compiling
from .machine import LEVEL, machine

__all__ = ["compiled", "fallbacks", "load"]

fallbacks: dict[str, str] = {}  # the kernels that Numba has compiled in this process, and why


@functools.cache
def _place() -> str:
    """Return a digest of the processor and of the compiler's versions."""
    return hashlib.sha256(repr((machine().target, LEVEL, kernel_cache.compiler_digest())).encode()).hexdigest()


def load(name: str, symbol: str) -> bytes | None:
    """Return the object code of a kernel's entry from the cache; None if it is not there."""
    return kernel_cache.load_object(name, f"{symbol}{_place()}")


def compiled(name: str, symbol: str, text: str) -> bytes:
    """Compile a module and keep its object code in the cache."""
    with compiling(name):
        code = machine().object_code(text)
    kernel_cache.save_object(name, f"{symbol}{_place()}", code)
    return code
