"""Gather elements by index; find the largest and smallest elements."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.shape import index as ops
from ..support.arguments import int_input
from ..support.taken import inputs_taken

__all__ = ["argmax", "argmin", "gather", "gather_nd", "topk"]


def gather(input: Any, index: Any, overwrite: bool = True) -> Variable:
    """Gather rows of a Variable by index.

    Arguments:
        input: a Variable of rank 1 or more.
        index: int32 or int64, [n] or [n, 1], from 0 to the number of rows - 1.
        overwrite: how the gradients of a row that is gathered several times are combined: True keeps the last one,
            False adds them, which is the true gradient.

    Returns:
        [n, ...] of the dtype of `input`.

    Raises:
        ArgumentTypeError: input or index is not a Variable.
        IndexRangeError: an index is out of range.
        ShapeError: index has another rank.
        DtypeError: index is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.], [3., 4.]], 'float32'))
    ...     fluid.layers.gather(x, fluid.dygraph.to_variable(np.array([1, 1, 0]))).numpy()
    array([[3., 4.],
           [3., 4.],
           [1., 2.]], dtype=float32)
    """
    return ops.gather.call(input, index, overwrite=overwrite)


def gather_nd(input: Variable, index: Any, name: str | None = None) -> Variable:
    """Gather elements or slices of a Variable by tuples of indices.

    Arguments:
        input: a Variable of rank R.
        index: int32 or int64 [..., n], n at most R: the last dimension holds the tuples.
        name: accepted for Fluid code, ignored.

    Returns:
        [..., *input.shape[n:]] of the dtype of `input`.

    Raises:
        ArgumentTypeError: input or index is not a Variable.
        IndexRangeError: an index is out of range.
        ShapeError: the tuples are longer than R.
        DtypeError: index is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.], [3., 4.]], 'float32'))
    ...     fluid.layers.gather_nd(x, fluid.dygraph.to_variable(np.array([[1, 0], [0, 1]]))).numpy()
    array([3., 2.], dtype=float32)
    """
    return ops.gather_nd.call(input, index)


def topk(input: Any, k: Any, name: str | None = None) -> tuple[Variable, Variable]:
    """Find the k largest elements along the last axis.

    Arguments:
        input: a Variable [..., D], float32 or float64.
        k: an int or a Variable of one element, 1 to D.
        name: accepted for Fluid code, ignored.

    Returns:
        (values, int64 indices), both [..., k], the largest first; of equal elements the one with the lowest index
            first. No gradient flows through the values, as in PaddlePaddle 1.8.

    Raises:
        ArgumentTypeError: input is not a Variable, or k is neither an int nor a Variable.
        ArgumentValueError: k is out of range.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, indices = fluid.layers.topk(fluid.dygraph.to_variable(np.array([[1., 5., 3.]], 'float32')), k=2)
    ...     values.numpy(), indices.numpy()
    (array([[5., 3.]], dtype=float32), array([[1, 2]]))
    """
    k, tensor = int_input("topk", "k", k)
    values, indices = ops.top_k.call(input, tensor, k=k)
    values.stop_gradient = True
    return values, indices


def argmax(x: Any, axis: int = 0) -> Variable:
    """Find the index of the largest element along an axis.

    Arguments:
        x: a Variable of rank 1 or more.
        axis: an int; a negative one counts from the end.

    Returns:
        An int64 Variable of the shape of x without the axis; of equal elements the index of the first.

    Raises:
        ArgumentTypeError: x is not a Variable, or axis is not an int.
        ShapeError: x has no such axis.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.argmax(fluid.dygraph.to_variable(np.array([[1., 5., 3.]], 'float32')), axis=1).numpy()
    array([1])
    """
    inputs_taken("argmax", "x", x)
    return ops.arg_max.call(x, axis=axis)


def argmin(x: Any, axis: int = 0) -> Variable:
    """Find the index of the smallest element along an axis.

    Arguments:
        x: a Variable of rank 1 or more.
        axis: an int; a negative one counts from the end.

    Returns:
        An int64 Variable of the shape of x without the axis; of equal elements the index of the first.

    Raises:
        ArgumentTypeError: x is not a Variable, or axis is not an int.
        ShapeError: x has no such axis.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.argmin(fluid.dygraph.to_variable(np.array([[1., 5., 3.]], 'float32')), axis=1).numpy()
    array([0])
    """
    inputs_taken("argmin", "x", x)
    return ops.arg_min.call(x, axis=axis)
