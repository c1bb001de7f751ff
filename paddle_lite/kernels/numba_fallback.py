"""Kernels through Numba: what our own compiler does not know, and what it is compared with.

Importing Numba takes half a second, so nothing imports this module before it is needed.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from paddle_lite.core.errors import message
from paddle_lite.core.threads.forking import hold_while_forking
from paddle_lite.kernels.compile_notice import listen
from paddle_lite.kernels.interruptible import run_to_end
from paddle_lite.kernels.kernel_contents import globals_used
from paddle_lite.kernels.numba_cache import NumbaCache, content_key
from paddle_lite.kernels.numba_jit import HELPERS, PerDtype

__all__ = ["fma_intrinsic", "helper_dispatcher", "kernel_dispatcher", "overload"]


def kernel_dispatcher(python: FunctionType, options: dict[str, Any], contents: Iterable[object]) -> Callable:
    """Return Numba's dispatcher of a kernel, with compiled helpers and the disk cache.

    Raises:
        ImportError: Numba cannot be imported.
    """
    try:
        numba_module()
    except ImportError as error:
        needs = "Numba, because our own compiler does not know it or PADDLE_LITE_KERNEL_COMPILER=numba is set"
        fix = "Install Numba (pip install numba), or set PADDLE_LITE_DISABLE_JIT=1 to run operators as NumPy."
        raise ImportError(message(f"kernel {python.__qualname__}", "import numba", error, needs, fix)) from error
    key, given = content_key(contents), {**options}
    given.pop("shared", None)  # its threads run parts of their own
    given.pop("in_vectors", None)  # LLVM's passes are the same for all of its kernels
    if given.pop("noalias", False):
        given["pipeline_class"] = no_alias_compiler()
    dispatcher = _dispatcher(_for_numba(python, key), given)
    dispatcher._cache = NumbaCache(python.__name__, key)
    compile = dispatcher._compile_for_args  # Numba's registries do not survive an interruption
    dispatcher._compile_for_args = lambda *args, **kwargs: run_to_end(lambda: compile(*args, **kwargs))
    return dispatcher


def helper_dispatcher(python: FunctionType, options: dict[str, Any], contents: Iterable[object]) -> Callable:
    """Return Numba's dispatcher of a function that kernels call."""
    return _dispatcher(_for_numba(python, content_key(contents)), options)


def _dispatcher(python: FunctionType, options: dict[str, Any]) -> Any:
    return run_to_end(lambda: numba_module().njit(**options)(python))


def overload(either: PerDtype) -> Callable:
    """Return a new function that is registered with Numba as an overload of the two versions of a function."""
    numba_module()
    extending, types = importlib.import_module("numba.extending"), importlib.import_module("numba.core.types")
    single, double = either.single.dispatcher(), either.double.dispatcher()
    key = content_key(either.contents())

    def overloaded(*args):
        return either(*args)

    def choose(*args):  # unannotated: Numba compares its parameters with those of the function it returns
        chosen = single if all(x == types.float32 for x in args) else double

        def call(*args):
            return chosen(*args)

        return _named(call, key)

    extending.overload(overloaded, jit_options=either.single.options)(choose)
    return overloaded


@functools.cache
def fma_intrinsic() -> Any:
    """Return the fused multiply-add as an intrinsic of Numba's."""

    def fma(context, a, b, c):
        def generate(context, builder, signature, args):
            return builder.fma(*args)

        return a(a, a, a), generate

    numba_module()
    return importlib.import_module("numba.extending").intrinsic(fma)


@functools.cache
def numba_module() -> Any:
    """Return the Numba module, imported at the first compilation, with the progress line registered."""
    numba = run_to_end(lambda: importlib.import_module("numba"))  # a second attempt at an import of Numba fails
    hold_while_forking(importlib.import_module("numba.core.compiler_lock").global_compiler_lock)
    listen()
    return numba


@functools.cache
def no_alias_compiler() -> Any:
    """Return a compiler class that assumes that array arguments do not overlap."""
    compiler: Any = importlib.import_module("numba.core.compiler").Compiler

    class NoAliasCompiler(compiler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.state.flags.noalias = True

    return NoAliasCompiler


def _for_numba(python: FunctionType, key: str) -> FunctionType:
    """Return the same function with globals in which helpers are replaced by their compiled forms."""
    helpers = {name: value.dispatcher() for name, value in globals_used(python) if isinstance(value, HELPERS)}
    scope = {**python.__globals__, **helpers}
    return _named(FunctionType(python.__code__, scope, python.__qualname__, python.__defaults__), key)


def _named(function: Any, key: str) -> FunctionType:
    """Give a function a unique name, derived from its contents, and a module that every process can import.

    Machine code from the disk brings its symbols along, and two functions with the same symbol would be confused.
    """
    function.__qualname__ = f"{function.__name__}_{key[:16]}"
    function.__module__ = __name__
    return function
