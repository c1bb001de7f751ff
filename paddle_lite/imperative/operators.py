"""Python's operators on Variables: what `x + y`, `2 / x`, `x < 3` and `-x` call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.dtype import to_vartype
from ..core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, describe, message
from ..ops import compare, elementwise, fill, math
from ..ops.emit import compiled_call
from ..ops.spec import OpDef
from .parameter import Parameter
from .variable import Variable

SYMBOLS = {
    "elementwise_add": "+", "elementwise_sub": "-", "elementwise_mul": "*", "elementwise_div": "/", "elementwise_pow": "**",
    "elementwise_mod": "%", "elementwise_floordiv": "//", "less_than": "<", "less_equal": "<=", "greater_than": ">",
    "greater_equal": ">=", "equal": "==", "not_equal": "!=",
}  # fmt: skip


def scalar_of(value: Any) -> Any:
    """The Python number that `value` stands for, or None: numbers, NumPy scalars, arrays of one element."""
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (np.number, np.bool_)) or (isinstance(value, np.ndarray) and value.size == 1):
        return value.item()
    return None


def constant(like: Variable, value: Any, symbol: str) -> Variable:
    """The other operand of `like`: a number becomes a [1] Variable of its dtype, an array a Variable."""
    number = scalar_of(value)
    if number is not None:
        if like.array.dtype.kind in "iu" and isinstance(number, float):
            number = int(number)
        return fill.fill_constant.call(shape=[1], dtype=int(like.dtype), value=float(number), str_value=repr(number))
    if isinstance(value, np.ndarray):
        if not np.can_cast(value.dtype, like.array.dtype, "same_kind"):
            raise DtypeError(
                message(
                    f"Variable {symbol} ndarray",
                    "operand",
                    f"dtype {value.dtype}",
                    f"one that converts to {like.array.dtype}",
                )
            )
        return Variable(np.asarray(value, like.array.dtype))
    raise ArgumentTypeError(
        message(f"Variable {symbol}", "operand", describe(value), "a Variable, a number or an ndarray")
    )


def _whole(value: float, symbol: str) -> float:
    if isinstance(value, float) and not value.is_integer():
        raise ArgumentValueError(
            message(
                f"integer Variable {symbol}", "operand", value, "a whole number", "Convert first: x.astype('float32')."
            )
        )
    return value


def _scaled(op: str, x: Variable, value: Any, reflected: bool) -> Variable | None:
    """x (op) number as one `scale`, where Paddle does so too; None otherwise."""
    number = scalar_of(value)
    if number is None or x.array.dtype.kind not in "iuf":
        return None
    integer = x.array.dtype.kind in "iu"
    if op in ("elementwise_add", "elementwise_sub", "elementwise_mul") and integer:
        _whole(number, SYMBOLS[op])
    if op == "elementwise_add":
        return math.scale.call(x, scale=1.0, bias=float(number))
    if op == "elementwise_sub":
        return math.scale.call(x, scale=-1.0 if reflected else 1.0, bias=float(number if reflected else -number))
    if op == "elementwise_mul":
        return math.scale.call(x, scale=float(number), bias=0.0)
    if op == "elementwise_div" and not reflected and not integer and number != 0:
        return math.scale.call(x, scale=1.0 / number, bias=0.0)
    return None


def other_operand(op: OpDef, call: Callable, x: Variable, y: Any, reflected: bool) -> Variable:
    """x (op) y where y is not a plain Variable, or is one of another dtype."""
    if not isinstance(y, Variable):
        short = _scaled(op.type, x, y, reflected)
        if short is not None:
            return short
        y = constant(x, y, SYMBOLS[op.type])
    if y.array.dtype != x.array.dtype:
        y = math.cast.call(y, in_dtype=int(y.dtype), out_dtype=int(to_vartype(x.array.dtype)))
    return call(y, x) if reflected else call(x, y)


def _binary(op: OpDef, reflected: bool = False) -> Callable:
    call = compiled_call(op)

    def operator(self: Variable, other: Any) -> Any:
        kind = other.__class__
        if (kind is Variable or kind is Parameter) and not reflected:
            try:
                return call(self, other)
            except DtypeError:
                if self.array.dtype == other.array.dtype:
                    raise
        return other_operand(op, call, self, other, reflected)

    return operator


def _comparison(op: OpDef, of_none: bool | None = None) -> Callable:
    ordinary = _binary(op)

    def operator(self: Variable, other: Any) -> Any:
        if other is None and of_none is not None:
            return of_none
        return ordinary(self, other)

    return operator


def _negative(self: Variable) -> Variable:
    return math.scale.call(self, scale=-1.0, bias=0.0)


def install() -> None:
    """Put the methods on Variable; imperative mode does it once."""
    named = {
        "add": elementwise.elementwise_add, "sub": elementwise.elementwise_sub, "mul": elementwise.elementwise_mul,
        "truediv": elementwise.elementwise_div, "pow": elementwise.elementwise_pow, "mod": elementwise.elementwise_mod,
        "floordiv": elementwise.elementwise_floordiv,
    }  # fmt: skip
    for name, op in named.items():
        setattr(Variable, f"__{name}__", _binary(op))
        setattr(Variable, f"__r{name}__", _binary(op, reflected=True))
    for name, op in {
        "lt": compare.less_than,
        "le": compare.less_equal,
        "gt": compare.greater_than,
        "ge": compare.greater_equal,
    }.items():
        setattr(Variable, f"__{name}__", _comparison(op))
    Variable.__eq__ = _comparison(compare.equal, of_none=False)  # type: ignore[method-assign,assignment]
    Variable.__ne__ = _comparison(compare.not_equal, of_none=True)  # type: ignore[method-assign,assignment]
    Variable.__hash__ = object.__hash__  # type: ignore[method-assign,assignment]
    Variable.__neg__ = _negative  # type: ignore[attr-defined]
