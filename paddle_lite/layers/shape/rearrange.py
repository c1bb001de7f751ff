"""The elements of Variables in another order, or repeated."""

from __future__ import annotations

from typing import Any

from ...ops.shape import rearrange as ops
from ...ops.shape.shape import reshape2
from ..math.arithmetic import assign
from ..support.arguments import check_variable, ints, is_variable, variables

__all__ = ["diag", "diag_embed", "expand_as", "flip", "meshgrid", "reverse", "roll"]


def reverse(x: Any, axis: Any) -> Any:
    """A Variable with the order of its elements turned round.

    Arguments:
        x: a Variable.
        axis: an int or a list of ints: the axes to turn round.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.reverse(fluid.dygraph.to_variable(np.array([1, 2, 3])), 0).numpy()
    array([3, 2, 1])
    """
    return ops.reverse.call(x, axis=ints("reverse", "axis", axis))


def flip(input: Any, dims: Any, name: str | None = None) -> Any:
    """A Variable with the order of its elements turned round.

    Arguments:
        input: a Variable.
        dims: a list of ints: the axes to turn round, each once.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.flip(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]])), [0, 1]).numpy()
    array([[4, 3],
           [2, 1]])
    """
    return ops.flip.call(input, dims=ints("flip", "dims", dims))


def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """A Variable whose elements have moved along axes; what leaves at the end comes in at the start.

    Arguments:
        input: a Variable.
        shifts: an int or a list of ints, by how many places.
        dims: an int or a list of as many ints, along which axes; None: along all of them, as if they were one.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.roll(paddle.imperative.to_variable(np.array([1, 2, 3])), 1).numpy()
    array([3, 1, 2])
    """
    places = ints("roll", "shifts", shifts)
    if dims is not None:
        return ops.roll.call(input, shifts=places, dims=ints("roll", "dims", dims))
    shape = check_variable("roll", "input", input).shape
    flat = ops.roll.call(reshape2.call(input, shape=[-1])[0], shifts=places, dims=[0])
    return reshape2.call(flat, shape=list(shape))[0]


def expand_as(x: Any, target_tensor: Any, name: str | None = None) -> Any:
    """A Variable repeated along each axis until it has the shape of another.

    Arguments:
        x: a Variable.
        target_tensor: of the same rank and dtype; its sizes are multiples of those of `x`.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1], [2]]))
    ...     fluid.layers.expand_as(x, fluid.dygraph.to_variable(np.zeros([4, 2], 'int64'))).numpy()
    array([[1, 1],
           [2, 2],
           [1, 1],
           [2, 2]])
    """
    return ops.expand_as.call(x, target_tensor)


def meshgrid(input: Any, name: str | None = None) -> list:
    """The coordinates of a grid.

    Arguments:
        input: a list of k vectors [n1], [n2], ..., at least two, of one dtype.
        name: kept for Fluid code.

    Returns:
        k Variables [n1, n2, ..., nk]; element [i1, ..., ik] of the j-th is element ij of the j-th vector.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2]))
    ...     [grid.numpy().tolist() for grid in fluid.layers.meshgrid([x, x])]
    [[[1, 1], [2, 2]], [[1, 2], [1, 2]]]
    """
    return ops.meshgrid.call(variables("meshgrid", "input", input))


def diag(diagonal: Any) -> Any:
    """A square matrix with these numbers on its diagonal, else zeros.

    Arguments:
        diagonal: [n], a Variable or an ndarray.

    Returns:
        [n, n]. There is no gradient.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.diag(np.array([1, 2])).numpy()
    array([[1, 0],
           [0, 2]])
    """
    return ops.diag.call(diagonal if is_variable(diagonal) else assign(diagonal))


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Each row along the last axis as a diagonal of a square matrix, else zeros.

    Arguments:
        input: a Variable [..., n] or an ndarray.
        offset: how many places the diagonal lies above the main one; negative: below it.
        dim1, dim2: the axes of the result in which the matrices stand.

    Returns:
        The matrices of n + |offset| rows and columns; rank one more than that of `input`. There is no gradient.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.diag_embed(np.array([[1., 2.]], 'float32')).numpy()
    array([[[1., 0.],
            [0., 2.]]], dtype=float32)
    """
    given = input if is_variable(input) else assign(input)
    return ops.diag_embed.call(given, offset=offset, dim1=dim1, dim2=dim2)
