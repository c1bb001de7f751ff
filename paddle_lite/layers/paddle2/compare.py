"""Comparisons with the signatures of 2.0-alpha."""

from __future__ import annotations

from ...core.typing import Variable
from ...ops.math.compare import equal_reduce
from ..math import compare as fluid
from ..support.arguments import check_variable

__all__ = ["elementwise_equal", "equal", "isnan"]


def equal(x: Variable, y: Variable, axis: int = -1, name: str | None = None) -> Variable:
    """Test whether all elements of x equal those of y. (Fluid's `equal` is `elementwise_equal` here.)

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        name: accepted for Paddle code, ignored.

    Returns:
        A bool Variable [1].

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1, 2]))
    >>> paddle.equal(x, x).numpy()
    array([ True])
    """
    return equal_reduce.call(x, y, axis=axis)


def elementwise_equal(x: Variable, y: Variable, name: str | None = None) -> Variable:
    """Compute x == y, element by element.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        name: accepted for Paddle code, ignored.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1, 2]))
    >>> paddle.elementwise_equal(x, x).numpy()
    array([ True,  True])
    """
    return fluid.equal(x, y)


def isnan(x: Variable, name: str | None = None) -> Variable:
    """Test which elements are NaN. (Fluid's `has_nan` tests whether any is.)

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Paddle code, ignored.

    Returns:
        A bool Variable of the shape of x.

    Raises:
        ArgumentTypeError: x is not a Variable.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.isnan(paddle.imperative.to_variable(np.array([1., np.nan]))).numpy()
    array([False,  True])
    """
    return fluid.not_equal(check_variable("isnan", "x", x), x)
