"""Choosing between Variables, sorting them, taking them apart."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...ops.shape import rearrange
from ...ops.shape import select as ops
from ..shape.sort import argsort
from ..support.arguments import deliver

__all__ = ["sort", "unbind", "where"]


def where(condition: Any, x: Any, y: Any, name: str | None = None) -> Any:
    """Each element of one Variable where a condition is true, of another elsewhere.

    Arguments:
        condition: bool.
        x, y: of its shape, both of one dtype.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., -2.], 'float32'))
    >>> paddle.where(x > 0, x, x * 10).numpy()
    array([  1., -20.], dtype=float32)
    """
    return ops.where.call(condition, x, y)


def sort(input: Any, axis: int = -1, descending: bool = False, out: Any = None, name: str | None = None) -> tuple:
    """A Variable sorted along an axis.

    Arguments:
        input: a Variable.
        axis: negative ones count from the end.
        descending: the largest first.
        out: a list of two Variables that take the results.
        name: kept for Paddle code.

    Returns:
        (the elements in order, their int64 indices); equal elements stay in their order.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> values, indices = paddle.sort(paddle.imperative.to_variable(np.array([3, 1, 2])))
    >>> values.numpy(), indices.numpy()
    (array([1, 2, 3]), array([1, 2, 0]))
    """
    made = argsort(input, axis=axis, descending=descending)
    if out is None:
        return made
    if not isinstance(out, (list, tuple)) or len(out) != 2:
        raise ArgumentTypeError(message("sort", "out", describe(out), "two Variables, for elements and indices"))
    return tuple(deliver(result, taker, "sort") for result, taker in zip(made, out, strict=True))


def unbind(input: Any, axis: int = 0) -> list:
    """The slices of a Variable along an axis, without that axis.

    Arguments:
        input: a Variable.
        axis: negative ones count from the end.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> [row.numpy().tolist() for row in paddle.unbind(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]])))]
    [[1, 2], [3, 4]]
    """
    return rearrange.unbind.call(input, axis=axis)
