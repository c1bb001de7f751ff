"""Comparisons of Variables, as 2.0-alpha spells them."""

from __future__ import annotations

from typing import Any

from ...ops.math.compare import equal_reduce
from ..math import compare as fluid

__all__ = ["elementwise_equal", "equal"]


def equal(x: Any, y: Any, axis: int = -1, name: str | None = None) -> Any:
    """[1]: whether all of x equals y. (Fluid's `equal` is `elementwise_equal` here.)

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        axis: where the dimensions of the smaller one belong in the larger; -1 for the trailing ones.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1, 2]))
    >>> paddle.equal(x, x).numpy()
    array([ True])
    """
    return equal_reduce.call(x, y, axis=axis)


def elementwise_equal(x: Any, y: Any, name: str | None = None) -> Any:
    """Where x equals y, element by element.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        name: kept for Paddle code.

    Returns:
        A bool Variable.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1, 2]))
    >>> paddle.elementwise_equal(x, x).numpy()
    array([ True,  True])
    """
    return fluid.equal(x, y)
