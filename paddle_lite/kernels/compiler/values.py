"""Values of the kernel language while a function is being written: a type and the LLVM values that hold it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .errors import Unsupported
from .types import BOOL, F8, I8, NUMBERS, U8, Array, Known, Number, Tuple, parts_of

__all__ = ["Value", "constant", "known", "of_parts", "size_value", "split_tuple", "tuple_of"]


class Value(NamedTuple):
    """A value.

    refs: the LLVM value of each part of the type. natural: whether the number is certainly not negative, so that it can
    index an array as it is. exact: the value of an integer constant, or None.
    """

    type: Any
    refs: tuple[str, ...] = ()
    natural: bool = False
    exact: int | None = None

    @property
    def ref(self) -> str:
        """Return the only part of a number or a vector."""
        return self.refs[0]

    # --- arrays -----------------------------------------------------------------------------------------------------------

    @property
    def data(self) -> str:
        """Return the address of an array's first element."""
        return self.refs[0]

    @property
    def sizes(self) -> tuple[str, ...]:
        """Return the sizes of an array's dimensions."""
        return self.refs[1 : 1 + self.type.rank]

    @property
    def strides(self) -> tuple[str, ...]:
        """Return the strides of an array in bytes, those that its layout does not imply."""
        return self.refs[1 + self.type.rank :]


_OF_DTYPE = {number.dtype: number for number in NUMBERS}


def number_of(dtype: Any) -> Number:
    """Return the type of a NumPy dtype."""
    found = _OF_DTYPE.get(np.dtype(dtype))
    if found is None:
        raise Unsupported(f"numbers of dtype {dtype}")
    return found


def constant(value: Any, type: Number | None = None) -> Value:
    """Return the value of a Python or NumPy number; the type is that of the number unless given."""
    if type is None:
        type = number_of(value.dtype) if isinstance(value, np.generic) else _plain_type(value)
    if type.kind == "f":
        number = float(type.dtype.type(value))
        return Value(type, (f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}",))
    if type == BOOL:
        return Value(type, ("true" if value else "false",), True)
    return Value(type, (str(int(value)),), int(value) >= 0, int(value))


def _plain_type(value: Any) -> Number:
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, float):
        return F8
    if not isinstance(value, int) or not -(2**63) <= value < 2**64:
        raise Unsupported(f"the constant {value!r}")
    return I8 if value < 2**63 else U8


def known(value: Any) -> Value:
    """Return a Python object that is known now; a number becomes a constant, a tuple a tuple of such values."""
    if isinstance(value, (bool, int, float, np.bool_, np.number)):
        return constant(value)
    if isinstance(value, tuple):
        return tuple_of([known(item) for item in value])
    return Value(Known(value))


def tuple_of(items: Sequence[Value]) -> Value:
    """Return a tuple of values."""
    return Value(Tuple(tuple(item.type for item in items)), tuple(ref for item in items for ref in item.refs))


def split_tuple(value: Value) -> list[Value]:
    """Return the items of a tuple."""
    if not isinstance(value.type, Tuple):
        raise Unsupported("something other than a tuple is unpacked")
    return of_parts(value.type.items, value.refs)


def of_parts(types: Sequence[Any], refs: Sequence[str]) -> list[Value]:
    """Return values of these types from the parts of all of them, one after another."""
    found, at = [], 0
    for type in types:
        count = len(parts_of(type))
        found.append(Value(type, tuple(refs[at : at + count])))
        at += count
    return found


def size_value(ref: str) -> Value:
    """Return the value of a size or an index that is not negative."""
    return Value(I8, (ref,), True, int(ref) if ref.isdigit() else None)


def is_number(value: Value) -> bool:
    """Return whether a value is a number."""
    return isinstance(value.type, Number)


def is_array(value: Value) -> bool:
    """Return whether a value is an array."""
    return isinstance(value.type, Array)
