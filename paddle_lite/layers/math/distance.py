"""Norms of vectors and distances between them."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...ops.math import distance as ops
from ..support.arguments import check_number, check_variable, is_int
from ..support.taken import inputs_taken
from ..support.write_into import run

__all__ = ["clip_by_norm", "cos_sim", "dist", "l2_normalize"]


def l2_normalize(x: Variable, axis: int | None, epsilon: float = 1e-12, name: str | None = None) -> Variable:
    """Divide x by its 2-norm along an axis: x / sqrt(sum(x * x) + epsilon).

    Arguments:
        x: a Variable, float32 or float64.
        axis: the axis to sum along, 1 where it is None. Where x has rank 1, its only axis is used.
        epsilon: a small number that prevents a division by 0.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, axis is not an int, or epsilon is not a number.
        ArgumentValueError: x has no such axis.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[3., 4.]], 'float32'))
    ...     fluid.layers.l2_normalize(x, axis=1).numpy()
    array([[0.6, 0.8]], dtype=float32)
    """
    rank = len(check_variable("l2_normalize", "x", x).shape)
    axis = 1 if axis is None else axis
    if not is_int(axis):
        raise ArgumentTypeError(message("l2_normalize", "axis", describe(axis), "an int or None"))
    epsilon = check_number("l2_normalize", "epsilon", epsilon)
    return run(ops.norm, x, order="Out Norm", axis=0 if rank == 1 else axis, epsilon=epsilon)[1]


def clip_by_norm(x: Any, max_norm: float, name: str | None = None) -> Variable:
    """Scale x down to the 2-norm `max_norm` if its norm is larger. There is no gradient.

    Arguments:
        x: a Variable of any shape, float32 or float64; its 2-norm is the square root of the sum of the squares of all
            elements.
        max_norm: a number above 0.
        name: the name of the result in a Program; None for a generated one.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or max_norm is not a number.
        ArgumentValueError: max_norm is not above 0.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 4.], 'float32'))
    ...     fluid.layers.clip_by_norm(x, 0.5).numpy()
    array([0.3, 0.4], dtype=float32)
    """
    inputs_taken("clip_by_norm", "x", x)
    with result_names.only_result(name):
        return ops.clip_by_norm.call(x, max_norm=check_number("clip_by_norm", "max_norm", max_norm))


def dist(x: Any, y: Any, p: float = 2) -> Variable:
    """Compute the p-norm of x - y: (sum of |x - y| ** p) ** (1 / p).

    Arguments:
        x, y: Variables of one dtype, float32 or float64; their shapes are broadcast together.
        p: a number; 0 counts the elements that differ, inf gives the largest |x - y|, -inf the smallest.

    Returns:
        A Variable [1].

    Raises:
        ArgumentTypeError: x or y is not a Variable, or p is not a number.
        ShapeError: the shapes cannot be broadcast together, or there are no elements.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 4.], 'float32'))
    ...     fluid.layers.dist(x, x * 0).numpy(), fluid.layers.dist(x, x * 0, p=float('inf')).numpy()
    (array([5.], dtype=float32), array([4.], dtype=float32))
    """
    return ops.dist.call(x, y, p=check_number("dist", "p", p))


def cos_sim(X: Any, Y: Any) -> Variable:
    """Compute the cosine similarity of corresponding rows: X . Y / (|X| |Y|).

    Arguments:
        X: a Variable [N, ...], float32 or float64.
        Y: a Variable of the shape and dtype of X, or with a single row that is compared with all rows of X.

    Returns:
        A Variable [N, 1] with values from -1 to 1.

    Raises:
        ArgumentTypeError: X or Y is not a Variable.
        ShapeError: X has rank below 2, or the shape of Y does not fit.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 0.], [0., 2.]], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.array([[3., 0.]], 'float32'))
    ...     fluid.layers.cos_sim(x, y).numpy()
    array([[1.],
           [0.]], dtype=float32)
    """
    return ops.cos_sim.call(X, Y)[0]
