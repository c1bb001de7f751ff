"""Linear algebra of 2.0-alpha: transpose, norms, inverse, Cholesky decomposition."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ...core.typing import Variable
from ...ops.math import distance
from ...ops.math import linalg as ops
from ..math import reduce
from ..nn import activation
from ..shape.shape import reshape, transpose
from ..support.arguments import check_number, check_variable, int_list, write_to_out

__all__ = ["cholesky", "inverse", "norm", "t"]


def t(input: Variable, name: str | None = None) -> Variable:
    """Transpose a matrix; return a vector or a scalar unchanged.

    Arguments:
        input: a Variable of rank 2 or less.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ShapeError: the rank is above 2.

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
    input: Variable, p: Any = "fro", axis: Any = None, keepdim: bool = False, out: Any = None, name: str | None = None
) -> Variable:
    """Compute the norm of vectors or matrices.

    Arguments:
        input: a Variable of any shape, float32 or float64.
        p: "fro" for the Frobenius norm (the square root of the sum of squares); a number above 0 for the p-norm (sum of
            |x| ** p) ** (1 / p); inf for the largest |x|, -inf for the smallest.
        axis: an int or a list of ints: two axes for the Frobenius norm of matrices, otherwise one; all axes where it is
            None.
        keepdim: keep the reduced dimensions with size 1.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, axis has another form, or p is not a number.
        ArgumentValueError: p is another string, or not above 0; or input has no such axis.
        ShapeError: input has no such axis ("fro", inf and -inf).
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[3., 4.], [0., 0.]], 'float32'))
    >>> paddle.norm(x).numpy(), paddle.norm(x, p=1, axis=1).numpy()
    (array([5.], dtype=float32), array([7., 0.], dtype=float32))
    """
    rank = len(check_variable("norm", "input", input).shape)
    axes = None if axis is None else int_list("norm", "axis", axis)
    if p == "fro":
        attrs = reduce.reduce_attrs("norm", rank, axes, keepdim)
        return write_to_out(distance.frobenius_norm.call(input, **attrs), out, "norm")
    if isinstance(p, str):
        raise ArgumentValueError(message("norm", "p", repr(p), '"fro" or a number'))
    if axes is not None and len(axes) != 1:
        raise ArgumentTypeError(message("norm", "axis", axis, f"one dimension for p = {p}", 'Two take p = "fro".'))
    p = check_number("norm", "p", p)
    if abs(p) == float("inf"):
        extreme = reduce.reduce_max if p > 0 else reduce.reduce_min
        return write_to_out(extreme(activation.abs(input), axes, keepdim), out, "norm")
    flat = input if axes is not None else reshape(input, [-1])
    length = distance.p_norm.call(flat, porder=p, axis=-1 if axes is None else axes[0], keepdim=keepdim)
    return write_to_out(reshape(length, [1] * rank) if axes is None and keepdim else length, out, "norm")


def inverse(input: Any, out: Any = None, name: str | None = None) -> Variable:
    """Compute the inverse of each matrix.

    Arguments:
        input: [..., n, n], float32 or float64.
        out: a Variable to write the result into; a new one where it is None.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input or out is not a Variable.
        ArgumentValueError: a matrix is singular.
        ShapeError: the matrices are not square.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.inverse(paddle.imperative.to_variable(np.array([[2., 0.], [0., 4.]], 'float32'))).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    return write_to_out(ops.inverse.call(input), out, "inverse")


def cholesky(x: Any, upper: bool = False) -> Variable:
    """Compute the Cholesky decomposition of each symmetric, positive definite matrix: the lower triangular L with L @
    L.T = x.

    Arguments:
        x: [..., n, n], float32 or float64.
        upper: return the transpose of L.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        ArgumentValueError: a matrix is not positive definite.
        ShapeError: the matrices are not square.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.cholesky(paddle.imperative.to_variable(np.array([[4., 2.], [2., 5.]], 'float32'))).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    return ops.cholesky.call(x, upper=upper)
