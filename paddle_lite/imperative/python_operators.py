"""Python's operators on Variables: the methods behind `x + y`, `2 / x`, `x < 3` and `-x`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.dtype import to_vartype
from ..core.errors import ArgumentTypeError, DtypeError, describe, message
from ..core.mode import now, state
from ..ops.framework.complex_variable import ComplexVariable
from ..ops.framework.python_operators import (
    ARITHMETIC,
    COMPARISONS,
    OF_NONE,
    SYMBOLS,
    scaling,
    without_fraction,
)
from ..ops.framework.spec import OpDef
from ..ops.math import arithmetic as ops_math
from ..ops.shape import fill


def scalar_of(value: Any, like: Any) -> Any:
    """Return `value` as a Python number (True as 1) if it is a scalar operand for `like`; None otherwise."""
    if isinstance(value, np.generic) or (
        isinstance(value, np.ndarray) and value.size == 1 and value.ndim <= like.array.ndim
    ):
        value = value.item()
    if isinstance(value, bool):
        return int(value)
    return value if isinstance(value, (int, float)) else None


def constant(like: Any, value: Any, symbol: str) -> Any:
    """Return an operand for `like` as a Variable of its dtype, with shape [1] for a number.

    Raises:
        DtypeError: an array does not convert to the dtype of `like`.
        ArgumentTypeError: `value` is neither a number nor an ndarray.
    """
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
        return state.mode.constant(np.asarray(value, like.array.dtype))
    raise ArgumentTypeError(
        message(f"Variable {symbol}", "operand", describe(value), "a Variable, a number or an ndarray")
    )


def _scaled(op: str, x: Any, value: Any, reflected: bool) -> Any:
    """Return x (op) number computed by one `scale`, where Paddle does so too; None otherwise."""
    number = scalar_of(value, x)
    if number is None or x.array.dtype.kind not in "iuf":
        return None
    attrs = scaling(op, number, reflected, x.array.dtype.kind in "iu")
    return None if attrs is None else ops_math.scale.call(x, **attrs)


def other_operand(op: OpDef, name: str, x: Any, y: Any, reflected: bool) -> Any:
    """Return x (op) y for a y that is not a Variable or has another dtype; y (op) x if `reflected`."""
    if not isinstance(y, PythonOperators):
        if isinstance(y, ComplexVariable):
            return NotImplemented
        if now().entered.redirect is not None and hasattr(y, "stop_gradient"):
            stand_in = state.mode.operand(x)
            if stand_in is not x:  # this code builds a Program, and y is a Variable of it
                return getattr(stand_in, f"__{'r' if reflected else ''}{name}__")(y)
        scaled = _scaled(op.type, x, y, reflected)
        if scaled is not None:
            return scaled
        if y is None and name in OF_NONE:
            return OF_NONE[name]
        y = constant(x, y, SYMBOLS[op.type])
    if y.array.dtype != x.array.dtype:
        y = ops_math.cast.call(y, in_dtype=int(y.dtype), out_dtype=int(to_vartype(x.array.dtype)))
    return op.call(y, x) if reflected else op.call(x, y)


def _binary(name: str) -> Callable:
    """Return the method `__name__`. If NumPy has the operator as one ufunc, its first call compiles a faster method."""
    op = {**ARITHMETIC, **COMPARISONS}[name]
    method = f"__{name}__"

    def general(self: Any, other: Any) -> Any:
        return other_operand(op, name, self, other, False)

    def first(self: Any, other: Any) -> Any:
        if now().entered.redirect is None:
            mode: Any = state.mode  # plain imperative mode, whose calls are not redirected
            setattr(PythonOperators, method, mode.compile_python_operator(op, general))
        return general(self, other)

    return general if op.ufunc is None else first


def _reflected(name: str) -> Callable:
    op = ARITHMETIC[name]

    def reflected(self: Any, other: Any) -> Any:
        return other_operand(op, name, self, other, True)

    return reflected


def is_variable(value: Any) -> bool:
    """Return whether a value is a Variable of imperative mode."""
    return isinstance(value, PythonOperators)


class PythonOperators:
    """Mixin with Python's operators on Variables."""

    __slots__ = ()

    __add__, __radd__ = _binary("add"), _reflected("add")
    __sub__, __rsub__ = _binary("sub"), _reflected("sub")
    __mul__, __rmul__ = _binary("mul"), _reflected("mul")
    __truediv__, __rtruediv__ = _binary("truediv"), _reflected("truediv")
    __pow__, __rpow__ = _binary("pow"), _reflected("pow")
    __mod__, __rmod__ = _binary("mod"), _reflected("mod")
    __floordiv__, __rfloordiv__ = _binary("floordiv"), _reflected("floordiv")
    __lt__ = _binary("lt")
    __le__ = _binary("le")
    __gt__ = _binary("gt")
    __ge__ = _binary("ge")
    __eq__ = _binary("eq")
    __ne__ = _binary("ne")
    __hash__ = object.__hash__

    def __rmatmul__(self, other: Any) -> Any:
        return constant(self, np.asarray(other), "@") @ self

    def __neg__(self) -> Any:
        return ops_math.scale.call(self, scale=-1.0, bias=0.0)
