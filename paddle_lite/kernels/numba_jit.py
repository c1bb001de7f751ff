"""Numba kernels: functions that are compiled at their first call and cached on disk.

`@jit` makes a kernel, `@inline` a small function for use inside kernels, `per_dtype` a function with one version for
float32 and one for float64, `fma` the fused multiply-add, and `compile_source` a kernel from generated source. A kernel
refers to helpers and constants by global name; it must not be a closure.

The same source runs in three ways: through the compiler in `kernels/compiler` (the default), through Numba (what that
compiler does not know, and everything if PADDLE_LITE_KERNEL_COMPILER=numba), and as Python where nothing is compiled
(availability.py), for debugging.

The environment variable `PADDLE_LITE_KERNEL_CACHE=0` turns the disk cache off, `PADDLE_LITE_CACHE_DIR` sets its
directory.
"""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from paddle_lite.core.generated import define
from paddle_lite.core.threads.forking import hold_while_forking
from paddle_lite.kernels.availability import jit_available
from paddle_lite.kernels.interruptible import WORKING
from paddle_lite.kernels.kernel_cache import digest_of
from paddle_lite.kernels.kernel_contents import code_contents, globals_used, stable

if TYPE_CHECKING:
    from .compiler.variants import Variants

__all__ = ["BUILDING", "Inline", "Jitted", "PerDtype", "compile_source", "fma", "inline", "jit", "per_dtype"]

FASTMATH = {"contract", "nsz", "afn"}  # NaN and infinity keep their meaning; "arcp" would make 1 / sqrt(0) a NaN
BUILDING = threading.RLock()
"""Held while kernels are made and compiled, so that threads that ask for one at the same time share it."""
hold_while_forking(BUILDING)
hold_while_forking(WORKING)  # which is acquired with BUILDING held, never the other way round


class Jitted:
    """A Python function that is replaced by its compiled form at the first call.

    After the first call, the compiled function itself is `__call__` of the object's class, so that a call through the object
    costs no more than one of the function. Therefore each object has a class of its own.

    Attributes:
        python: the Python function.
        options: the options for Numba.
    """

    __slots__ = ("_compiled", "_dispatcher", "options", "python")

    def __new__(cls, *_args: object) -> Jitted:
        return super().__new__(type(cls.__name__, (cls,), {"__slots__": ()}))

    def __init__(self, python: FunctionType, options: dict[str, Any]) -> None:
        if python.__closure__:
            names = ", ".join(python.__code__.co_freevars)
            raise TypeError(f"kernel {python.__name__} closes over {names}; pass a namespace to compile_source instead")
        self.python = python
        self.options = options
        self._compiled: Callable | None = None
        self._dispatcher: Callable | None = None

    def __call__(self, *args: Any) -> Any:
        return self.compiled()(*args)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.python.__module__}.{self.python.__qualname__}>"

    def compiled(self) -> Callable:
        """Return what a call runs: the compiled forms, or the Python function if compilation is disabled."""
        with BUILDING:
            if self._compiled is None:
                if not jit_available():
                    self._use(self.python)
                elif by_numba():
                    self._use(self.dispatcher())
                else:
                    self._use(self.variants().head)
            return cast(Callable, self._compiled)

    def _use(self, compiled: Callable) -> None:
        """Make calls of this object run `compiled`."""
        self._compiled = compiled
        type(self).__call__ = staticmethod(compiled)  # type: ignore[method-assign]

    def variants(self) -> Variants:
        """Return the forms of the kernel that our own compiler makes, none yet."""
        from .compiler.variants import Variants  # not above: kernels are declared long before one is compiled

        key = digest_of(self.contents())
        return Variants(self.python, self.options, key, self.dispatcher, self._use, BUILDING)

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write a call of this function from another kernel."""
        return f.call_function(self.python, self.options, arguments, inline=False)

    def dispatcher(self) -> Callable:
        """Return Numba's dispatcher, with compiled helpers and the disk cache."""
        with BUILDING:
            if self._dispatcher is None:
                self._dispatcher = self.build()
            return self._dispatcher

    def build(self) -> Callable:
        """Return a new dispatcher of Numba's."""
        from . import numba_fallback  # not above: Numba is the exception

        return numba_fallback.kernel_dispatcher(self.python, self.options, self.contents())

    def contents(self) -> Iterator[object]:
        """Yield all that the machine code depends on: options, the code as loaded, constants and helpers."""
        yield [(name, stable(value)) for name, value in sorted(self.options.items())]
        yield from code_contents(self.python.__code__)
        yield stable(self.python.__defaults__)
        for name, value in globals_used(self.python):
            yield name
            if isinstance(value, HELPERS):
                yield from value.contents()
            else:
                yield stable(value)


class Inline(Jitted):
    """A small function that LLVM inlines into kernels; called from Python, it runs as Python."""

    __slots__ = ()

    def __call__(self, *args: Any) -> Any:
        return self.python(*args)

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write a call of this function from a kernel."""
        return f.call_function(self.python, self.options, arguments, inline=True)

    def build(self) -> Callable:
        """Return a new dispatcher of Numba's, for the kernels that refer to this function."""
        from . import numba_fallback

        return numba_fallback.helper_dispatcher(self.python, self.options, self.contents())


class PerDtype:
    """A scalar function for use inside kernels: one version if all arguments are float32, another for all other types."""

    __slots__ = ("_dispatcher", "double", "single")

    def __init__(self, single: Inline, double: Inline) -> None:
        self.single = single
        self.double = double
        self._dispatcher: Callable | None = None

    def __call__(self, *args: Any) -> Any:
        return self.single(*args) if all(isinstance(x, np.float32) for x in args) else self.double(*args)

    def __repr__(self) -> str:
        return f"<PerDtype {self.single.python.__name__} or {self.double.python.__name__}>"

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write a call of the version for the arguments' types."""
        from .compiler.calls import call_per_dtype

        return call_per_dtype(f, self.single, self.double, arguments)

    def dispatcher(self) -> Callable:
        """Return a function that Numba resolves to one of the two by the types of the arguments."""
        with BUILDING:
            if self._dispatcher is None:
                from . import numba_fallback

                self._dispatcher = numba_fallback.overload(self)
            return self._dispatcher

    def contents(self) -> Iterator[object]:
        """Yield all that the machine code depends on."""
        yield from self.single.contents()
        yield from self.double.contents()


class _FusedMultiplyAdd:
    """a * b + c with one rounding, for three numbers of one floating dtype; an instruction where the processor has one."""

    def __call__(self, a: Any, b: Any, c: Any) -> Any:
        if a.__class__ is b.__class__ is c.__class__ is np.float32:
            return np.float32(_rounded_to_odd(float(a) * float(b), float(c)))
        from fractions import Fraction

        if not np.isfinite(a * b + c):
            return a * b + c
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        return type(a * b + c)(float(exact)) if exact else a * b + c  # a zero gets its sign from the floating-point sum

    def lower(self, f: Any, arguments: Sequence[Any]) -> Any:
        """Write the instruction."""
        from .compiler.arithmetic import fused_multiply_add

        return fused_multiply_add(f, list(arguments))

    def dispatcher(self) -> Any:
        """Return Numba's intrinsic."""
        from . import numba_fallback

        return numba_fallback.fma_intrinsic()

    def contents(self) -> Iterator[object]:
        """Yield a constant: the intrinsic depends on nothing."""
        yield "fma"


def _rounded_to_odd(x: float, y: float) -> float:
    """Return x + y, exact or else the neighbour whose last bit is 1: rounded once more, to float32, it gives what x + y gives."""
    total = x + y
    part = total - x
    error = (x - (total - part)) + (y - part)
    if not error or not math.isfinite(total) or int(math.frexp(total)[0] * 2.0**53) & 1:
        return total
    return math.nextafter(total, math.inf if error > 0 else -math.inf)


fma: Any = _FusedMultiplyAdd()
HELPERS = (Jitted, PerDtype, _FusedMultiplyAdd)


def jit(python: Any = None, *, reassoc: bool = False, shared: bool = False, in_vectors: bool = False) -> Any:
    """Decorate a function as a kernel: compiled at its first call, then cached on disk.

    Division follows NumPy (no zero check), the GIL is released, and only those fast-math options are on that preserve NaN and
    infinity.

    Args:
        python: the function. It takes arrays and numbers; helpers and constants are globals.
        reassoc: allow reordering of sums, which a loop with a scalar sum needs to be vectorised.
        shared: whether threads may share a call without Python (`threads.parallel_for`); a kernel that returns nothing.
        in_vectors: whether the inner loops are written in vectors (`simd.py`) or templates, so that LLVM finds nothing to vectorise
            or to unroll: the kernel compiles in half the time.

    Returns:
        A callable `Jitted`; `.compiled()` returns the compiled function.

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
    options = _options(reassoc, shared=shared, in_vectors=in_vectors)
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
    noalias: bool = False, shared: bool = False, in_vectors: bool = False,
) -> Jitted:  # fmt: skip
    """Return a kernel compiled from generated source, which tracebacks and debuggers show.

    Args:
        name: the function that the source defines.
        source: Python source of one or more functions.
        namespace: the globals of the source: helpers made by `inline` or `per_dtype`, modules, constants.
        reassoc: as for `jit`.
        noalias: promise that no written array shares memory with another argument; loops over many arrays need this to be
            vectorised, since LLVM limits the number of overlap checks.
        shared, in_vectors: as for `jit`.

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
    return Jitted(
        cast(FunctionType, function), _options(reassoc, noalias=noalias, shared=shared, in_vectors=in_vectors)
    )


def _options(reassoc: bool, **ours: bool) -> dict[str, Any]:
    """Return Numba's options for a kernel, and those of our own that are set.

    With "reassoc" the flag "nsz" (signs of zeros do not matter) is left out: with both LLVM cancels x - x in a sum to 0, also where x
    is infinite and the sum is NaN.
    """
    fastmath = FASTMATH - {"nsz"} | {"reassoc"} if reassoc else FASTMATH
    options = {
        "error_model": "numpy",
        "fastmath": set(fastmath),
        "nogil": True,
        "parallel": False,
    }  # threads.py says why
    return options | {name: True for name, is_set in ours.items() if is_set}


def by_numba() -> bool:
    """Return whether Numba compiles all kernels, as PADDLE_LITE_KERNEL_COMPILER=numba asks for."""
    return os.environ.get("PADDLE_LITE_KERNEL_COMPILER", "") == "numba"
