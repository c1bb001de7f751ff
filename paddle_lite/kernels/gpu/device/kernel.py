"""`@device_kernel` and `launch`: from a call of a kernel to a compiled function for the dtypes of its arrays."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from ....core.errors import ArgumentTypeError, ArgumentValueError, message
from ...registry import array_module
from . import grid
from .prelude import HEADERS, LISTS, MOST_TOGETHER, PRELUDE, TYPES
from .translate import Translation

WARP = 32
LARGE_GRID, FEW_THREADS = 8, 4  # blocks of which Python runs few threads
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
            if kind.partition("[")[0] not in (*PARAMETERS, "A", *_FIXED):
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
        """Return the numbers of the parameters that are arrays, or lists of them, which the function writes."""
        stored = {name.partition("[")[0] for name in self.translated()[0].stored}
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
            element, _, dims = kind.partition("[")
            for each in value if dims == "][]" else [value] if dims == "]" else []:
                dtype = getattr(each, "dtype", None)
                fixed = accumulated(found) if element == "A" else _FIXED.get(element)
                wanted = found.setdefault(element, dtype) if fixed is None else np.dtype(fixed)
                if dtype is None or dtype != wanted or not each.flags.c_contiguous:
                    got = f"{type(each).__name__} of {dtype}"
                    needs = f"a contiguous array of {wanted}"
                    raise ArgumentTypeError(message(f"device kernel {self.__name__}", name, got, needs))
            if dims in ("][]", "...]") and len(value) > MOST_TOGETHER:
                needs = f"{MOST_TOGETHER} at most, which fit into the arguments of a kernel"
                raise ArgumentValueError(
                    message(f"device kernel {self.__name__}", name, f"{len(value)} of them", needs)
                )
        return found

    def cuda_source(self, kinds: dict[str, Any]) -> str:
        """Return the CUDA C for some dtypes, with the functions that it needs.

        Arguments:
            kinds: the dtype of each type parameter, as `kinds` returns them.
        """
        definitions: dict[str, str] = {}
        _define(self, definitions)
        dtypes = {name: np.dtype(kind).name for name, kind in kinds.items()}
        named = [*dtypes.values(), *(kind.partition("[")[0] for kind in self.parameters.values())]
        headers = "".join(dict.fromkeys(HEADERS[each] for each in named if each in HEADERS))
        types = "".join(f"typedef {TYPES[dtype]} {name};\n" for name, dtype in dtypes.items())
        types += f"typedef {TYPES[np.dtype(accumulated(kinds)).name]} A;\ntypedef long long int64_type;\n"
        lists = LISTS if any("[][]" in kind or "[...]" in kind for kind in self.parameters.values()) else ""
        return f"{headers}{types}{PRELUDE}{lists}{''.join(definitions.values())}"


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
    if xp.__name__ != "cupy":  # NumPy stands for CuPy, or the stand-in with arrays of its own
        _simulated(xp, kernel, kinds, blocks, arguments)
        return
    function, forms = _compiled(kernel, tuple(kinds.items()))
    given = [value if form is None else form(value) for form, value in zip(forms, arguments, strict=True)]
    function((blocks,), (threads,), tuple(given))


def _simulated(xp: Any, kernel: DeviceKernel, kinds: dict[str, Any], blocks: int, arguments: Sequence[Any]) -> None:
    """Run a kernel in Python, one thread after the other.

    A block has the threads of one warp; of a larger grid without barriers it has fewer, which takes less time.
    """
    waits = inspect.isgeneratorfunction(kernel.device_function)
    threads = WARP if waits or blocks < LARGE_GRID else FEW_THREADS
    types = {name: np.dtype(kind).type for name, kind in kinds.items()}
    types["A"] = accumulated(kinds)
    scope = {**types, **_FIXED, "bool": bool, "int64": int, "int32": grid.whole32}
    counts = {name: len(v) for name, v in zip(kernel.parameters, arguments, strict=True) if isinstance(v, list)}

    def run(bound: dict[str, Any]) -> None:
        flat = {key: v.reshape(-1).view(np.ndarray) if isinstance(v, np.ndarray) else v for key, v in bound.items()}
        lists = {name: [flat[f"{name}[{i}]"] for i in range(count)] for name, count in counts.items()}
        whole = {name: lists[name] if name in lists else flat[name] for name in kernel.parameters}
        grid.run(kernel.device_function, scope, blocks, threads, whole)

    bound: dict[str, Any] = {}
    for name, value in zip(kernel.parameters, arguments, strict=True):
        bound |= {f"{name}[{i}]": v for i, v in enumerate(value)} if name in counts else {name: value}
    if xp is np:
        run(bound)
    else:
        names = [*kernel.parameters]
        written = {names[number] for number in _written(kernel)}
        xp.interpret(run, bound, [key for key in bound if key.partition("[")[0] in written])


@cache
def _written(kernel: DeviceKernel) -> tuple[int, ...]:
    return tuple(kernel.written())


@cache
def _compiled(kernel: DeviceKernel, kinds: tuple) -> Any:
    """Return the function of CuPy for some dtypes, and for each parameter what makes an argument; None for arrays.

    NVRTC compiles the function once for a machine, in CuPy's cache.
    """
    known = dict(kinds)
    types = {**_FIXED, "A": accumulated(known), **known}
    forms: list[Any] = []
    for kind in kernel.parameters.values():
        element, _, dims = kind.partition("[")
        number = np.dtype(types[element]).type
        forms.append({"": number, "]": None, "][]": _addresses, "...]": partial(_numbers, number)}[dims])
    module = array_module("gpu").RawModule(code=kernel.cuda_source(known), options=("-std=c++17",))
    return module.get_function(kernel.__name__), forms


def _addresses(arrays: list) -> np.ndarray:
    """Return the addresses of arrays on the device, which CuPy passes by value, as it does any array of NumPy."""
    found = np.zeros(MOST_TOGETHER, np.uint64)
    found[: len(arrays)] = [each.data.ptr for each in arrays]
    return found


def _numbers(number: Any, values: list) -> np.ndarray:
    found = np.zeros(MOST_TOGETHER, number)
    found[: len(values)] = values
    return found


__all__ = ["DeviceFunction", "DeviceKernel", "device_function", "device_kernel", "launch"]
