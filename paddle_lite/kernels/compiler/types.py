"""The types of the kernel language, and the rules that combine them.

A type describes how a value is held: a number, an array, a vector of numbers, a tuple, a slice, or a Python object that
is known when the kernel is compiled. Every value consists of `parts`, each of which is one LLVM value; a tuple's parts
are those of its items one after another.

The rules of promotion are Numba's, which the tests compare with these tables for every pair of types: sums of integers
have 64 bits; float32 with an integer of 32 bits or more makes float64.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np

from .errors import Unsupported

__all__ = [
    "BOOL",
    "F4",
    "F8",
    "I4",
    "I8",
    "NONE",
    "NUMBERS",
    "U8",
    "Array",
    "Known",
    "Number",
    "Slice",
    "Tuple",
    "Type",
    "Vector",
    "arithmetic_type",
    "comparison_type",
    "parts_of",
    "unify",
]

VECTOR_BYTES = 64
_WORDS = {"b1": "i1", "f2": "half", "f4": "float", "f8": "double"}
_WORDS |= {f"{kind}{size}": f"i{8 * size}" for kind in "iu" for size in (1, 2, 4, 8)}


class Number(NamedTuple):
    """A number; `code` is NumPy's, such as f4 or u1, and b1 for a truth value."""

    code: str

    @property
    def kind(self) -> str:
        """Return b, i, u or f."""
        return self.code[0]

    @property
    def size(self) -> int:
        """Return the number of bytes in memory."""
        return int(self.code[1:])

    @property
    def bits(self) -> int:
        """Return the number of bits of the value, 1 for a truth value."""
        return 1 if self.kind == "b" else 8 * self.size

    @property
    def word(self) -> str:
        """Return LLVM's type of the value."""
        return _WORDS[self.code]

    @property
    def stored(self) -> str:
        """Return LLVM's type in memory, where a truth value occupies a byte."""
        return "i8" if self.kind == "b" else self.word

    @property
    def dtype(self) -> np.dtype:
        """Return NumPy's dtype."""
        return np.dtype("?" if self.kind == "b" else self.code)


class Array(NamedTuple):
    """An array of numbers.

    layout: "C" for contiguous; "I" if only the elements of the last dimension are adjacent; "A" for any strides. mutable:
    whether it may be written to.
    """

    element: Number
    rank: int
    layout: str = "C"
    mutable: bool = True


class Vector(NamedTuple):
    """A vector of 64 bytes (`kernels/simd.py`)."""

    element: Number

    @property
    def lanes(self) -> int:
        """Return the number of elements."""
        return VECTOR_BYTES // self.element.size

    @property
    def word(self) -> str:
        """Return LLVM's type."""
        return f"<{self.lanes} x {self.element.word}>"


class Tuple(NamedTuple):
    """A tuple, each item with a type of its own."""

    items: tuple[Any, ...]


class Slice(NamedTuple):
    """A slice without a step; each of its bounds is either a number or absent."""

    lower: bool
    upper: bool


class Known(NamedTuple):
    """A Python object that is known when the kernel is compiled: a function, a module, a dtype, None."""

    value: Any


Type = Union[Number, Array, Vector, Tuple, Slice, Known]  # noqa: UP007  `|` of NamedTuples needs no import at run time

BOOL, I1, I2, I4, I8, U1, U2, U4, U8, F2, F4, F8 = NUMBERS = tuple(
    Number(code) for code in ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
)
NONE = Known(None)
EXACT_IN_F4 = (BOOL, I1, I2, U1)  # with these, float32 stays float32


def parts_of(type: Type) -> list[str]:
    """Return LLVM's types of the parts of a value."""
    if isinstance(type, (Number, Vector)):
        return [type.word]
    if isinstance(type, Array):
        strides = {"C": 0, "I": type.rank - 1, "A": type.rank}[type.layout]
        return ["ptr", *["i64"] * (type.rank + strides)]
    if isinstance(type, Tuple):
        return [part for item in type.items for part in parts_of(item)]
    if isinstance(type, Slice):
        return ["i64"] * (type.lower + type.upper)
    return []


def _loaded(type: Number) -> Number:
    """Return the type of computation: a float16 number is computed as float32."""
    return F4 if type == F2 else type


def _float_type(a: Number, b: Number) -> Number:
    """Return the type of arithmetic of two numbers of which one is floating."""
    if {a, b} <= {F4, *EXACT_IN_F4}:
        return F4
    return F8


def arithmetic_type(sign: str, a: Number, b: Number) -> Number:
    """Return the type in which two numbers are combined by an operator such as + or <<."""
    a, b = _loaded(a), _loaded(b)
    floating = "f" in (a.kind, b.kind)
    if floating and sign in ("&", "|", "^", "<<", ">>"):
        raise Unsupported(f"{a.code} {sign} {b.code}")
    if floating:
        return _float_type(a, b)
    if sign in ("<<", ">>"):
        return U8 if a.kind == "u" else I8
    if a == b == BOOL and sign in ("&", "|", "^"):
        return BOOL
    return U8 if a.kind == b.kind == "u" else I8


def comparison_type(a: Number, b: Number) -> Number:
    """Return the type in which two numbers are compared."""
    if "f" in (a.kind, b.kind):
        return _float_type(_loaded(a), _loaded(b))
    return unify(a, b)


def unify(a: Any, b: Any) -> Any:
    """Return the type of a variable that holds values of both types; raise Unsupported if there is none."""
    if a == b:
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        return _unify_numbers(_loaded(a), _loaded(b))
    if isinstance(a, Array) and isinstance(b, Array) and (a.element, a.rank) == (b.element, b.rank):
        return Array(a.element, a.rank, max(a.layout, b.layout, key="CIA".index), a.mutable and b.mutable)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        return Tuple(tuple(map(unify, a.items, b.items)))
    raise Unsupported(f"a value is {describe(a)} on one path and {describe(b)} on another")


def _unify_numbers(a: Number, b: Number) -> Number:
    """Return the smallest type that holds both."""
    if a.kind == "b" or b.kind == "b":
        return b if a.kind == "b" else a
    if "f" in (a.kind, b.kind):
        return F4 if {a, b} <= {F4, *EXACT_IN_F4, U2} else F8
    if a.kind == b.kind:
        return max(a, b, key=lambda type: type.size)
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    if signed.size > unsigned.size:
        return signed
    return F8 if unsigned == U8 else Number(f"i{2 * unsigned.size}")


def describe(type: Any) -> str:
    """Return a type in words, for errors."""
    if isinstance(type, Number):
        return str(type.dtype)
    if isinstance(type, Array):
        kind = {"C": "contiguous ", "I": "", "A": "strided "}[type.layout]
        return f"a {kind}array of {type.element.dtype} with rank {type.rank}"
    if isinstance(type, Vector):
        return f"a vector of {type.element.dtype}"
    if isinstance(type, Tuple):
        return "(" + ", ".join(map(describe, type.items)) + ")"
    return "a slice" if isinstance(type, Slice) else repr(type.value)
