"""Python's operators on Variables of a Program: `x + y`, `2 / x`, `x < 3` and `-x` append PaddlePaddle's operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import result_names
from ...core.dtype import VarType, to_numpy
from ...core.errors import ArgumentTypeError, describe, message
from ...core.mode import state
from ...ops.framework.complex_variable import ComplexVariable
from ...ops.framework.python_operators import ARITHMETIC, COMPARISONS, OF_NONE, SYMBOLS, scaling, without_fraction
from ...ops.framework.spec import OpDef
from ...ops.math import arithmetic as ops_math
from ...ops.shape import fill

RESULTS = "tmp"
FIX = "Make an array a Variable with fluid.layers.assign(array)."


def _number(value: Any, symbol: str) -> Any:
    """Return an operand as a Python number."""
    if (isinstance(value, np.ndarray) and value.size == 1) or isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (bool, int, float)):
        raise ArgumentTypeError(
            message(f"Variable {symbol}", "operand", describe(value), "a Variable or a number", FIX)
        )
    return int(value) if isinstance(value, bool) else value


def _filling(x: Any, number: Any, symbol: str) -> dict[str, Any]:
    """Return the attributes of an operator that fills a Variable of the dtype of x with a number."""
    if to_numpy(x.dtype).kind in "iu":
        number = without_fraction(number, symbol)
    exact = float(np.float32(number)) == number or number != number or isinstance(number, float)
    return {"dtype": int(x.dtype), "value": float(number), "str_value": "" if exact else repr(number)}


def _filled_like(x: Any, filling: dict[str, Any]) -> Any:
    """Append a constant that broadcasts to x. Its first unknown size is read from x, and other unknown ones are 1."""
    shape = list(x.shape)
    if -1 not in shape:
        return fill.fill_constant.call(shape=shape, **filling)
    axis = shape.index(-1)
    shape = [1 if n == -1 and i != axis else n for i, n in enumerate(shape)]
    return fill.fill_constant_batch_size_like.call(x, shape=shape, input_dim_idx=axis, output_dim_idx=axis, **filling)


def _with_number(op: OpDef, x: Any, value: Any, reflected: bool) -> Any:
    """Append x (op) number, or number (op) x if `reflected`; return the result."""
    symbol = SYMBOLS[op.type]
    number = _number(value, symbol)
    kind = to_numpy(x.dtype).kind
    attrs = scaling(op.type, number, reflected, kind in "iu") if kind != "b" and _plain(value) else None
    if attrs is not None:
        return ops_math.scale.call(x, **attrs)
    filling = _filling(x, number, symbol)
    if reflected:
        return _joined(op, _filled_like(x, filling), x)
    return _joined(op, x, fill.fill_constant.call(shape=[1], **filling))


def _plain(value: Any) -> bool:
    """Return whether the value is a Python number; NumPy numbers become Variables, as in Paddle."""
    return isinstance(value, (int, float))


def _joined(op: OpDef, x: Any, y: Any) -> Any:
    """Append x (op) y for operands of one dtype. If the first size of y is unknown, y is aligned with the first dimensions of x.

    In code translated from imperative mode, y is always aligned with the last dimensions of x.
    """
    return op.call(x, y, axis=0 if y.shape[:1] == (-1,) and not state.mode.translates else -1)


def _gives_fraction(name: str, other: Any) -> bool:
    """Return whether Python's operator of an integer and `other`, both numbers, gives a float."""
    return isinstance(other, float) or name == "truediv" or (name == "pow" and isinstance(other, int) and other < 0)


def _with_fraction(variable: Any) -> Any:
    """Return an integer Variable that stands for a number as float32; one of another dtype as it is."""
    if to_numpy(variable.dtype).kind not in "iu":
        return variable
    return _as_number(ops_math.cast.call(variable, in_dtype=int(variable.dtype), out_dtype=int(VarType.FP32)))


def _as_number(variable: Any) -> Any:
    from .python_number import as_number

    return as_number(variable)


def _operator(name: str, reflected: bool = False) -> Callable:
    """Return Python's operator `__name__`, or `__rname__`."""
    op = {**ARITHMETIC, **COMPARISONS}[name]

    def operator(self: Any, other: Any) -> Any:
        if other is None and name in OF_NONE:
            return OF_NONE[name]
        if isinstance(other, ComplexVariable):
            return NotImplemented
        with result_names.results(RESULTS):
            if not is_variable(other):
                other = state.mode.operand(other)
            numbers = self.python_number and (_plain(other) or getattr(other, "python_number", False))
            if numbers and _gives_fraction(name, other):
                self, other = _with_fraction(self), other if _plain(other) else _with_fraction(other)
            if is_variable(other):
                if self.python_number and to_numpy(other.dtype).kind == "f":
                    self = ops_math.cast.call(self, in_dtype=int(self.dtype), out_dtype=int(other.dtype))
                if other.dtype != self.dtype:
                    other = ops_math.cast.call(other, in_dtype=int(other.dtype), out_dtype=int(self.dtype))
                found = _joined(op, other, self) if reflected else _joined(op, self, other)
            else:
                found = _with_number(op, self, other, reflected)
            return _as_number(found) if numbers and name in ARITHMETIC else found

    operator.__name__ = f"__{'r' if reflected else ''}{name}__"
    operator.__doc__ = f"{'y' if reflected else 'x'} {SYMBOLS[op.type]} {'x' if reflected else 'y'} as an operator."
    return operator


def is_variable(value: Any) -> bool:
    """Return whether a value is a Variable of a Program."""
    return isinstance(value, PythonOperators)


class PythonOperators:
    """Mixin with Python's operators on Variables of a Program.

    python_number: whether the Variable stands for a number of Python (`python_number.py`).
    """

    python_number = False

    __add__, __radd__ = _operator("add"), _operator("add", reflected=True)
    __sub__, __rsub__ = _operator("sub"), _operator("sub", reflected=True)
    __mul__, __rmul__ = _operator("mul"), _operator("mul", reflected=True)
    __truediv__, __rtruediv__ = _operator("truediv"), _operator("truediv", reflected=True)
    __pow__, __rpow__ = _operator("pow"), _operator("pow", reflected=True)
    __mod__, __rmod__ = _operator("mod"), _operator("mod", reflected=True)
    __floordiv__, __rfloordiv__ = _operator("floordiv"), _operator("floordiv", reflected=True)
    __lt__ = _operator("lt")
    __le__ = _operator("le")
    __gt__ = _operator("gt")
    __ge__ = _operator("ge")
    __eq__ = _operator("eq")
    __ne__ = _operator("ne")

    def __neg__(self) -> Any:
        """Append -x and return it."""
        with result_names.results(RESULTS):
            found = ops_math.scale.call(self, scale=-1.0, bias=0.0)
            return _as_number(found) if self.python_number else found
