"""`@device_kernel` and `launch`: from a call of a kernel to a compiled function for the dtypes of its arrays."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, ArgumentValueError, message
from ...registry import array_module
from . import grid
from .prelude import HEADERS, PRELUDE, TYPES
from .translate import Translation

WARP = 32
PARAMETERS = ("T", "U", "V")
_FIXED = {
    "bool": np.bool_, "int8": np.int8, "uint8": np.uint8, "float16": np.float16, "int32": np.int32, "int64": np.int64, "float32": np.float32, "float64": np.float64
}  # fmt: skip


class DeviceFunction:
    """A function that kernels call; see `device_function`.

    Attributes:
        device_function: the Python function.
        parameters: the type of each parameter.
    """

    def __init__(self, function: Callable, types: Mapping[str, str], given: Mapping[str, Any] | None = None) -> None:
        self._given = dict(given or {})  # dtypes of type parameters that no array tells
        self.device_function, self.parameters = function, dict(types)
        self.__name__, self.__doc__, self.__module__ = function.__name__, function.__doc__, function.__module__
        where, names = f"device kernel {self.__name__}", [*inspect.signature(function).parameters]
        if names != [*types]:
            raise ArgumentValueError(
                message(where, "the types", [*types], f"those of {', '.join(names)}, in this order")
            )
        for name, kind in types.items():
            if kind.removesuffix("[]") not in (*PARAMETERS, "A", *_FIXED):
                raise ArgumentValueError(
                    message(where, f"the type of {name}", repr(kind), 'one such as "T[]" or "int64"')
                )

    def __call__(self, *arguments: Any) -> Any:
        """Raise: a device function runs in a kernel, and a kernel by `launch`."""
        needs = "a kernel around it, or `launch`"
        raise ArgumentTypeError(message(f"device function {self.__name__}", "the call", "one from Python", needs))

    def translated(self) -> tuple[Translation, dict[str, DeviceFunction]]:
        """Return the translation to CUDA C, and the device functions that it calls."""
        function = self.device_function
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise ArgumentValueError(message("device_kernel", "function", function, "a function that `def` has made"))
        ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & function.__globals__.keys()
        values = {name: function.__globals__[name] for name in used}
        constants = {name: value for name, value in values.items() if isinstance(value, (int, float, np.number))}
        called = {name: value for name, value in values.items() if isinstance(value, DeviceFunction)}
        written = {name: each.written() for name, each in called.items()}
        return Translation(tree, inspect.getfile(function), self.parameters, constants, written), called

    def written(self) -> list[int]:
        """Return the numbers of the parameters that are arrays which the function writes."""
        stored = self.translated()[0].stored
        return [number for number, name in enumerate(self.parameters) if name in stored]

    def linkage(self) -> tuple[str, str]:
        """Return what stands before the name in CUDA C: how it is linked, and the type of the result."""
        return "static __device__ __forceinline__", "auto"


class DeviceKernel(DeviceFunction):
    """A kernel; see `device_kernel`."""

    def linkage(self) -> tuple[str, str]:
        return 'extern "C" __global__', "void"

    def kinds(self, arguments: Sequence[Any]) -> dict[str, Any]:
        """Return the dtype of each type parameter, as the arrays of a call have it."""
        found: dict[str, Any] = dict(self._given)
        for (name, kind), value in zip(self.parameters.items(), arguments, strict=True):
            element = kind.removesuffix("[]")
            dtype = getattr(value, "dtype", None)
            if kind.endswith("[]"):
                fixed = accumulated(found) if element == "A" else _FIXED.get(element)
                wanted = found.setdefault(element, dtype) if fixed is None else np.dtype(fixed)
                if dtype is None or dtype != wanted or not value.flags.c_contiguous:
                    got = f"{type(value).__name__} of {dtype}"
                    needs = f"a contiguous array of {wanted}"
                    raise ArgumentTypeError(message(f"device kernel {self.__name__}", name, got, needs))
        return found

    def cuda_source(self, kinds: dict[str, Any]) -> str:
        """Return the CUDA C for some dtypes, with the functions that it needs.

        Arguments:
            kinds: the dtype of each type parameter, as `kinds` returns them.
        """
        definitions: dict[str, str] = {}
        _define(self, definitions)
        dtypes = {name: np.dtype(kind).name for name, kind in kinds.items()}
        named = [*dtypes.values(), *(kind.removesuffix("[]") for kind in self.parameters.values())]
        headers = "".join(dict.fromkeys(HEADERS[each] for each in named if each in HEADERS))
        types = "".join(f"typedef {TYPES[dtype]} {name};\n" for name, dtype in dtypes.items())
        types += f"typedef {TYPES[np.dtype(accumulated(kinds)).name]} A;\ntypedef long long int64_type;\n"
        return f"{headers}{types}{PRELUDE}{''.join(definitions.values())}"


def _define(function: DeviceFunction, definitions: dict[str, str]) -> None:
    """Add the definition of a function in CUDA C, behind those of the functions that it calls."""
    if function.__name__ not in definitions:
        made, called = function.translated()
        for each in called.values():
            _define(each, definitions)
        definitions[function.__name__] = made.text(*function.linkage())


def accumulated(kinds: dict[str, Any]) -> Any:
    """Return the dtype `A` in which values of T are accumulated."""
    kind = np.dtype(kinds.get("T", np.float32))
    if kind.kind in "iub":
        return np.int64
    return np.float64 if kind == np.float64 else np.float32


def device_kernel(**types: str) -> Callable[[Callable], DeviceKernel]:
    """Declare a kernel for GPUs; the package's docstring describes the language. `launch` runs it.

    Arguments:
        types: the type of each parameter, in their order, such as x="T[]", size="int64".
    """
    return lambda function: DeviceKernel(function, types)


def device_function(**types: str) -> Callable[[Callable], DeviceFunction]:
    """Declare a function that kernels call, in the same way. One that has barriers is called by `yield from`."""
    return lambda function: DeviceFunction(function, types)


def launch(kernel: DeviceKernel, blocks: int, threads: int, *arguments: Any) -> None:
    """Run a kernel on the current device, in the current stream.

    Arguments:
        kernel: made by `device_kernel`.
        blocks: the number of blocks; nothing runs if it is 0.
        threads: the number of threads of a block, a multiple of 32.
        arguments: the kernel's arguments: contiguous arrays of any shape, and numbers.

    Raises:
        ArgumentTypeError: an array is not contiguous, or does not have the dtype that the kernel declares.
        ArgumentValueError: `threads` is no multiple of 32 up to 1,024.
    """
    if threads % WARP or not 0 < threads <= 1024:
        needs = "a multiple of 32, at most 1024"
        raise ArgumentValueError(message(f"launch of {kernel.__name__}", "threads", threads, needs))
    kinds = kernel.kinds(arguments)
    if not blocks:
        return
    xp = array_module("gpu")
    if xp.__name__ != "cupy":  # NumPy stands for CuPy
        _simulated(kernel, kinds, blocks, WARP, arguments)  # Python runs one thread after the other
        return
    function, numbers = _compiled(kernel, tuple(kinds.items()))
    given = [value if number is None else number(value) for number, value in zip(numbers, arguments, strict=True)]
    function((blocks,), (threads,), tuple(given))


def _simulated(
    kernel: DeviceKernel, kinds: dict[str, Any], blocks: int, threads: int, arguments: Sequence[Any]
) -> None:
    bound = {}
    for name, value in zip(kernel.parameters, arguments, strict=True):
        bound[name] = value.reshape(-1).view(np.ndarray) if isinstance(value, np.ndarray) else value
    types = {name: np.dtype(kind).type for name, kind in kinds.items()}
    types["A"] = accumulated(kinds)
    grid.run(kernel.device_function, {**types, **_FIXED, "bool": bool, "int64": int}, blocks, threads, bound)


@cache
def _compiled(kernel: DeviceKernel, kinds: tuple) -> Any:
    """Return the function of CuPy for some dtypes, and for each parameter what makes a number of its type; None for arrays.

    NVRTC compiles the function once for a machine, in CuPy's cache.
    """
    known = dict(kinds)
    types = {**_FIXED, "A": accumulated(known), **known}
    numbers = [None if kind.endswith("[]") else np.dtype(types[kind]).type for kind in kernel.parameters.values()]
    module = array_module("gpu").RawModule(code=kernel.cuda_source(known), options=("-std=c++17",))
    return module.get_function(kernel.__name__), numbers


__all__ = ["DeviceFunction", "DeviceKernel", "device_function", "device_kernel", "launch"]
