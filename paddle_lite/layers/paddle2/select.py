"""Selection and sorting with the signatures of 2.0-alpha."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...ops.shape import rearrange
from ...ops.shape import select as ops
from ..shape.sort import argsort
from ..support.arguments import write_to_out

__all__ = ["sort", "unbind", "where"]


def where(condition: Any, x: Variable, y: Variable, name: str | None = None) -> Variable:
    """Select each element from x where a condition is true, from y elsewhere.

    Arguments:
        condition: a bool Variable.
        x, y: Variables of the shape of `condition` and of one dtype.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: condition, x or y is not a Variable.
        ShapeError: the shapes differ.
        DtypeError: condition is not bool, or x and y have different dtypes.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., -2.], 'float32'))
    >>> paddle.where(x > 0, x, x * 10).numpy()
    array([  1., -20.], dtype=float32)
    """
    return ops.where.call(condition, x, y)


def sort(
    input: Any, axis: int = -1, descending: bool = False, out: Any = None, name: str | None = None
) -> tuple[Variable, Variable]:
    """Sort a Variable along an axis.

    Arguments:
        input: a Variable of rank 1 or more.
        axis: an int; a negative one counts from the end.
        descending: sort from the largest to the smallest.
        out: a list of two Variables to write the results into; new ones where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        (the sorted elements, their int64 indices); equal elements keep their order.

    Raises:
        ArgumentTypeError: input is not a Variable, or out is not a list of two Variables.
        ShapeError: input has no such axis.

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
    values, indices = (write_to_out(result, taker, "sort") for result, taker in zip(made, out, strict=True))
    return values, indices


def unbind(input: Any, axis: int = 0) -> list[Variable]:
    """Split a Variable into its slices along an axis, and drop the axis.

    Arguments:
        input: a Variable of rank 1 or more.
        axis: an int; a negative one counts from the end.

    Returns:
        A list of Variables of one rank less than `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ShapeError: input has no such axis.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> [row.numpy().tolist() for row in paddle.unbind(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]])))]
    [[1, 2], [3, 4]]
    """
    return rearrange.unbind.call(input, axis=axis)
