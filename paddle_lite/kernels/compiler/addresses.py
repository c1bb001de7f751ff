"""Access to arrays through the addresses of their objects (`kernels/array_pointers.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..object_layout import DATA_AT
from .arithmetic import cast
from .errors import Unsupported
from .types import I8, Array
from .values import Value, is_array

if TYPE_CHECKING:
    from .functions import FunctionCompiler

__all__ = ["array_at", "word_at"]


def word_at(f: FunctionCompiler, address: Value) -> Value:
    """Return the 8-byte integer at an address."""
    f.module.reads_objects = True
    f.effects += 1
    place = f.text.set(f"inttoptr i64 {cast(f, address, I8).ref} to ptr")
    return Value(I8, (f.text.set(f"load i64, ptr {place}, align 4"),))


def array_at(f: FunctionCompiler, address: Value, size: Value, like: Value) -> Value:
    """Return the contiguous array whose object is at an address, flattened."""
    if not is_array(like):
        raise Unsupported("array_at without an array as the example of the dtype")
    f.module.reads_objects = True
    f.effects += 1
    field = f.text.set(f"add i64 {cast(f, address, I8).ref}, {DATA_AT}")
    data = f.text.set(f"load ptr, ptr {f.text.set(f'inttoptr i64 {field} to ptr')}")
    return Value(Array(like.type.element, 1), (data, cast(f, size, I8).ref))
