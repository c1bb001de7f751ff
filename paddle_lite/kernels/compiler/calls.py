"""Calls of what the kernel language knows: builtins, functions of NumPy and of `math`, methods of arrays and numbers.

Helpers made by `inline`, `per_dtype`, `fma` and the functions of `kernels/simd.py` say themselves how they are called:
they have a method `lower(f, arguments)`.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import arrays
from .arithmetic import absolute, binary, cast, choose, compare, extreme, math_call, truth
from .elementwise import copied
from .errors import Unsupported
from .types import F4, F8, I8, NONE, Array, Known, Number, Tuple, describe, unify
from .values import Value, constant, is_array, is_number, known, number_of, size_value, split_tuple

if TYPE_CHECKING:
    from .functions import FunctionCompiler

__all__ = ["call_known", "call_method"]

Arguments = Sequence[Value]


def call_known(
    f: FunctionCompiler, function: Any, arguments: list[Value], named: dict[str, Value], node: ast.Call
) -> Value:
    """Call a Python object that is known now."""
    lower = getattr(function, "lower", None)
    if callable(lower) and not isinstance(function, type):
        if named:
            raise Unsupported("a call of a helper with named arguments")
        return lower(f, arguments)
    if isinstance(function, type) and issubclass(function, np.generic):
        return cast(f, _only(arguments, function.__name__), number_of(function))
    if isinstance(function, np.dtype):
        raise Unsupported("a call of a dtype")
    try:
        handler = _CALLS.get(function)
    except TypeError:  # not hashable
        handler = None
    if handler is None:
        raise Unsupported(f"a call of {getattr(function, '__name__', function)!s}")
    return handler(f, arguments, named, node)


def call_per_dtype(f: FunctionCompiler, single: Any, double: Any, arguments: Arguments) -> Value:
    """Call the version of a function for float32 if all arguments are float32, else the one for float64."""
    chosen = single if all(value.type == F4 for value in arguments) else double
    return chosen.lower(f, arguments)


def _only(arguments: Arguments, name: str) -> Value:
    if len(arguments) != 1:
        raise Unsupported(f"{name} of {len(arguments)} arguments")
    return arguments[0]


def _plain(of: Callable[[FunctionCompiler, list[Value]], Value]) -> Callable[..., Value]:
    """Return the handler of a function without named arguments."""

    def handle(f: FunctionCompiler, arguments: list[Value], named: dict[str, Value], node: ast.Call) -> Value:
        if named:
            raise Unsupported(f"a call with {', '.join(named)}=")
        return of(f, arguments)

    return handle


def _extreme(sign: str) -> Callable[..., Value]:
    def of(f: FunctionCompiler, arguments: list[Value]) -> Value:
        if len(arguments) == 1:
            arguments = split_tuple(arguments[0])
        if not all(map(is_number, arguments)):
            raise Unsupported("min or max of something other than numbers")
        return extreme(f, sign, arguments)

    return _plain(of)


def _length(f: FunctionCompiler, arguments: list[Value]) -> Value:
    value = _only(arguments, "len")
    if isinstance(value.type, Tuple):
        return constant(len(value.type.items))
    if not is_array(value):
        raise Unsupported(f"len of {describe(value.type)}")
    return size_value(value.sizes[0])


def _int(f: FunctionCompiler, arguments: list[Value]) -> Value:
    value = _only(arguments, "int")
    return value if is_number(value) and value.type.kind in "iu" else cast(f, value, I8)


def _float(f: FunctionCompiler, arguments: list[Value]) -> Value:
    value = _only(arguments, "float")
    return value if value.type in (F4, F8) else cast(f, value, F8)


def _slice(f: FunctionCompiler, arguments: list[Value]) -> Value:
    from .expressions import slice_of

    bounds = [None, *arguments] if len(arguments) == 1 else arguments
    if len(bounds) != 2:
        raise Unsupported("a slice with a step")
    return slice_of(f, *bounds)


def _math(name: str) -> Callable[..., Value]:
    return _plain(lambda f, arguments: math_call(f, name, arguments))


def _floor(name: str) -> Callable[..., Value]:
    def of(f: FunctionCompiler, arguments: list[Value]) -> Value:
        value = _only(arguments, name)
        return value if value.type.kind != "f" else math_call(f, name, [value])

    return _plain(of)


def _rounded(name: str) -> Callable[..., Value]:
    """Return the handler of math.floor or math.ceil, which give integers."""
    return _plain(lambda f, arguments: cast(f, math_call(f, name, arguments), I8))


def _ufunc(sign: str) -> Callable[..., Value]:
    """Return the handler of a NumPy function of two numbers, whose result has their common type."""

    def of(f: FunctionCompiler, arguments: list[Value]) -> Value:
        a, b = arguments
        type = F4 if F4 in (a.type, b.type) and F8 not in (a.type, b.type) else unify(a.type, b.type)
        a, b = cast(f, a, type), cast(f, b, type)
        if type.kind == "f" or type.bits == 64:
            return binary(f, sign, a, b)
        names = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl",
                 ">>": "lshr" if type.kind == "u" else "ashr"}  # fmt: skip
        return Value(type, (f.text.set(f"{names[sign]} {type.word} {a.ref}, {b.ref}"),), type.kind == "u")

    return _plain(of)


def _extreme_or_missing(sign: str) -> Callable[..., Value]:
    """Return the handler of np.minimum or np.maximum, which return NaN if a number is NaN."""

    def of(f: FunctionCompiler, arguments: list[Value]) -> Value:
        type = unify(arguments[0].type, arguments[1].type)
        a, b = (cast(f, value, type) for value in arguments)
        best = choose(f, compare(f, sign, b, a), b, a)
        if type.kind == "f":
            best = choose(f, compare(f, "!=", b, b), b, best)
        return best

    return _plain(of)


def _new(zeroed: bool) -> Callable[..., Value]:
    """Return the handler of np.empty or np.zeros."""

    def handle(f: FunctionCompiler, arguments: list[Value], named: dict[str, Value], node: ast.Call) -> Value:
        given = dict(zip(("shape", "dtype"), arguments, strict=False)) | named
        shape, dtype = given.pop("shape"), given.pop("dtype", known(np.float64))
        if given:
            raise Unsupported(f"an array made with {', '.join(given)}=")
        sizes = split_tuple(shape) if isinstance(shape.type, Tuple) else [shape]
        return arrays.allocate(f, sizes, _element_of(dtype), zeroed, node)

    return handle


def _new_like(zeroed: bool) -> Callable[..., Value]:
    """Return the handler of np.empty_like or np.zeros_like."""

    def handle(f: FunctionCompiler, arguments: list[Value], named: dict[str, Value], node: ast.Call) -> Value:
        like = _only(arguments, "an array like")
        element = _element_of(named["dtype"]) if "dtype" in named else like.type.element
        return arrays.allocate(f, [size_value(size) for size in like.sizes], element, zeroed, node)

    return handle


def _element_of(dtype: Value) -> Number:
    if not isinstance(dtype.type, Known):
        raise Unsupported("a dtype that is computed")
    return number_of(dtype.type.value)


_CALLS: dict[Any, Callable[..., Value]] = {
    min: _extreme("<"), max: _extreme(">"), len: _plain(_length), int: _plain(_int), float: _plain(_float),
    bool: _plain(lambda f, given: truth(f, _only(given, "bool"))), slice: _plain(_slice),
    abs: _plain(lambda f, given: absolute(f, _only(given, "abs"))),
    np.abs: _plain(lambda f, given: absolute(f, _only(given, "abs"))),
    np.floor: _floor("floor"), np.ceil: _floor("ceil"), np.trunc: _floor("trunc"),
    math.floor: _rounded("floor"), math.ceil: _rounded("ceil"),
    np.add: _ufunc("+"), np.subtract: _ufunc("-"), np.multiply: _ufunc("*"), np.bitwise_and: _ufunc("&"),
    np.bitwise_or: _ufunc("|"), np.bitwise_xor: _ufunc("^"), np.left_shift: _ufunc("<<"), np.right_shift: _ufunc(">>"),
    np.minimum: _extreme_or_missing("<"), np.maximum: _extreme_or_missing(">"),
    np.empty: _new(False), np.zeros: _new(True), np.empty_like: _new_like(False), np.zeros_like: _new_like(True),
    math.fabs: _math("fabs"), np.fabs: _math("fabs"),
}  # fmt: skip
_CALLS |= {
    getattr(module, name): _math(name)
    for module in (math, np)
    for name in ("sqrt", "exp", "log", "sin", "cos", "log2", "log10", "log1p", "expm1", "tanh", "tan", "sinh", "cosh", "exp2")
    if hasattr(module, name)
}  # fmt: skip


def call_method(
    f: FunctionCompiler, base: Value, name: str, arguments: list[Value], named: dict[str, Value], node: ast.Call
) -> Value:
    """Call a method of an array or of a number."""
    if named:
        raise Unsupported(f"a method called with {', '.join(named)}=")
    if is_number(base) and name == "view":
        return _view(f, base, _element_of(_only(arguments, "view")))
    if not is_array(base):
        raise Unsupported(f"the method {name} of {describe(base.type)}")
    if name == "reshape":
        sizes = split_tuple(arguments[0]) if isinstance(arguments[0].type, Tuple) else arguments
        return arrays.reshape(f, base, sizes)
    if name == "copy":
        return copied(f, base, node)
    if name == "ravel":
        return arrays.reshape(f, base, [])
    if name in ("min", "max") and not arguments:
        return arrays.reduce_elements(f, base, "<" if name == "min" else ">")
    if name == "fill":
        arrays.assign_elements(f, base, _only(arguments, "fill"), node)
        return Value(NONE)
    if name == "view" and base.type.layout == "C":
        element = _element_of(_only(arguments, "view"))
        if element.size != base.type.element.size:
            raise Unsupported("a view of numbers of another size")
        return Value(Array(element, base.type.rank, "C", base.type.mutable), base.refs)
    raise Unsupported(f"the method {name} of an array")


def _view(f: FunctionCompiler, value: Value, to: Number) -> Value:
    """Return a number of the same bits."""
    if value.type.bits != to.bits:
        raise Unsupported("a view of a number as one of another size")
    if value.type.word == to.word:
        return Value(to, value.refs)
    return Value(to, (f.text.set(f"bitcast {value.type.word} {value.ref} to {to.word}"),))
