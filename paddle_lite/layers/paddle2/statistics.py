"""Statistics of Variables."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.errors import ShapeError, message
from ...ops.nn.activation import sqrt, square
from ..math.arithmetic import scale
from ..math.elementwise import elementwise_sub
from ..math.reduce import reduce_mean
from ..support.arguments import check_variable, deliver, ints

__all__ = ["std", "var"]


def _variance(where: str, input: Any, axis: Any, keepdim: bool, unbiased: bool) -> Any:
    check_variable(where, "input", input)
    shape = input.shape
    axes = list(range(len(shape))) if axis is None else ints(where, "axis", axis)
    off = square.call(elementwise_sub(input, reduce_mean(input, axes, keep_dim=True)))
    spread = reduce_mean(off, axes, keep_dim=keepdim)
    if not unbiased:
        return spread
    sizes = [shape[a] for a in axes]
    if -1 in sizes:
        raise ShapeError(
            message(where, "input", f"shape {shape}", f"known sizes of dimensions {axes}", "Use unbiased=False.")
        )
    count = prod(sizes)
    return scale(spread, count / (count - 1) if count > 1 else float("nan"))


def var(
    input: Any,
    axis: Any = None,
    keepdim: bool = False,
    unbiased: bool = True,
    out: Any = None,
    name: str | None = None,
) -> Any:
    """The variance over dimensions.

    Arguments:
        input: a Variable, float32 or float64.
        axis: the dimensions, an int or a list; all of them where it is None.
        keepdim: keep reduced dimensions with size 1.
        unbiased: divide by n - 1 rather than by n, the number of elements.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    Returns:
        A Variable; [1] where every dimension is reduced. NaN for the unbiased variance of one element.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.var(paddle.imperative.to_variable(np.array([1., 3.]))).numpy()
    array([2.])
    """
    return deliver(_variance("var", input, axis, keepdim, unbiased), out, "var")


def std(
    input: Any,
    axis: Any = None,
    keepdim: bool = False,
    unbiased: bool = True,
    out: Any = None,
    name: str | None = None,
) -> Any:
    """The standard deviation over dimensions: the square root of the variance.

    Arguments:
        input: a Variable, float32 or float64.
        axis: the dimensions, an int or a list; all of them where it is None.
        keepdim: keep reduced dimensions with size 1.
        unbiased: divide by n - 1 rather than by n, the number of elements.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.std(paddle.imperative.to_variable(np.array([1., 3.])), unbiased=False).numpy()
    array([1.])
    """
    return deliver(sqrt.call(_variance("std", input, axis, keepdim, unbiased)), out, "std")
