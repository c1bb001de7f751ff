"""Making Variables: zeros, ones, constants, sequences, the identity matrix."""

from __future__ import annotations

from typing import Any

from ...core.dtype import to_vartype
from ...core.errors import ArgumentValueError, message
from ...ops.shape.fill import fill_any_like
from ..shape import fill
from ..support.arguments import deliver

__all__ = ["arange", "eye", "full", "full_like", "linspace", "ones", "ones_like", "zeros", "zeros_like"]


def _check_device(where: str, device: str | None) -> None:
    """Raise unless `device` is one that Paddle knows; results live where imperative mode computes."""
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
) -> Any:
    """A Variable whose elements are all one number.

    Arguments:
        shape: its sizes: a list of ints (or Variables of one element), or an integer Variable.
        fill_value: a number, or a Variable of one element.
        out: a Variable that takes the result.
        dtype: any spelling of a dtype; "float32" where it is None.
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        stop_gradient: whether gradients end at the result.
        name: kept for Paddle code.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.full([2, 1], 0.5).numpy()
    array([[0.5],
           [0.5]], dtype=float32)
    """
    _check_device("full", device)
    made = fill.fill_constant(shape, "float32" if dtype is None else dtype, fill_value, out=out)
    made.stop_gradient = stop_gradient
    return made


def full_like(
    input: Any,
    fill_value: float,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Any:
    """A Variable of the shape of another, whose elements are all one number.

    Arguments:
        input: the other Variable.
        fill_value: a number.
        out: a Variable that takes the result.
        dtype: any spelling of a dtype; that of `input` where it is None.
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        stop_gradient: whether gradients end at the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.zeros(2, 'float32'))
    >>> paddle.full_like(x, 7, dtype='int64').numpy()
    array([7, 7])
    """
    _check_device("full_like", device)
    code = -1 if dtype is None else int(to_vartype(dtype, "full_like"))
    made = deliver(fill_any_like.call(input, value=float(fill_value), dtype=code), out, "full_like")
    made.stop_gradient = stop_gradient
    return made


def zeros(shape: Any, dtype: Any, out: Any = None, device: str | None = None) -> Any:
    """A Variable of zeros.

    Arguments:
        shape: its sizes: a list of ints (or Variables of one element), or an integer Variable.
        dtype: any spelling of a dtype.
        out: a Variable that takes the result.
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.zeros([3], 'int64').numpy()
    array([0, 0, 0])
    """
    _check_device("zeros", device)
    return fill.fill_constant(shape, dtype, 0.0, out=out)


def ones(shape: Any, dtype: Any, out: Any = None, device: str | None = None) -> Any:
    """A Variable of ones.

    Arguments:
        shape: its sizes: a list of ints (or Variables of one element), or an integer Variable.
        dtype: any spelling of a dtype.
        out: a Variable that takes the result.
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.ones([3], 'int64').numpy()
    array([1, 1, 1])
    """
    _check_device("ones", device)
    return fill.fill_constant(shape, dtype, 1.0, out=out)


def zeros_like(input: Any, dtype: Any = None, device: str | None = None, name: str | None = None) -> Any:
    """Zeros of the shape of a Variable.

    Arguments:
        input: the Variable.
        dtype: any spelling of a dtype; that of `input` where it is None.
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.zeros_like(paddle.imperative.to_variable(np.ones(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    return full_like(input, 0.0, dtype=dtype, device=device)


def ones_like(input: Any, dtype: Any = None, device: str | None = None, name: str | None = None) -> Any:
    """Ones of the shape of a Variable.

    Arguments:
        input: the Variable.
        dtype: any spelling of a dtype; that of `input` where it is None.
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.ones_like(paddle.imperative.to_variable(np.zeros(2, 'float32'))).numpy()
    array([1., 1.], dtype=float32)
    """
    return full_like(input, 1.0, dtype=dtype, device=device)


def arange(start: Any, end: Any, step: Any = 1, dtype: Any = None, name: str | None = None) -> Any:
    """start, start + step, ... as long as end is not reached.

    Arguments:
        start, end, step: numbers or Variables of one element; the step leads from start towards end.
        dtype: "float32" (where it is None), "float64", "int32" or "int64".
        name: kept for Paddle code.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.arange(1, 4, dtype='int64').numpy()
    array([1, 2, 3])
    """
    return fill.range(start, end, step, "float32" if dtype is None else dtype)


def linspace(
    start: Any, stop: Any, num: Any, dtype: Any, out: Any = None, device: str | None = None, name: str | None = None
) -> Any:
    """Numbers at equal distances.

    Arguments:
        start, stop: the first and the last, numbers or Variables of one element.
        num: how many, an int or a Variable of one element.
        dtype: "float32" or "float64".
        out: a Variable that takes the result.
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        name: kept for Paddle code.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.linspace(0, 1, 3, 'float32').numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    _check_device("linspace", device)
    return deliver(fill.linspace(start, stop, num, dtype), out, "linspace")


def eye(
    num_rows: int,
    num_columns: int | None = None,
    out: Any = None,
    dtype: Any = "float32",
    stop_gradient: bool = True,
    name: str | None = None,
) -> Any:
    """A matrix with ones on its diagonal and zeros elsewhere.

    Arguments:
        num_rows, num_columns: its sizes; square where only one is given.
        out: a Variable that takes the result.
        dtype: any spelling of a dtype.
        stop_gradient: whether gradients end at the result.
        name: kept for Paddle code.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.eye(2, dtype='int32').numpy()
    array([[1, 0],
           [0, 1]], dtype=int32)
    """
    made = deliver(fill.eye(num_rows, num_columns, dtype=dtype), out, "eye")
    made.stop_gradient = stop_gradient
    return made
