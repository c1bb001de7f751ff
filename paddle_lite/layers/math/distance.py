"""Lengths of vectors and distances between them."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...ops.math import distance as ops
from ..support.arguments import check_variable, is_int, number
from ..support.write_into import run

__all__ = ["clip_by_norm", "cos_sim", "dist", "l2_normalize"]


def l2_normalize(x: Any, axis: int | None, epsilon: float = 1e-12, name: str | None = None) -> Any:
    """x / sqrt(sum(x * x) + epsilon), the sum along `axis`: vectors of length 1.

    Arguments:
        x: a Variable, float32 or float64.
        axis: the dimension along which the vectors stand; 1 where it is None. A vector is always taken as a whole.
        epsilon: keeps vectors of length 0 as they are.
        name: kept for Fluid code.

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
    epsilon = number("l2_normalize", "epsilon", epsilon)
    return run(ops.norm, x, order="Out Norm", axis=0 if rank == 1 else axis, epsilon=epsilon)[1]


def clip_by_norm(x: Any, max_norm: float, name: str | None = None) -> Any:
    """x, scaled down to the length `max_norm` where it is longer. It has no gradient.

    Arguments:
        x: a Variable, float32 or float64; its length is the root of the sum of its squares.
        max_norm: above 0.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 4.], 'float32'))
    ...     fluid.layers.clip_by_norm(x, 0.5).numpy()
    array([0.3, 0.4], dtype=float32)
    """
    return ops.clip_by_norm.call(x, max_norm=number("clip_by_norm", "max_norm", max_norm))


def dist(x: Any, y: Any, p: float = 2) -> Any:
    """The p-norm of x - y: (sum of |x - y| ** p) ** (1 / p).

    Arguments:
        x, y: Variables of one dtype, float32 or float64; their shapes are broadcast together.
        p: a number; 0 counts the elements that differ, inf gives the largest difference, -inf the smallest.

    Returns:
        [1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 4.], 'float32'))
    ...     fluid.layers.dist(x, x * 0).numpy(), fluid.layers.dist(x, x * 0, p=float('inf')).numpy()
    (array([5.], dtype=float32), array([4.], dtype=float32))
    """
    return ops.dist.call(x, y, p=number("dist", "p", p))


def cos_sim(X: Any, Y: Any) -> Any:
    """The cosine between rows: 1 for those of one direction, 0 for orthogonal ones, -1 for opposite ones.

    Arguments:
        X: [N, ...], float32 or float64.
        Y: of X's shape and dtype; or with one row, for all of X.

    Returns:
        [N, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 0.], [0., 2.]], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.array([[3., 0.]], 'float32'))
    ...     fluid.layers.cos_sim(x, y).numpy()
    array([[1.],
           [0.]], dtype=float32)
    """
    return ops.cos_sim.call(X, Y)[0]
