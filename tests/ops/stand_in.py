"""A stand-in for CuPy: NumPy under another name, without what CuPy does not have; and what references may use."""

from __future__ import annotations

import dis
import functools
import json
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from paddle_lite.kernels.codegen.erf import erf
from paddle_lite.kernels.numba_jit import Inline, Jitted
from paddle_lite.ops.framework import registry

CUPY: dict[str, Any] = json.loads((Path(__file__).parent / "cupy_api.json").read_text())["names"]
"""The names that CuPy has, from the oldest to the newest that is supported, with their parameters (record_cupy_api.py)."""
OF_UFUNC = frozenset(["out", "dtype", "casting"])
METHODS_OF_UFUNC = frozenset(["at", "reduce", "accumulate", "reduceat", "outer"])

# What a reference may take from NumPy itself: types and settings, nothing that makes an array.
HARMLESS = frozenset(
    [
        "bool",
        "bool_",
        "dtype",
        "e",
        "errstate",
        "finfo",
        "float16",
        "float32",
        "float64",
        "floating",
        "generic",
        "iinfo",
        "inexact",
        "inf",
        "int16",
        "int32",
        "int64",
        "int8",
        "integer",
        "issubdtype",
        "nan",
        "ndarray",
        "newaxis",
        "number",
        "pi",
        "result_type",
        "signedinteger",
        "uint16",
        "uint32",
        "uint64",
        "uint8",
        "unsignedinteger",
        "broadcast_shapes",
        "prod",
    ]
)


class Module(types.ModuleType):
    """What references get as `xp` in the place of CuPy: NumPy, less the names and the parameters that CuPy lacks."""

    def __getattr__(self, name: str) -> Any:
        if name in ("lib", "linalg", "random"):
            return getattr(np, name)
        if name not in CUPY:
            raise AttributeError(f"CuPy has no {name}")
        kind, value = CUPY[name], getattr(np, name)
        return value if kind in ("class", "value") else Function(name, value, OF_UFUNC if kind == "ufunc" else kind)


class Function:
    """A function of NumPy that takes the keywords which CuPy's takes.

    keywords: their names; None if they are not known.
    """

    def __init__(self, name: str, function: Any, keywords: Any) -> None:
        self.__name__, self._function, self._keywords = name, function, keywords

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        unknown = [] if self._keywords is None else [key for key in kwargs if key not in self._keywords]
        if unknown:
            raise TypeError(f"CuPy's {self.__name__} takes no {unknown[0]}")
        return self._function(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if not isinstance(self._function, np.ufunc) or name not in METHODS_OF_UFUNC:
            raise AttributeError(f"CuPy's {self.__name__} has no {name}")
        return getattr(self._function, name)


module = Module("cupy_stand_in")
special = types.ModuleType("cupy_stand_inx.scipy.special")  # for CuPy it is cupyx.scipy.special
special.erf = erf  # type: ignore[attr-defined]
for name in ("cupy_stand_inx", "cupy_stand_inx.scipy"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules.setdefault(special.__name__, special)


def forget() -> None:
    """Drop what operators compiled for the stand-in, so that a real GPU gets its own."""
    for op in registry._ops.values():
        op.kernels.pop("gpu", None)
        op.gpu_call = None


def numpy_uses(function: Callable) -> Iterator[str]:
    """What a reference takes from NumPy instead of from `xp`, in itself and in the helpers of ours that it calls."""
    pending: list[Any] = [function]
    seen = set()
    while pending:
        current = pending.pop()
        code = getattr(current, "__code__", None)
        if code is None or code in seen:
            continue
        seen.add(code)
        pending += [c.cell_contents for c in current.__closure__ or () if _ours(c.cell_contents)]
        for value, member in _globals(code, current.__globals__):
            if value is np and member not in HARMLESS:
                yield f"{current.__qualname__}: numpy.{member}"
            elif _ours(value):
                pending.append(value)


def compiled_uses(function: Callable) -> Iterator[str]:
    """The kernels that a reference calls, in itself and in functions of paddle_lite, unless one asks `jit_available` first."""
    pending: list[Any] = [function]
    seen = set()
    while pending:
        current = pending.pop()
        code = getattr(current, "__code__", None)
        if code is None or code in seen or "jit_available" in code.co_names:
            continue
        seen.add(code)
        pending += [c.cell_contents for c in current.__closure__ or ()]
        for value, member in _globals(code, current.__globals__):
            value = getattr(value, member, value) if isinstance(value, types.ModuleType) else value
            if isinstance(value, Jitted) and not isinstance(value, Inline):
                yield f"{current.__qualname__}: {value.python.__qualname__}"
            elif isinstance(value, types.FunctionType) and value.__module__.startswith(("paddle_lite.", "tests.ops")):
                pending.append(value)


ON_HOST = "paddle_lite.ops.support.scalar_inputs"
"""Helpers that make NumPy numbers of attributes, which stay on the host."""


def _ours(value: Any) -> bool:
    if not isinstance(value, types.FunctionType) or value.__module__ == ON_HOST:
        return False
    return value.__module__.startswith(("paddle_lite.ops", "tests.ops"))


def _globals(code: types.CodeType, scope: dict[str, Any]) -> Iterator[tuple[Any, str]]:
    """Each global that code reads, with the attribute that is taken of it at once ("" for none)."""
    yield from ((scope[name], member) for name, member in _names(code) if name in scope)


@functools.cache
def _names(code: types.CodeType) -> list[tuple[str, str]]:
    """The name of each global that code reads, with the attribute that is taken of it at once ("" for none)."""
    instructions = list(dis.get_instructions(code))
    found = []
    for instruction, following in zip(instructions, [*instructions[1:], None]):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            takes = following is not None and following.opname in ("LOAD_ATTR", "LOAD_METHOD")
            found.append((instruction.argval, following.argval if takes and following else ""))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found += _names(constant)
    return found
