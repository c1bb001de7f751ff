"""The interface to Numba: functions that are compiled at their first call and cached on disk.

`@jit` makes a kernel, `@inline` a small function for use inside kernels, `per_dtype` a function with one version for
float32 and one for float64, `fma` the fused multiply-add, and `compile_source` a kernel from generated source. None of
them imports Numba before the first call. A kernel refers to helpers and constants by global name; it must not be a
closure.

Where nothing is compiled (availability.py), a call of a kernel runs its Python source (debugging).

The environment variable `PADDLE_LITE_KERNEL_CACHE=0` turns the disk cache off, `PADDLE_LITE_CACHE_DIR` sets its
directory.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import threading
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import numpy as np

from paddle_lite.core.generated import define
from paddle_lite.kernels.availability import jit_available
from paddle_lite.kernels.compile_notice import listen
from paddle_lite.kernels.kernel_cache import KernelCache, content_key
from paddle_lite.kernels.threads import hold_while_forking

__all__ = ["Inline", "Jitted", "PerDtype", "compile_source", "fma", "inline", "jit", "per_dtype"]

FASTMATH = {"contract", "nsz", "afn"}  # NaN and infinity keep their meaning; "arcp" would make 1 / sqrt(0) a NaN
_building = threading.RLock()
hold_while_forking(_building)


class Jitted:
    """A Python function that is replaced by its compiled form at the first call.

    After the first call, the dispatcher itself is `__call__` of the object's class, so that a call through the object costs
    no more than one of the dispatcher. Therefore each object has a class of its own.

    Attributes:
        python: the Python function.
        options: the options for Numba.
    """

    __slots__ = ("_compiled", "options", "python")

    def __new__(cls, *_args: object) -> Jitted:
        return super().__new__(type(cls.__name__, (cls,), {"__slots__": ()}))

    def __init__(self, python: FunctionType, options: dict[str, Any]) -> None:
        if python.__closure__:
            names = ", ".join(python.__code__.co_freevars)
            raise TypeError(f"kernel {python.__name__} closes over {names}; pass a namespace to compile_source instead")
        self.python = python
        self.options = options
        self._compiled: Callable | None = None

    def __call__(self, *args: Any) -> Any:
        return self.compiled()(*args)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.python.__module__}.{self.python.__qualname__}>"

    def compiled(self) -> Callable:
        """Return what a call runs: Numba's dispatcher, or the Python function if nothing is compiled."""
        with _building:
            if self._compiled is None:
                self._compiled = self.build() if jit_available() else self.python
                type(self).__call__ = staticmethod(self._compiled)  # type: ignore[method-assign]
            return self._compiled

    def build(self) -> Callable:
        """Return Numba's dispatcher, with compiled helpers and the disk cache."""
        numba = _numba()
        key = content_key(self.contents())
        options = {**self.options}
        if options.pop("noalias", False):
            options["pipeline_class"] = _no_alias_compiler()
        dispatcher = numba.njit(**options)(_for_numba(self.python, key))
        dispatcher._cache = KernelCache(self.python.__name__, key)
        return dispatcher

    def contents(self) -> Iterator[object]:
        """Yield all that the machine code depends on: options, the code as loaded, constants and helpers."""
        yield [(name, _stable(value)) for name, value in sorted(self.options.items())]
        yield from _code_contents(self.python.__code__)
        yield _stable(self.python.__defaults__)
        for name, value in _globals_used(self.python):
            yield name
            if isinstance(value, _HELPERS):
                yield from value.contents()
            else:
                yield _stable(value)


class Inline(Jitted):
    """A small function that LLVM inlines into kernels; called from Python, it runs as Python."""

    __slots__ = ()

    def __call__(self, *args: Any) -> Any:
        return self.python(*args)

    def compiled(self) -> Callable:
        """Return Numba's dispatcher, for the kernels that refer to this function."""
        with _building:
            if self._compiled is None:
                numba = _numba()
                self._compiled = numba.njit(**self.options)(_for_numba(self.python, content_key(self.contents())))
            return self._compiled


class PerDtype:
    """A scalar function for use inside kernels: one version if all arguments are float32, another for all other types."""

    __slots__ = ("_compiled", "double", "single")

    def __init__(self, single: Inline, double: Inline) -> None:
        self.single = single
        self.double = double
        self._compiled: Callable | None = None

    def __call__(self, *args: Any) -> Any:
        return self.single(*args) if all(isinstance(x, np.float32) for x in args) else self.double(*args)

    def __repr__(self) -> str:
        return f"<PerDtype {self.single.python.__name__} or {self.double.python.__name__}>"

    def compiled(self) -> Callable:
        """Return a function that Numba resolves to one of the two by the types of the arguments."""
        with _building:
            if self._compiled is None:
                self._compiled = self._overload()
            return self._compiled

    def contents(self) -> Iterator[object]:
        """Yield all that the machine code depends on."""
        yield from self.single.contents()
        yield from self.double.contents()

    def _overload(self) -> Callable:
        """Return a new function that is registered with Numba as an overload of the two."""
        extending, types = importlib.import_module("numba.extending"), importlib.import_module("numba.core.types")
        single, double = self.single.compiled(), self.double.compiled()
        key = content_key(self.contents())

        def either(*args):
            return self(*args)

        def choose(*args):  # unannotated: Numba compares its parameters with those of the function it returns
            chosen = single if all(x == types.float32 for x in args) else double

            def call(*args):
                return chosen(*args)

            return _named(call, key)

        extending.overload(either, jit_options=self.single.options)(choose)
        return either


class _FusedMultiplyAdd:
    """a * b + c with one rounding, for three numbers of one floating dtype; an instruction where the processor has one."""

    def __call__(self, a: Any, b: Any, c: Any) -> Any:
        from fractions import Fraction

        if not np.isfinite(a * b + c):
            return a * b + c
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        return type(a * b + c)(float(exact)) if exact else a * b + c  # a zero gets its sign from the floating-point sum

    @functools.cache  # noqa: B019  there is only one object
    def compiled(self) -> Any:
        """Return a Numba intrinsic."""

        def fma(context, a, b, c):
            def generate(context, builder, signature, args):
                return builder.fma(*args)

            return a(a, a, a), generate

        return importlib.import_module("numba.extending").intrinsic(fma)

    def contents(self) -> Iterator[object]:
        """Yield a constant: the intrinsic depends on nothing."""
        yield "fma"


fma: Any = _FusedMultiplyAdd()
_HELPERS = (Jitted, PerDtype, _FusedMultiplyAdd)


def jit(python: Any = None, *, reassoc: bool = False) -> Any:
    """Decorate a function as a kernel: compiled by Numba at its first call, then cached on disk.

    Division follows NumPy (no zero check), the GIL is released, and only those fast-math options are on that preserve NaN and
    infinity.

    Args:
        python: the function. It takes arrays and numbers; helpers and constants are globals.
        reassoc: allow reordering of sums, which a loop with a scalar sum needs to be vectorised.

    Returns:
        A callable `Jitted`; `.compiled()` returns the bare dispatcher.

    Raises:
        TypeError: the function closes over variables.

    Example:
        >>> import numpy as np
        >>> @jit
        ... def double(x, out):
        ...     for i in range(x.size):
        ...         out[i] = 2 * x[i]
        >>> out = np.empty(3)
        >>> double(np.ones(3), out)
        >>> out
        array([2., 2., 2.])
    """
    options = _options(reassoc)
    return Jitted(python, options) if python is not None else lambda function: Jitted(function, options)


def inline(python: Any = None, *, reassoc: bool = False, exact: bool = False) -> Any:
    """Decorate a small function that kernels call; LLVM inlines it, so that loops around it vectorise.

    Args:
        python: the function of numbers. Called from Python, it runs as Python.
        reassoc: allow reordering of sums inside it.
        exact: preserve the sign of zeros and do not contract products and sums (use `fma` explicitly).

    Returns:
        An `Inline`, which kernels and other inline functions refer to by its global name.

    Example:
        >>> @inline
        ... def square(x):
        ...     return x * x
        >>> square(3.0)
        9.0
    """
    options = {**_options(reassoc), "forceinline": True}
    if exact:
        options["fastmath"] -= {"contract", "nsz"}
    return Inline(python, options) if python is not None else lambda function: Inline(function, options)


def per_dtype(single: Inline, double: Inline) -> PerDtype:
    """Combine a float32 and a float64 version of a function into one, for use inside kernels.

    Args:
        single: the version for float32, which runs if all arguments are float32.
        double: the version for float64, which also runs for integers.

    Returns:
        A `PerDtype`, which kernels refer to by its global name.
    """
    return PerDtype(single, double)


def compile_source(
    name: str, source: str, namespace: Mapping[str, Any], *, reassoc: bool = False,
    noalias: bool = False,
) -> Jitted:  # fmt: skip
    """Return a kernel compiled from generated source, which tracebacks and debuggers show.

    Args:
        name: the function that the source defines.
        source: Python source of one or more functions.
        namespace: the globals of the source: helpers made by `inline` or `per_dtype`, modules, constants.
        reassoc: as for `jit`.
        noalias: promise that no written array shares memory with another argument; loops over many arrays need this to be
            vectorised, since LLVM limits the number of overlap checks.

    Returns:
        A `Jitted`; its cache key depends on the source and on the helpers, not on a file name.

    Example:
        >>> import numpy as np
        >>> add = compile_source("add", "def add(x, y, out):\\n    out[:] = x + y * HALF\\n", {"HALF": np.float32(0.5)})
        >>> out = np.empty(2, np.float32)
        >>> add(np.ones(2, np.float32), np.ones(2, np.float32), out)
        >>> out
        array([1.5, 1.5], dtype=float32)
    """
    digest = hashlib.sha256(source.encode()).hexdigest()[:12]
    scope = {"__name__": "paddle_lite.generated", **namespace}
    function = define(f"kernel {name} {digest}", name, source, scope)
    options = _options(reassoc)
    return Jitted(cast(FunctionType, function), {**options, "noalias": True} if noalias else options)


@functools.cache
def _numba() -> Any:
    """Return the Numba module, imported at the first compilation, with the progress line registered."""
    numba = importlib.import_module("numba")
    hold_while_forking(importlib.import_module("numba.core.compiler_lock").global_compiler_lock)
    listen()
    return numba


@functools.cache
def _no_alias_compiler() -> Any:
    """Return a compiler class that assumes that array arguments do not overlap."""
    compiler: Any = importlib.import_module("numba.core.compiler").Compiler

    class NoAliasCompiler(compiler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.state.flags.noalias = True

    return NoAliasCompiler


def _options(reassoc: bool) -> dict[str, Any]:
    """Return Numba's options for a kernel."""
    fastmath = FASTMATH | {"reassoc"} if reassoc else FASTMATH
    return {"error_model": "numpy", "fastmath": set(fastmath), "nogil": True, "parallel": False}  # threads.py says why


def _globals_used(python: FunctionType) -> list[tuple[str, Any]]:
    """Return the globals that a function refers to, sorted by name."""
    names = {name for code in _nested(python.__code__) for name in code.co_names}
    return [(name, python.__globals__[name]) for name in sorted(names) if name in python.__globals__]


def _nested(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _code_contents(code: CodeType) -> Iterator[object]:
    """Yield what a code object does, without its docstrings and its place in the source."""
    for part in _nested(code):
        constants: list[object] = [_stable(c) for c in part.co_consts if not isinstance(c, CodeType)]
        if constants and isinstance(part.co_consts[0], str):  # the docstring
            constants[0] = None
        yield part.co_name, part.co_code, part.co_names, part.co_varnames, part.co_argcount, constants


def _stable(value: object) -> object:
    """Return a representation of a constant whose repr is the same in every process."""
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [_stable(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, (FunctionType, ModuleType)):
        return type(value).__name__, value.__name__
    return type(value).__name__, repr(value) if isinstance(value, (bool, int, float, complex, str, type(None))) else ""


def _for_numba(python: FunctionType, key: str) -> FunctionType:
    """Return the same function with globals in which helpers are replaced by their compiled forms."""
    helpers = {name: value.compiled() for name, value in _globals_used(python) if isinstance(value, _HELPERS)}
    scope = {**python.__globals__, **helpers}
    return _named(FunctionType(python.__code__, scope, python.__qualname__, python.__defaults__), key)


def _named(function: Any, key: str) -> FunctionType:
    """Give a function a unique name, derived from its contents, and a module that every process can import.

    Machine code from the disk brings its symbols along, and two functions with the same symbol would be confused.
    """
    function.__qualname__ = f"{function.__name__}_{key[:16]}"
    function.__module__ = __name__
    return function
