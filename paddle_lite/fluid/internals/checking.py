"""The checks with which Fluid's layers start: `fluid.data_feeder.check_type` and its kin."""

from __future__ import annotations

from typing import Any

from ...core.dtype import FLOATS, SUPPORTED, VarType, name_of, to_numpy, to_vartype
from ...core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, describe, message
from ...core.mode import ByMode
from ...static.program.variable import Variable

__all__ = [
    "check_dtype",
    "check_type",
    "check_variable_and_dtype",
    "convert_dtype",
    "convert_np_dtype_to_dtype_",
    "dtype_is_floating",
]

_DEFAULT_WIDTH = {float: "float64", int: "int64", "float": "float64", "int": "int64"}


def convert_dtype(dtype: Any) -> str:
    """Return the NumPy name of a dtype.

    Arguments:
        dtype: a VarType, a NumPy dtype or its name.

    Returns:
        A string such as 'float32'.

    Raises:
        ArgumentValueError: it is no dtype of Paddle, or has no fixed width, as `float` and `int` have none.

    >>> from paddle_lite.fluid.data_feeder import convert_dtype
    >>> convert_dtype('float32'), convert_dtype(VarType.INT64)
    ('float32', 'int64')
    """
    if dtype is not None and (dtype is bool or _hashed(dtype) not in _DEFAULT_WIDTH):
        try:
            return name_of(dtype)
        except DtypeError:
            pass
    raise ArgumentValueError(message("convert_dtype", "dtype", repr(dtype), f"one of {', '.join(SUPPORTED)}"))


def _hashed(value: Any) -> Any:
    return value if isinstance(value, (str, type)) else None


def convert_np_dtype_to_dtype_(np_dtype: Any) -> VarType:
    """Return Paddle's code of a dtype.

    Arguments:
        np_dtype: a NumPy dtype, its name, a Python type of numbers, or a VarType.

    Returns:
        A VarType.

    Raises:
        DtypeError: Paddle has no such dtype.

    >>> from paddle_lite.fluid.framework import convert_np_dtype_to_dtype_
    >>> convert_np_dtype_to_dtype_('float32'), convert_np_dtype_to_dtype_(int)
    (VarType.FP32, VarType.INT64)
    """
    return to_vartype(_DEFAULT_WIDTH.get(_hashed(np_dtype), np_dtype), "convert_np_dtype_to_dtype_")


def dtype_is_floating(dtype: Any) -> bool:
    """Return whether a dtype is float16, float32 or float64.

    Arguments:
        dtype: a dtype as for `convert_np_dtype_to_dtype_`.

    Raises:
        DtypeError: Paddle has no such dtype.

    >>> from paddle_lite.fluid.framework import dtype_is_floating
    >>> dtype_is_floating('float64'), dtype_is_floating(VarType.INT32)
    (True, False)
    """
    return to_numpy(convert_np_dtype_to_dtype_(dtype)) in FLOATS


def _nothing(*_: Any) -> None:
    """Check nothing: in imperative mode operators check their inputs themselves."""


def _check_type(input: Any, input_name: str, expected: Any, op_name: str, extra: str) -> None:
    kinds = expected if isinstance(expected, tuple) else (expected,)
    if not all(isinstance(kind, type) for kind in kinds):
        raise ArgumentTypeError(
            message("check_type", "expected_type", describe(expected), "a type, or a tuple of them")
        )
    if not isinstance(input, kinds):
        needs = " or ".join(dict.fromkeys(f"a {kind.__name__}" for kind in kinds))
        raise ArgumentTypeError(message(op_name, input_name, describe(input), needs, extra))


def _check_dtype(input_dtype: Any, input_name: str, expected: Any, op_name: str, extra: str) -> None:
    name = convert_dtype(input_dtype)
    names: list[Any] = [expected] if isinstance(expected, str) or expected is None else list(expected)
    if not all(isinstance(each, str) for each in names):
        raise ArgumentTypeError(
            message("check_dtype", "expected_dtype", describe(expected), "a dtype's name, or a list of them")
        )
    if name not in names:
        raise DtypeError(message(op_name, input_name, f"dtype {name}", " or ".join(names), extra))


def _check_variable(input: Any, input_name: str, expected: Any, op_name: str, extra: str) -> None:
    _check_type(input, input_name, Variable, op_name, extra)
    _check_dtype(input.dtype, input_name, expected, op_name, extra)


_type = ByMode(static=_check_type, imperative=_nothing)
_dtype = ByMode(static=_check_dtype, imperative=_nothing)
_variable = ByMode(static=_check_variable, imperative=_nothing)


def check_type(input: Any, input_name: str, expected_type: Any, op_name: str, extra_message: str = "") -> None:
    """Raise unless an argument of a layer has the expected type. Nothing is checked in imperative mode.

    Arguments:
        input: the argument.
        input_name: its name.
        expected_type: a type, or a tuple of types.
        op_name: the name of the layer.
        extra_message: a remedy.

    Raises:
        ArgumentTypeError: `input` has another type.

    >>> from paddle_lite.fluid.data_feeder import check_type
    >>> check_type([8, 8], 'shape', (list, tuple), 'resize')
    >>> check_type(8, 'shape', (list, tuple), 'resize')
    Traceback (most recent call last):
    paddle_lite.core.errors.ArgumentTypeError: resize: shape got int 8, needs a list or a tuple.
    """
    _type(input, input_name, expected_type, op_name, extra_message)


def check_dtype(input_dtype: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = "") -> None:
    """Raise unless the dtype of an argument is expected. Nothing is checked in imperative mode.

    Arguments:
        input_dtype: the dtype, in any spelling.
        input_name: the name of the argument.
        expected_dtype: a name, or a list of names.
        op_name: the name of the layer.
        extra_message: a remedy.

    Raises:
        DtypeError: the dtype is another one.

    >>> from paddle_lite.fluid.data_feeder import check_dtype
    >>> check_dtype('float32', 'x', ['float32', 'float64'], 'blend')
    >>> check_dtype('int64', 'x', ['float32', 'float64'], 'blend')
    Traceback (most recent call last):
    paddle_lite.core.errors.DtypeError: blend: x got dtype int64, needs float32 or float64.
    """
    _dtype(input_dtype, input_name, expected_dtype, op_name, extra_message)


def check_variable_and_dtype(
    input: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = ""
) -> None:
    """Raise unless an argument is a Variable of an expected dtype. Nothing is checked in imperative mode.

    Arguments:
        input: the argument.
        input_name: its name.
        expected_dtype: a name, or a list of names.
        op_name: the name of the layer.
        extra_message: a remedy.

    Raises:
        ArgumentTypeError: `input` is no Variable.
        DtypeError: its dtype is another one.

    >>> from paddle_lite.fluid.data_feeder import check_variable_and_dtype
    >>> check_variable_and_dtype(3, 'x', ['float32'], 'blend')
    Traceback (most recent call last):
    paddle_lite.core.errors.ArgumentTypeError: blend: x got int 3, needs a Variable.
    """
    _variable(input, input_name, expected_dtype, op_name, extra_message)
