"""What the machine code of a kernel depends on: its code as loaded, constants and globals."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, EllipsisType, FunctionType, ModuleType
from typing import Any

import numpy as np

__all__ = ["code_contents", "globals_used", "stable"]

_PRINTED = (bool, int, float, complex, str, bytes, slice, type(None), EllipsisType)


def globals_used(python: FunctionType) -> list[tuple[str, Any]]:
    """Return the globals that a function refers to, sorted by name."""
    names = {name for code in _nested(python.__code__) for name in code.co_names}
    return [(name, python.__globals__[name]) for name in sorted(names) if name in python.__globals__]


def _nested(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def code_contents(code: CodeType) -> Iterator[object]:
    """Yield what a code object does, without its docstrings and its place in the source."""
    for part in _nested(code):
        constants: list[object] = [stable(c) for c in part.co_consts if not isinstance(c, CodeType)]
        if constants and isinstance(part.co_consts[0], str):  # the docstring
            constants[0] = None
        yield part.co_name, part.co_code, part.co_names, part.co_varnames, part.co_argcount, constants


def stable(value: object) -> object:
    """Return a representation of a constant whose repr is the same in every process."""
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [stable(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, _PRINTED):
        return type(value).__name__, repr(value)
    if isinstance(value, ModuleType):
        return "module", value.__name__
    if isinstance(value, np.ufunc):
        return "ufunc", value.__name__
    if isinstance(value, np.dtype):
        return "dtype", value.str
    named = value if hasattr(value, "__qualname__") else type(value)  # an instance means nothing to a compiler
    return type(value).__name__, named.__module__, named.__qualname__
