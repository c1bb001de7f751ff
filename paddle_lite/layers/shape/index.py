"""Picking elements of Variables, and finding them."""

from __future__ import annotations

from typing import Any

from ...ops.shape import index as ops
from ..support.arguments import int_input

__all__ = ["argmax", "argmin", "gather", "gather_nd", "topk"]


def gather(input: Any, index: Any, overwrite: bool = True) -> Any:
    """Rows of a Variable by their indices.

    Arguments:
        input: a Variable of rank 1 or more.
        index: int32 or int64 [n] or [n, 1], from 0 to the number of rows - 1.
        overwrite: the gradient of a row that was picked several times is that of the last time; False adds them up, which
            is the true gradient.

    Returns:
        [n, ...] of the dtype of `input`.

    Raises:
        IndexRangeError: there is no such row.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.], [3., 4.]], 'float32'))
    ...     fluid.layers.gather(x, fluid.dygraph.to_variable(np.array([1, 1, 0]))).numpy()
    array([[3., 4.],
           [3., 4.],
           [1., 2.]], dtype=float32)
    """
    return ops.gather.call(input, index, overwrite=overwrite)


def gather_nd(input: Any, index: Any, name: str | None = None) -> Any:
    """Elements or slices of a Variable by tuples of indices.

    Arguments:
        input: a Variable of rank R.
        index: int32 or int64 [..., n], n up to R: the last dimension holds tuples of indices.
        name: kept for Fluid code.

    Returns:
        [..., *input.shape[n:]] of the dtype of `input`.

    Raises:
        IndexRangeError: an index points outside of its axis.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.], [3., 4.]], 'float32'))
    ...     fluid.layers.gather_nd(x, fluid.dygraph.to_variable(np.array([[1, 0], [0, 1]]))).numpy()
    array([3., 2.], dtype=float32)
    """
    return ops.gather_nd.call(input, index)


def topk(input: Any, k: Any, name: str | None = None) -> tuple:
    """The k largest elements of each row, along the last axis.

    Arguments:
        input: a Variable [..., D], float32 or float64.
        k: how many, 1 to D: an int or a Variable of one element.
        name: kept for Fluid code.

    Returns:
        (values, int64 indices), both [..., k], the largest first; of equal elements the one with the lowest index first.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     values, indices = fluid.layers.topk(fluid.dygraph.to_variable(np.array([[1., 5., 3.]], 'float32')), k=2)
    ...     values.numpy(), indices.numpy()
    (array([[5., 3.]], dtype=float32), array([[1, 2]]))
    """
    k, tensor = int_input("topk", "k", k)
    return ops.top_k.call(input, tensor, k=k)


def argmax(x: Any, axis: int = 0) -> Any:
    """Where the largest elements along an axis are.

    Arguments:
        x: a Variable of rank 1 or more.
        axis: an int; negative ones count from the end.

    Returns:
        int64, of the shape of x without the axis; of equal elements the first.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.argmax(fluid.dygraph.to_variable(np.array([[1., 5., 3.]], 'float32')), axis=1).numpy()
    array([1])
    """
    return ops.arg_max.call(x, axis=axis)


def argmin(x: Any, axis: int = 0) -> Any:
    """Where the smallest elements along an axis are.

    Arguments:
        x: a Variable of rank 1 or more.
        axis: an int; negative ones count from the end.

    Returns:
        int64, of the shape of x without the axis; of equal elements the first.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.argmin(fluid.dygraph.to_variable(np.array([[1., 5., 3.]], 'float32')), axis=1).numpy()
    array([0])
    """
    return ops.arg_min.call(x, axis=axis)
