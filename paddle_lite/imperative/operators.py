"""Python's operators on Variables: what `x + y`, `2 / x`, `x < 3` and `-x` call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.dtype import to_vartype
from ..core.errors import ArgumentTypeError, DtypeError, describe, message
from ..core.mode import state
from ..ops.framework.compile_call import compile_operator
from ..ops.framework.python_operators import ARITHMETIC, COMPARISONS, OF_NONE, SYMBOLS, scaling, without_fraction
from ..ops.framework.spec import OpDef
from ..ops.math import arithmetic as ops_math
from ..ops.shape import fill
from .parameter import Parameter
from .variable import Variable


def scalar_of(value: Any, like: Variable) -> Any:
    """The Python number that `value` beside `like` stands for (True is 1), or None for an array, or what is no number."""
    if isinstance(value, np.generic) or (
        isinstance(value, np.ndarray) and value.size == 1 and value.ndim <= like.array.ndim
    ):
        value = value.item()
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, (int, float)) else None


def constant(like: Variable, value: Any, symbol: str) -> Variable:
    """The other operand of `like`: a number becomes a [1] Variable of its dtype, an array a Variable."""
    number = scalar_of(value, like)
    if number is not None:
        if like.array.dtype.kind in "iu" and isinstance(number, float):
            number = without_fraction(number, symbol)
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


def _scaled(op: str, x: Variable, value: Any, reflected: bool) -> Variable | None:
    """x (op) number as one `scale`, where Paddle does so too; None otherwise."""
    number = scalar_of(value, x)
    if number is None or x.array.dtype.kind not in "iuf":
        return None
    attrs = scaling(op, number, reflected, x.array.dtype.kind in "iu")
    return None if attrs is None else ops_math.scale.call(x, **attrs)


def other_operand(op: OpDef, call: Callable, x: Variable, y: Any, reflected: bool) -> Variable:
    """x (op) y where y is not a plain Variable, or is one of another dtype."""
    if not isinstance(y, Variable):
        stand_in = getattr(state.recorder, "stand_in", None)
        if stand_in is not None and hasattr(
            y, "stop_gradient"
        ):  # a Program is built from this code, and y is part of it
            name = next(n for n, known in {**ARITHMETIC, **COMPARISONS}.items() if known is op)
            return getattr(stand_in(x), f"__{'r' if reflected else ''}{name}__")(y)
        short = _scaled(op.type, x, y, reflected)
        if short is not None:
            return short
        y = constant(x, y, SYMBOLS[op.type])
    if y.array.dtype != x.array.dtype:
        y = ops_math.cast.call(y, in_dtype=int(y.dtype), out_dtype=int(to_vartype(x.array.dtype)))
    return call(y, x) if reflected else call(x, y)


def _binary(op: OpDef, reflected: bool = False) -> Callable:
    """Python's operator: compiled for two Variables of one dtype, `other_operand` for all else."""

    def general(self: Variable, other: Any) -> Any:
        return other_operand(op, op.call, self, other, reflected)

    return general if reflected or op.ufunc is None else compile_operator(op, general, (Variable, Parameter))


def _comparison(op: OpDef, of_none: bool | None = None) -> Callable:
    ordinary = _binary(op)

    def operator(self: Variable, other: Any) -> Any:
        if other is None and of_none is not None:
            return of_none
        return ordinary(self, other)

    return operator


def _negative(self: Variable) -> Variable:
    return ops_math.scale.call(self, scale=-1.0, bias=0.0)


def install() -> None:
    """Put the methods on Variable; imperative mode does it once."""
    for name, op in ARITHMETIC.items():
        setattr(Variable, f"__{name}__", _binary(op))
        setattr(Variable, f"__r{name}__", _binary(op, reflected=True))
    for name, op in COMPARISONS.items():
        setattr(Variable, f"__{name}__", _comparison(op, OF_NONE.get(name)))
    others: dict[str, Any] = {"__hash__": object.__hash__, "__neg__": _negative}
    for name, function in others.items():
        setattr(Variable, name, function)
