"""Reverse, roll and repeat the elements of Variables; grids and diagonal matrices."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...core.typing import Variable
from ...ops.shape import rearrange as ops
from ...ops.shape.shape import reshape2
from ..math.arithmetic import assign
from ..support.arguments import check_variable, int_list, is_variable, variable_list
from ..support.taken import inputs_taken

__all__ = ["diag", "diag_embed", "expand_as", "flip", "meshgrid", "reverse", "roll"]


def reverse(x: Any, axis: Any) -> Variable:
    """Reverse the order of the elements along axes.

    Arguments:
        x: a Variable of rank 1 or more.
        axis: an int or a list of ints: the axes to reverse.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or axis is not an int or a list of ints.
        ShapeError: x has no such axis.
        ArgumentValueError: axis is empty.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.reverse(fluid.dygraph.to_variable(np.array([1, 2, 3])), 0).numpy()
    array([3, 2, 1])
    """
    inputs_taken("reverse", "x", x)
    return ops.reverse.call(x, axis=int_list("reverse", "axis", axis))


def flip(input: Any, dims: Any, name: str | None = None) -> Variable:
    """Reverse the order of the elements along axes.

    Arguments:
        input: a Variable of rank 1 or more.
        dims: a list of ints: the axes to reverse, each once.
        name: the name of the result in a Program; None for a generated one.

    Returns:
        A Variable of the shape and dtype of input.

    Raises:
        ArgumentTypeError: input is not a Variable, or dims is not an int or a list of ints.
        ShapeError: input has no such axis.
        ArgumentValueError: dims is empty or has an axis twice.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.flip(paddle.imperative.to_variable(np.array([[1, 2], [3, 4]])), [0, 1]).numpy()
    array([[4, 3],
           [2, 1]])
    """
    with result_names.only_result(name):
        return ops.flip.call(input, dims=int_list("flip", "dims", dims))


def roll(input: Variable, shifts: Any, dims: Any = None) -> Variable:
    """Shift the elements along axes; those that leave at the end come in at the start.

    Arguments:
        input: a Variable of rank 1 or more.
        shifts: an int or a list of ints: the number of places.
        dims: an int or a list of as many ints: the axes; None: shift the flattened Variable.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or shifts or dims is not an int or a list of ints.
        ShapeError: input has no such axis.
        ArgumentValueError: there is not one shift for each axis.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.roll(paddle.imperative.to_variable(np.array([1, 2, 3])), 1).numpy()
    array([3, 1, 2])
    """
    places = int_list("roll", "shifts", shifts)
    if dims is not None:
        return ops.roll.call(input, shifts=places, dims=int_list("roll", "dims", dims))
    shape = check_variable("roll", "input", input).shape
    flat = ops.roll.call(reshape2.call(input, shape=[-1])[0], shifts=places, dims=[0])
    return reshape2.call(flat, shape=list(shape))[0]


def expand_as(x: Any, target_tensor: Variable, name: str | None = None) -> Variable:
    """Repeat a Variable along each axis until it has the shape of another.

    Arguments:
        x: a Variable of rank 1 or more.
        target_tensor: a Variable of the rank and dtype of x; its sizes are multiples of those of x.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape of `target_tensor`.

    Raises:
        ArgumentTypeError: x or target_tensor is not a Variable.
        ShapeError: the ranks differ, or a size is not a multiple.
        DtypeError: the dtypes differ.

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


def meshgrid(input: Any, name: str | None = None) -> list[Variable]:
    """Expand k vectors into the coordinate arrays of a k-dimensional grid.

    Arguments:
        input: a list of at least two vectors [n1], [n2], ... of one dtype.
        name: accepted for Fluid code, ignored.

    Returns:
        A list of k Variables [n1, n2, ..., nk]; element [i1, ..., ik] of the j-th one is element ij of the j-th vector.

    Raises:
        ArgumentTypeError: input holds something other than Variables.
        ArgumentValueError: there are fewer than two vectors.
        ShapeError: one of them is not a vector.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2]))
    ...     [grid.numpy().tolist() for grid in fluid.layers.meshgrid([x, x])]
    [[[1, 1], [2, 2]], [[1, 2], [1, 2]]]
    """
    return ops.meshgrid.call(variable_list("meshgrid", "input", input))


def diag(diagonal: Any) -> Variable:
    """Make a square matrix with a given diagonal and zeros elsewhere. There is no gradient.

    Arguments:
        diagonal: a Variable or an ndarray [n].

    Returns:
        A Variable [n, n].

    Raises:
        ArgumentTypeError: diagonal is neither a Variable nor an ndarray.
        ShapeError: it is not a vector.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.diag(np.array([1, 2])).numpy()
    array([[1, 0],
           [0, 2]])
    """
    inputs_taken("diag", "diagonal", diagonal)
    return ops.diag.call(diagonal if is_variable(diagonal) else assign(diagonal))


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Variable:
    """Make for each vector along the last axis a square matrix with this diagonal. There is no gradient.

    Arguments:
        input: a Variable or an ndarray [..., n].
        offset: which diagonal: 0 the main one, positive above it, negative below it.
        dim1, dim2: the axes of the result that hold the matrices.

    Returns:
        A Variable of one rank more than `input`; the matrices have n + |offset| rows and columns.

    Raises:
        ArgumentTypeError: input is neither a Variable nor an ndarray, or offset, dim1 or dim2 is not an int.
        ShapeError: the result has no axis dim1 or dim2.
        ArgumentValueError: dim1 and dim2 are the same axis.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.diag_embed(np.array([[1., 2.]], 'float32')).numpy()
    array([[[1., 0.],
            [0., 2.]]], dtype=float32)
    """
    given = input if is_variable(input) else assign(input)
    return ops.diag_embed.call(given, offset=offset, dim1=dim1, dim2=dim2)
