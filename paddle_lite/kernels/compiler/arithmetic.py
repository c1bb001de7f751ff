"""Arithmetic of numbers: casts, operators, comparisons, minima and maxima, mathematical functions.

Each function writes instructions through an `Emitter` and returns the value of the result. What happens at the edges is
what Numba does with NumPy's error model: a division of integers by zero gives 0, one of floats infinity or NaN.
"""

from __future__ import annotations

import struct
from typing import Any

from .errors import Unsupported
from .text import FunctionText
from .types import (
    BOOL,
    F4,
    F8,
    I8,
    U8,
    Number,
    Tuple,
    Vector,
    arithmetic_type,
    comparison_type,
    describe,
    parts_of,
    unify,
)
from .values import Value, constant, is_number, split_tuple, tuple_of

__all__ = [
    "Emitter",
    "absolute",
    "binary",
    "cast",
    "choose",
    "compare",
    "convert",
    "extreme",
    "invert",
    "math_call",
    "negative",
    "power",
    "truth",
]

_FLOAT = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
_INTEGER = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl"}
_ORDERED = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_SIGNED = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_NATURAL = {"+", "*", "//", "%", "&", "|", "^", ">>", "<<"}  # of numbers that are not negative, neither is the result


class Emitter:
    """What functions that write instructions need.

    Attributes:
        text: the function that is being written.
        declarations: the declarations that the module needs.
        flags: LLVM's fast-math flags of floating-point instructions, such as "contract nsz ".
    """

    def __init__(self, declarations: set[str], flags: str) -> None:
        self.text = FunctionText()
        self.declarations = declarations
        self.flags = flags

    def call(self, result: str, function: str, arguments: list[tuple[str, str]], flags: str = "") -> str:
        """Call a function outside of the module, or an intrinsic; return the result's name, "" for void."""
        words = ", ".join(word for word, _ in arguments)
        given = ", ".join(f"{word} {ref}" for word, ref in arguments)
        self.declarations.add(f"declare {result} @{function}({words})")
        instruction = f"call {flags}{result} @{function}({given})"
        if result != "void":
            return self.text.set(instruction)
        self.text.do(instruction)
        return ""


def cast(e: Emitter, value: Value, to: Any) -> Value:
    """Convert a number to the type of another."""
    if value.type == to:
        return value
    if not is_number(value) or not isinstance(to, Number):
        raise Unsupported(f"{describe(value.type)} where {describe(to)} is needed")
    if value.exact is not None and to.kind in "iuf":
        return _cast_constant(value, to)
    if value.ref.startswith("0x") and to.kind == "f":
        return constant(struct.unpack("<d", struct.pack("<Q", int(value.ref, 16)))[0], to)
    if to == BOOL:
        return truth(e, value)
    return Value(
        to, (e.text.set(_conversion(value, to)),), value.natural and to.kind != "f" and _widens(value.type, to)
    )


def _cast_constant(value: Value, to: Number) -> Value:
    """Convert an integer constant."""
    exact = value.exact or 0
    if to.kind == "f":
        return constant(exact, to)
    wrapped = exact & (2**to.bits - 1)
    if to.kind == "i" and wrapped >= 2 ** (to.bits - 1):
        wrapped -= 2**to.bits
    return constant(wrapped, to)


def _widens(of: Number, to: Number) -> bool:
    return to.bits > of.bits or (to.bits == of.bits and to.kind == of.kind)


def _conversion(value: Value, to: Number) -> str:
    """Return the instruction that converts a number."""
    of, given = value.type, f"{value.type.word} {value.ref}"
    if of.kind == to.kind == "f":
        return f"{'fpext' if to.size > of.size else 'fptrunc'} {given} to {to.word}"
    if of.kind == "f":
        return f"{'fptosi' if to.kind == 'i' else 'fptoui'} {given} to {to.word}"
    if to.kind == "f":
        return f"{'sitofp' if of.kind == 'i' else 'uitofp'} {given} to {to.word}"
    if to.bits == of.bits:
        return f"bitcast {given} to {to.word}"
    if to.bits < of.bits:
        return f"trunc {given} to {to.word}"
    return f"{'sext' if of.kind == 'i' else 'zext'} {given} to {to.word}"


def convert(e: Emitter, value: Value, to: Any) -> Value:
    """Convert a value to the type that unites it with others; tuples item by item, arrays to a looser layout."""
    if value.type == to:
        return value
    if isinstance(to, Tuple):
        return tuple_of([convert(e, *pair) for pair in zip(split_tuple(value), to.items, strict=True)])
    if isinstance(to, Number):
        return cast(e, value, to)
    from .arrays import loosen  # not above: arrays need this module

    return loosen(e, value, to)


def truth(e: Emitter, value: Value) -> Value:
    """Return whether a number is not zero."""
    if value.type == BOOL:
        return value
    if not is_number(value):
        raise Unsupported(f"the truth of {describe(value.type)}")
    zero = "fcmp une {0}, 0.0" if value.type.kind == "f" else "icmp ne {0}, 0"
    return Value(BOOL, (e.text.set(zero.format(f"{value.type.word} {value.ref}")),), True)


def binary(e: Emitter, sign: str, a: Value, b: Value) -> Value:
    """Return a + b, or another operator."""
    if isinstance(a.type, Vector) or isinstance(b.type, Vector):
        return _of_vectors(e, sign, a, b)
    if not is_number(a) or not is_number(b):
        raise Unsupported(f"{describe(a.type)} {sign} {describe(b.type)}")
    if sign == "**":
        return power(e, a, b)
    type = arithmetic_type(sign, a.type, b.type)
    if sign == "/" and type.kind != "f":
        type = F8
    natural = a.natural and b.natural and sign in _NATURAL
    a, b = cast(e, a, type), cast(e, b, type)
    if a.exact is not None and b.exact is not None and sign in _FOLDED:
        folded = _FOLDED[sign](a.exact, b.exact)
        return cast(e, Value(I8, (str(folded),), folded >= 0, folded), type)
    if type.kind == "f":
        return Value(type, (_of_floats(e, sign, type, a.ref, b.ref),))
    same = _unchanged(sign, a, b)
    if same is not None:
        return same
    if sign in ("//", "%"):
        return Value(type, (_divide(e, sign, type, a, b),), natural)
    if sign == ">>":
        return Value(
            type, (e.text.set(f"{'lshr' if type.kind == 'u' else 'ashr'} {type.word} {a.ref}, {b.ref}"),), natural
        )
    wraps = " nsw" if type.kind == "i" and sign in "+-*" else ""
    return Value(type, (e.text.set(f"{_INTEGER[sign]}{wraps} {type.word} {a.ref}, {b.ref}"),), natural)


def _unchanged(sign: str, a: Value, b: Value) -> Value | None:
    """Return the result of adding 0 to an integer, or of multiplying it by 0 or 1; None for anything else."""
    if (sign == "+" and b.exact == 0) or (sign == "*" and b.exact == 1):
        return a
    if (sign == "+" and a.exact == 0) or (sign == "*" and a.exact == 1):
        return b
    if sign == "*" and 0 in (a.exact, b.exact):
        return constant(0, a.type)
    return None


_FOLDED: dict[str, Any] = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}


def _of_vectors(e: Emitter, sign: str, a: Value, b: Value) -> Value:
    """Combine two vectors, or a vector and a number."""
    from .vectors import spread  # not above: vectors need this module

    type = a.type if isinstance(a.type, Vector) else b.type
    if sign not in ("+", "-", "*"):
        raise Unsupported(f"{sign} of vectors")
    pair = [v.ref if isinstance(v.type, Vector) else spread(e, cast(e, v, type.element)).ref for v in (a, b)]
    return Value(type, (e.text.set(f"{_FLOAT[sign]} nsz contract {type.word} {pair[0]}, {pair[1]}"),))


def _of_floats(e: Emitter, sign: str, type: Number, a: str, b: str) -> str:
    """Combine two floating-point numbers."""
    if sign in _FLOAT:
        return e.text.set(f"{_FLOAT[sign]} {e.flags}{type.word} {a}, {b}")
    if sign not in ("//", "%"):
        raise Unsupported(f"{sign} of floating-point numbers")
    word, zero = type.word, "0.0"
    rest = e.text.set(f"frem {word} {a}, {b}")
    below = [e.text.set(f"fcmp olt {word} {each}, {zero}") for each in (b, rest)]
    apart = e.text.set(f"xor i1 {below[0]}, {below[1]}")
    wrong = e.text.set(f"and i1 {apart}, {e.text.set(f'fcmp one {word} {rest}, {zero}')}")
    moved = e.text.set(f"fadd {word} {rest}, {b}")
    rest = e.text.set(f"select i1 {wrong}, {word} {moved}, {word} {rest}")
    if sign == "%":
        none = e.text.set(f"fcmp oeq {word} {rest}, {zero}")
        signed = e.call(word, f"llvm.copysign.{_suffix(type)}", [(word, zero), (word, b)])
        return e.text.set(f"select i1 {none}, {word} {signed}, {word} {rest}")
    whole = e.text.set(f"fdiv {word} {e.text.set(f'fsub {word} {a}, {rest}')}, {b}")
    return e.call(word, f"llvm.rint.{_suffix(type)}", [(word, whole)])


def _divide(e: Emitter, sign: str, type: Number, a: Value, b: Value) -> str:
    """Divide integers, rounding down; x // 0 and x % 0 are 0."""
    word, divisor = type.word, b.ref
    if b.exact is not None and b.exact > 0 and b.exact & (b.exact - 1) == 0:
        shift = "lshr" if type.kind == "u" else "ashr"
        return e.text.set(f"{shift} {word} {a.ref}, {b.exact.bit_length() - 1}" if sign == "//" else f"and {word} {a.ref}, {b.exact - 1}")  # fmt: skip
    unsafe = "false"
    if b.exact is None or b.exact in (0, -1):
        unsafe = e.text.set(f"icmp eq {word} {divisor}, 0")
        if type.kind == "i":  # the smallest integer divided by -1 traps
            unsafe = e.text.set(f"or i1 {unsafe}, {e.text.set(f'icmp eq {word} {divisor}, -1')}")
        divisor = e.text.set(f"select i1 {unsafe}, {word} 1, {word} {divisor}")
    letter = "u" if type.kind == "u" or (a.natural and b.natural) else "s"
    quotient = e.text.set(f"{letter}div {word} {a.ref}, {divisor}")
    rest = e.text.set(f"{letter}rem {word} {a.ref}, {divisor}")
    if letter == "s":
        apart = e.text.set(f"icmp slt {word} {e.text.set(f'xor {word} {rest}, {divisor}')}, 0")
        wrong = e.text.set(f"and i1 {apart}, {e.text.set(f'icmp ne {word} {rest}, 0')}")
        quotient = e.text.set(f"sub {word} {quotient}, {e.text.set(f'zext i1 {wrong} to {word}')}")
        rest = e.text.set(f"add {word} {rest}, {e.text.set(f'select i1 {wrong}, {word} {divisor}, {word} 0')}")
    if sign == "%":
        return rest if unsafe == "false" else e.text.set(f"select i1 {unsafe}, {word} 0, {word} {rest}")
    if unsafe == "false":
        return quotient
    return e.text.set(f"select i1 {unsafe}, {word} {e.text.set(f'mul {word} {a.ref}, {b.ref}')}, {word} {quotient}")


def negative(e: Emitter, value: Value) -> Value:
    """Return -value."""
    if value.exact is not None:
        return binary(e, "-", constant(0), value)
    if is_number(value) and value.type.kind == "f":
        return Value(value.type, (e.text.set(f"fneg {value.type.word} {value.ref}"),))
    if not is_number(value):
        raise Unsupported(f"-{describe(value.type)}")
    type = U8 if value.type.kind == "u" else I8
    return Value(type, (e.text.set(f"sub {type.word} 0, {cast(e, value, type).ref}"),))


def invert(e: Emitter, value: Value) -> Value:
    """Return ~value."""
    type = BOOL if value.type == BOOL else arithmetic_type("&", value.type, value.type)
    ones = "true" if type == BOOL else "-1"
    return Value(type, (e.text.set(f"xor {type.word} {cast(e, value, type).ref}, {ones}"),))


def compare(e: Emitter, sign: str, a: Value, b: Value) -> Value:
    """Return a < b, or another comparison."""
    if not is_number(a) or not is_number(b):
        raise Unsupported(f"{describe(a.type)} {sign} {describe(b.type)}")
    type = comparison_type(a.type, b.type)
    a, b = cast(e, a, type), cast(e, b, type)
    if type.kind == "f":
        return Value(BOOL, (e.text.set(f"fcmp {e.flags}{_ORDERED[sign]} {type.word} {a.ref}, {b.ref}"),))
    name = _SIGNED[sign]
    if type.kind != "i" and name[0] == "s":
        name = "u" + name[1:]
    return Value(BOOL, (e.text.set(f"icmp {name} {type.word} {a.ref}, {b.ref}"),))


def choose(e: Emitter, test: Value, a: Value, b: Value) -> Value:
    """Return a if the test is true, else b; both are evaluated."""
    type = unify(a.type, b.type)
    natural = a.natural and b.natural
    a, b = convert(e, a, type), convert(e, b, type)
    refs = tuple(
        x if x == y else e.text.set(f"select i1 {test.ref}, {word} {x}, {word} {y}")
        for word, x, y in zip(parts_of(type), a.refs, b.refs, strict=True)
    )
    return Value(type, refs, natural)


def extreme(e: Emitter, sign: str, values: list[Value]) -> Value:
    """Return the builtin min (sign "<") or max (">") of numbers, which keeps the first of those that do not compare."""
    best = values[0]
    for value in values[1:]:
        type = unify(best.type, value.type)
        natural = (best.natural or value.natural) if sign == ">" else (best.natural and value.natural)
        best, value = cast(e, best, type), cast(e, value, type)
        best = choose(e, compare(e, sign, value, best), value, best)._replace(natural=natural and type.kind != "f")
    return best


def absolute(e: Emitter, value: Value) -> Value:
    """Return the absolute value, of the same type."""
    if not is_number(value):
        raise Unsupported(f"abs of {describe(value.type)}")
    type = value.type
    if type.kind == "f":
        return Value(type, (e.call(type.word, f"llvm.fabs.{_suffix(type)}", [(type.word, value.ref)], e.flags),))
    if type.kind != "i":
        return value
    below = e.text.set(f"icmp slt {type.word} {value.ref}, 0")
    turned = e.text.set(f"sub {type.word} 0, {value.ref}")
    return Value(type, (e.text.set(f"select i1 {below}, {type.word} {turned}, {type.word} {value.ref}"),), True)


def _suffix(type: Number) -> str:
    return f"f{type.bits}"


INTRINSICS = {"sqrt", "exp", "log", "floor", "ceil", "trunc", "sin", "cos", "exp2", "log2", "log10", "fabs"}
LIBRARY = {"log1p", "expm1", "tanh", "tan", "sinh", "cosh", "asin", "acos", "atan", "atan2", "hypot"}


def math_call(e: Emitter, name: str, values: list[Value]) -> Value:
    """Call a function of mathematics on numbers of one floating type: an LLVM intrinsic, or one of the C library."""
    type = values[0].type
    for value in values[1:]:
        type = unify(type, value.type)
    type = _float_of(type)
    arguments = [(type.word, cast(e, value, type).ref) for value in values]
    if name in LIBRARY:
        function = name + ("f" if type == F4 else "")
    elif name in INTRINSICS:
        function = f"llvm.{name}.{_suffix(type)}"
    else:
        raise Unsupported(f"the function {name}")
    return Value(type, (e.call(type.word, function, arguments, e.flags),))


def _float_of(type: Number) -> Number:
    """Return the floating type in which a function of numbers of this type is computed."""
    if type.kind == "f":
        return F8 if type == F8 else F4
    return F4 if type.size == 1 or type.code in ("i2", "u2") else F8


def fused_multiply_add(e: Emitter, values: list[Value]) -> Value:
    """Return a * b + c with one rounding, in the type of a."""
    type = values[0].type
    arguments = [(type.word, cast(e, value, type).ref) for value in values]
    return Value(type, (e.call(type.word, f"llvm.fma.{_suffix(type)}", arguments, e.flags),))


def power(e: Emitter, base: Value, exponent: Value) -> Value:
    """Return base ** exponent: by multiplications for a small constant exponent, else by the C library's pow."""
    if exponent.exact is not None and 0 <= exponent.exact <= 16:
        type = base.type if base.type.kind == "f" else arithmetic_type("*", base.type, base.type)
        square, left, result = cast(e, base, type), exponent.exact, None
        while left:
            if left & 1:
                result = square if result is None else binary(e, "*", result, square)
            left >>= 1
            square = binary(e, "*", square, square) if left else square
        return result if result is not None else constant(1, type)
    type = F4 if base.type == F4 and exponent.type != F8 else F8
    if base.type.kind != "f" and exponent.type.kind != "f":
        raise Unsupported("a power of integers with a variable exponent")
    arguments = [(type.word, cast(e, value, type).ref) for value in (base, exponent)]
    return Value(type, (e.call(type.word, f"llvm.pow.{_suffix(type)}", arguments, e.flags),))
