"""Linear algebra."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ...ops.math import distance
from ...ops.math import linalg as ops
from ..math import reduce
from ..nn import activation
from ..shape.shape import reshape, transpose
from ..support.arguments import check_variable, deliver, ints, number

__all__ = ["cholesky", "inverse", "norm", "t"]


def t(input: Any, name: str | None = None) -> Any:
    """The transpose of a matrix; a vector or a single number as it is.

    Arguments:
        input: a Variable of rank 2 or less.
        name: kept for Paddle code.

    Raises:
        ShapeError: the rank is higher.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.t(paddle.imperative.to_variable(np.zeros([2, 3], 'float32'))).shape
    [3, 2]
    """
    rank = len(check_variable("t", "input", input).shape)
    if rank > 2:
        raise ShapeError(message("t", "input", describe(input), "rank 2 or less", "Use transpose()."))
    return transpose(input, [1, 0]) if rank == 2 else input


def norm(
    input: Any, p: Any = "fro", axis: Any = None, keepdim: bool = False, out: Any = None, name: str | None = None
) -> Any:
    """The length of vectors or matrices.

    Arguments:
        input: a Variable, float32 or float64.
        p: "fro" for the root of the sum of squares; a number above 0 for (sum of |x| ** p) ** (1 / p); inf for the
            largest |x|, -inf for the smallest.
        axis: the dimension to sum over, or a list of them: two for the Frobenius norm of matrices, one otherwise; all
            of them where it is None.
        keepdim: keep these dimensions with size 1.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    Returns:
        A Variable; [1] where no dimension is left.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[3., 4.], [0., 0.]], 'float32'))
    >>> paddle.norm(x).numpy(), paddle.norm(x, p=1, axis=1).numpy()
    (array([5.], dtype=float32), array([7., 0.], dtype=float32))
    """
    rank = len(check_variable("norm", "input", input).shape)
    axes = None if axis is None else ints("norm", "axis", axis)
    if p == "fro":
        attrs = reduce.reduce_attrs("norm", rank, axes, keepdim)
        return deliver(distance.frobenius_norm.call(input, **attrs), out, "norm")
    if isinstance(p, str):
        raise ArgumentValueError(message("norm", "p", repr(p), '"fro" or a number'))
    if axes is not None and len(axes) != 1:
        raise ArgumentTypeError(message("norm", "axis", axis, f"one dimension for p = {p}", 'Two take p = "fro".'))
    p = number("norm", "p", p)
    if abs(p) == float("inf"):
        extreme = reduce.reduce_max if p > 0 else reduce.reduce_min
        return deliver(extreme(activation.abs(input), axes, keepdim), out, "norm")
    flat = input if axes is not None else reshape(input, [-1])
    length = distance.p_norm.call(flat, porder=p, axis=-1 if axes is None else axes[0], keepdim=keepdim)
    return deliver(reshape(length, [1] * rank) if axes is None and keepdim else length, out, "norm")


def inverse(input: Any, out: Any = None, name: str | None = None) -> Any:
    """The inverse of each matrix.

    Arguments:
        input: [..., n, n], float32 or float64.
        out: a Variable that takes the result.
        name: kept for Paddle code.

    Raises:
        ArgumentValueError: a matrix has none.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.inverse(paddle.imperative.to_variable(np.array([[2., 0.], [0., 4.]], 'float32'))).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    return deliver(ops.inverse.call(input), out, "inverse")


def cholesky(x: Any, upper: bool = False) -> Any:
    """The triangular L with L @ L.T = x, for each symmetric, positive definite matrix.

    Arguments:
        x: [..., n, n], float32 or float64.
        upper: give the transpose of L.

    Raises:
        ArgumentValueError: a matrix is not positive definite.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.cholesky(paddle.imperative.to_variable(np.array([[4., 2.], [2., 5.]], 'float32'))).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    return ops.cholesky.call(x, upper=upper)
