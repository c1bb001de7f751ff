"""Variance and standard deviation."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core.errors import ShapeError, message
from ...core.typing import Variable
from ...ops.nn.activation import sqrt, square
from ..math.arithmetic import scale
from ..math.elementwise import elementwise_sub
from ..math.reduce import reduce_mean
from ..support.arguments import check_variable, int_list, write_to_out

__all__ = ["std", "var"]


def _variance(where: str, input: Any, axis: Any, keepdim: bool, unbiased: bool) -> Any:
    """Compute the variance over axes."""
    check_variable(where, "input", input)
    shape = input.shape
    axes = list(range(len(shape))) if axis is None else int_list(where, "axis", axis)
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
) -> Variable:
    """Compute the variance over dimensions.

    Arguments:
        input: a Variable of any shape, float32 or float64.
        axis: the dimensions, an int or a list of ints; all of them where it is None.
        keepdim: keep the reduced dimensions with size 1.
        unbiased: divide by n - 1 rather than by n, the number of elements.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced. The unbiased variance of one element is NaN.

    Raises:
        ArgumentTypeError: input or out is not a Variable, or axis is not an int or a list of ints.
        ShapeError: input has no such dimension; or, with unbiased, its size is unknown.

    Raises:
        ArgumentTypeError: `input` is not a Variable, or `axis` is neither an int nor a list of ints.
        ShapeError: the unbiased variance needs a size that is not known before the Program runs.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.var(paddle.imperative.to_variable(np.array([1., 3.]))).numpy()
    array([2.])
    """
    return write_to_out(_variance("var", input, axis, keepdim, unbiased), out, "var")


def std(
    input: Any,
    axis: Any = None,
    keepdim: bool = False,
    unbiased: bool = True,
    out: Any = None,
    name: str | None = None,
) -> Variable:
    """Compute the standard deviation over dimensions: the square root of the variance.

    Arguments:
        input: a Variable of any shape, float32 or float64.
        axis: the dimensions, an int or a list of ints; all of them where it is None.
        keepdim: keep the reduced dimensions with size 1.
        unbiased: divide by n - 1 rather than by n, the number of elements.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced. The unbiased deviation of one element is NaN.

    Raises:
        ArgumentTypeError: input or out is not a Variable, or axis is not an int or a list of ints.
        ShapeError: input has no such dimension; or, with unbiased, its size is unknown.
        DtypeError: input is not float32 or float64.

    Returns:
        A Variable; [1] where every dimension is reduced. NaN for the unbiased deviation of one element.

    Raises:
        ArgumentTypeError: `input` is not a Variable, or `axis` is neither an int nor a list of ints.
        ShapeError: the unbiased variance needs a size that is not known before the Program runs.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.std(paddle.imperative.to_variable(np.array([1., 3.])), unbiased=False).numpy()
    array([1.])
    """
    return write_to_out(sqrt.call(_variance("std", input, axis, keepdim, unbiased)), out, "std")
