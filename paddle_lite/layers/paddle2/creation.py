"""Creation of Variables with the signatures of 2.0-alpha: constants, ranges, identity matrices."""

from __future__ import annotations

from typing import Any

from ...core.dtype import get_default_dtype, to_vartype
from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.shape.fill import fill_any_like
from ..shape import fill
from ..support.arguments import flag, write_to_out
from ..support.taken import dtype_taken

__all__ = ["arange", "eye", "full", "full_like", "linspace", "ones", "ones_like", "zeros", "zeros_like"]


def _check_device(where: str, device: str | None) -> None:
    """Raise unless `device` is one of Paddle's names; results are on the device of imperative mode."""
    if device not in (None, "cpu", "gpu"):
        raise ArgumentValueError(message(where, "device", repr(device), '"cpu", "gpu" or None'))


def full(
    shape: Any,
    fill_value: Any,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """Make a Variable that is filled with one number.

    Arguments:
        shape: a list of ints and Variables of one element, or an int Variable that holds the sizes.
        fill_value: a number, or a Variable of one element.
        out: a Variable to write the result into; a new one where it is None.
        dtype: a dtype: its name, a NumPy dtype or a VarType; that of `set_default_dtype` ("float32") where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        stop_gradient: whether gradients stop at the result.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form, or fill_value is not a number.
        ArgumentValueError: device is unknown, or the dtype cannot hold the value.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.full([2, 1], 0.5).numpy()
    array([[0.5],
           [0.5]], dtype=float32)
    """
    _check_device("full", device)
    made = fill.fill_constant(shape, get_default_dtype() if dtype is None else dtype, fill_value, out=out)
    made.stop_gradient = flag("full", "stop_gradient", stop_gradient)
    return made


def full_like(
    input: Variable,
    fill_value: float,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """Make a Variable of the shape of another one that is filled with one number.

    Arguments:
        input: the Variable whose shape is taken.
        fill_value: a number.
        out: a Variable to write the result into; a new one where it is None.
        dtype: a dtype: its name, a NumPy dtype or a VarType; that of `input` where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        stop_gradient: whether gradients stop at the result.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: device is unknown, or the dtype cannot hold the value.
        DtypeError: there is no such dtype.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.zeros(2, 'float32'))
    >>> paddle.full_like(x, 7, dtype='int64').numpy()
    array([7, 7])
    """
    _check_device("full_like", device)
    code = -1
    if dtype is not None:
        dtype_taken("full_like", dtype)
        code = int(to_vartype(dtype, "full_like"))
    made = write_to_out(fill_any_like.call(input, value=float(fill_value), dtype=code), out, "full_like")
    made.stop_gradient = flag("full_like", "stop_gradient", stop_gradient)
    return made


def zeros(shape: Any, dtype: Any, out: Any = None, device: str | None = None) -> Variable:
    """Make a Variable that is filled with zeros.

    Arguments:
        shape: a list of ints and Variables of one element, or an int Variable that holds the sizes.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        out: a Variable to write the result into; a new one where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form.
        ArgumentValueError: device is unknown.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.zeros([3], 'int64').numpy()
    array([0, 0, 0])
    """
    _check_device("zeros", device)
    return fill.fill_constant(shape, dtype, 0.0, out=out)


def ones(shape: Any, dtype: Any, out: Any = None, device: str | None = None) -> Variable:
    """Make a Variable that is filled with ones.

    Arguments:
        shape: a list of ints and Variables of one element, or an int Variable that holds the sizes.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        out: a Variable to write the result into; a new one where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form.
        ArgumentValueError: device is unknown.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.ones([3], 'int64').numpy()
    array([1, 1, 1])
    """
    _check_device("ones", device)
    return fill.fill_constant(shape, dtype, 1.0, out=out)


def zeros_like(input: Variable, dtype: Any = None, device: str | None = None, name: str | None = None) -> Variable:
    """Make a Variable of zeros with the shape of another one.

    Arguments:
        input: the Variable whose shape is taken.
        dtype: a dtype: its name, a NumPy dtype or a VarType; that of `input` where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: device is unknown.
        DtypeError: there is no such dtype.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.zeros_like(paddle.imperative.to_variable(np.ones(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    return full_like(input, 0.0, dtype=dtype, device=device)


def ones_like(input: Variable, dtype: Any = None, device: str | None = None, name: str | None = None) -> Variable:
    """Make a Variable of ones with the shape of another one.

    Arguments:
        input: the Variable whose shape is taken.
        dtype: a dtype: its name, a NumPy dtype or a VarType; that of `input` where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ArgumentValueError: device is unknown.
        DtypeError: there is no such dtype.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.ones_like(paddle.imperative.to_variable(np.zeros(2, 'float32'))).numpy()
    array([1., 1.], dtype=float32)
    """
    return full_like(input, 1.0, dtype=dtype, device=device)


def arange(start: Any, end: Any, step: Any = 1, dtype: Any = None, name: str | None = None) -> Variable:
    """Make a Variable of the numbers start, start + step, ... up to but not including end.

    Arguments:
        start, end, step: numbers or Variables of one element; step is negative where end is below start.
        dtype: "float32", "float64", "int32" or "int64"; that of `set_default_dtype` ("float32") where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable [n] of this dtype.

    Raises:
        ArgumentTypeError: start, end or step is neither a number nor a Variable.
        ArgumentValueError: step is 0 or leads away from end; in a Program raised by `Executor.run`.
        DtypeError: there is no such dtype.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.arange(1, 4, dtype='int64').numpy()
    array([1, 2, 3])
    """
    return fill.range(start, end, step, get_default_dtype() if dtype is None else dtype)


def linspace(
    start: Any, stop: Any, num: Any, dtype: Any, out: Any = None, device: str | None = None, name: str | None = None
) -> Variable:
    """Make a Variable of `num` evenly spaced numbers from start to stop.

    Arguments:
        start, stop: the first and the last number: numbers or Variables of one element.
        num: how many: an int or a Variable of one element.
        dtype: "float32" or "float64".
        out: a Variable to write the result into; a new one where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable [num] of this dtype.

    Raises:
        ArgumentTypeError: start, stop or num is neither a number nor a Variable.
        ArgumentValueError: device is unknown, or num is below 1 (in a Program raised by `Executor.run`).
        DtypeError: there is no such dtype.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.linspace(0, 1, 3, 'float32').numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    _check_device("linspace", device)
    return write_to_out(fill.linspace(start, stop, num, dtype), out, "linspace")


def eye(
    num_rows: int,
    num_columns: int | None = None,
    out: Any = None,
    dtype: Any = "float32",
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """Make an identity matrix.

    Arguments:
        num_rows, num_columns: its sizes; a square matrix where num_columns is None.
        out: a Variable to write the result into; a new one where it is None.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        stop_gradient: whether gradients stop at the result.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable [num_rows, num_columns].

    Raises:
        ArgumentTypeError: a size is not an int.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.eye(2, dtype='int32').numpy()
    array([[1, 0],
           [0, 1]], dtype=int32)
    """
    made = write_to_out(fill.eye(num_rows, num_columns, dtype=dtype), out, "eye")
    made.stop_gradient = flag("eye", "stop_gradient", stop_gradient)
    return made
