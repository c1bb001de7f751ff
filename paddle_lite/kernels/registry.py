"""The registry of kernels by operator and device.

A kernel is a function `kernel(*inputs, **attrs)` over arrays, registered by `@kernel("conv2d")` in
`kernels/cpu/<folder>/<file>_kernels.py` or `kernels/gpu/<folder>/<file>_kernels.py`, where `ops/<folder>/<file>.py`
declares the operator. It is imported at the operator's first use; an operator without a kernel runs its reference. A
kernel with a parameter `reference` gets the reference there, and calls it for inputs that it does not support (few
elements, rare dtypes). A gradient kernel with a parameter `into` gets an array for each gradient there, or None: it may write the
gradient there and return that array (ops/framework/gradient_places.py).

Where nothing is compiled (availability.py), an operator runs its reference on the CPU, too, unless its kernel is declared
with `compiled=False`.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..core import place
from ..core.errors import ArgumentValueError, message
from ..core.indexed import OnGpu
from .availability import jit_available
from .threads import set_blas_threads

_kernels: dict[tuple[str, str], Callable] = {}
_compiled: set[str] = set()  # operators of which the kernel on the CPU calls compiled functions
_gpu_module: Any = None
_runs_gpu_kernels = True  # not where a replacement of CuPy runs references only
_most_elements: int | None = None  # beyond which a replacement of CuPy runs references, too
references_used: set[tuple[str, str]] = set()  # (operator, device) that run their reference; benchmarks read it


def kernel(*types: str, device: str = "cpu", compiled: bool = True) -> Callable[[Callable], Callable]:
    """Register a function as the kernel of operators on a device.

    compiled: whether it calls compiled functions. One that does not, or that has NumPy forms of them, also runs where
    nothing is compiled.
    """

    def add(function: Callable) -> Callable:
        for type in types:
            known = _kernels.get((type, device))
            if known is not None and not _same_function(known, function):
                got = f"{_name_of(function)} beside {_name_of(known)}"
                raise ArgumentValueError(message(f"operator {type}", f"kernel on {device}", got, "one of them only"))
            _kernels[type, device] = function
            if compiled and device == "cpu":
                _compiled.add(type)
        return function

    return add


def _name_of(function: Any) -> str:
    """Return the module and the name of a kernel."""
    return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', function)}"


def _same_function(known: Any, function: Any) -> bool:
    """Return whether a function outside of paddle_lite is registered again, as when a notebook cell is run again."""
    outside = getattr(function, "__module__", None) or "paddle_lite"
    return outside.partition(".")[0] != "paddle_lite" and _name_of(known) == _name_of(function)


def registered(type: str, device: str) -> Callable | None:
    """Return the function that is registered as the kernel of an operator on a device; None where there is none yet."""
    return _kernels.get((type, device))


def array_module(device: str) -> Any:
    """Return NumPy for the CPU; for a GPU CuPy, or the module that `use_gpu_module` has set."""
    if device == "cpu":
        return np
    return _gpu_module if _gpu_module is not None else importlib.import_module("cupy")


def use_gpu_module(module: Any, kernels: bool = False, most: int | None = None) -> None:
    """Replace CuPy by another array module (for tests without a GPU); None restores CuPy.

    Arguments:
        module: NumPy, or a module that has its names, such as `kernels.gpu.stand_in.StandIn`.
        kernels: whether kernels for GPUs run, too, thread by thread in Python; otherwise operators run their references.
        most: a call with an array of more elements runs its reference nevertheless; None for no limit.
    """
    global _gpu_module, _runs_gpu_kernels, _most_elements
    _gpu_module, _runs_gpu_kernels, _most_elements = module, module is None or kernels, most
    cuda = getattr(module, "cuda", None)
    place.StandIn.count = 0 if module is None else 1 if cuda is None else cuda.runtime.getDeviceCount()


def _indexed_on_gpu() -> Any:
    """Return the module of sums and writes at indices on a GPU; None where references only run."""
    return importlib.import_module(f"{__package__}.gpu.support.indexed") if _runs_gpu_kernels else None


OnGpu.functions = _indexed_on_gpu


def module_exists(name: str) -> bool:
    """Return whether a module of this name exists; its package may be missing as well."""
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def find_kernel(type: str, family: str, device: str, reference: Callable) -> Callable:
    """Return the kernel of an operator on a device, or its reference bound to the device's array module."""
    set_blas_threads()
    if device == "cpu" or _runs_gpu_kernels:
        name = f"{__package__}.{device}.{family}_kernels"
        if module_exists(name):
            importlib.import_module(name)
        found = _kernels.get((type, device))
        if found is not None and device == "cpu" and type in _compiled and not jit_available():
            found = None
        if found is not None and device == "gpu" and _most_elements is not None:
            found = partial(_of_few_elements, found)
        if found is not None and "reference" in inspect.signature(found).parameters:
            return partial(found, reference=partial(reference, array_module(device)))
        if found is not None:
            return found
    references_used.add((type, device))
    return partial(reference, array_module(device))


def _of_few_elements(kernel: Callable, *inputs: Any, reference: Callable, **attrs: Any) -> Any:
    """Run a kernel thread by thread if that takes not too long, else the reference."""
    if too_large(inputs):
        return reference(*inputs, **attrs)
    given = {"reference": reference} if "reference" in inspect.signature(kernel).parameters else {}
    return kernel(*inputs, **given, **attrs)


def too_large(arrays: Any) -> bool:
    """Return whether one of some arrays has too many elements to run a kernel thread by thread."""
    most = _most_elements
    return most is not None and any(getattr(each, "size", 0) > most for each in arrays)


def elementwise_kernel(spec: Any) -> Callable | None:
    """Return the CuPy kernel of a generated pointwise expression; None if another module replaces CuPy."""
    if _gpu_module is not None:
        return None
    from .gpu.pointwise import build

    return build(spec)
