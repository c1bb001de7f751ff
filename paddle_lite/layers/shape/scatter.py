"""Writing into rows of Variables, and adding to elements of them."""

from __future__ import annotations

from typing import Any

from ...core.dtype import name_of
from ...ops.shape import scatter as ops
from ..support.arguments import check_variable
from .fill import zeros

__all__ = ["scatter", "scatter_nd", "scatter_nd_add"]


def scatter(input: Any, index: Any, updates: Any, name: str | None = None, overwrite: bool = True) -> Any:
    """A copy of a Variable in which rows are replaced.

    Arguments:
        input: a Variable of rank 1 or more.
        index: int32 or int64 [n], the rows to replace.
        updates: [n, ...], the new rows, of the dtype of `input`.
        name: kept for Fluid code.
        overwrite: of several updates of one row the last one stays; False: the row is their sum.

    Returns:
        The shape and dtype of `input`. No gradient goes to rows of `input` that are replaced (1.8.5 passes one there).

    Raises:
        IndexRangeError: there is no such row.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([3, 1], 'float32'))
    ...     new = fluid.dygraph.to_variable(np.array([[1.], [2.]], 'float32'))
    ...     fluid.layers.scatter(x, fluid.dygraph.to_variable(np.array([2, 0])), new).numpy()
    array([[2.],
           [0.],
           [1.]], dtype=float32)
    """
    return ops.scatter.call(input, index, updates, overwrite=overwrite)


def scatter_nd_add(ref: Any, index: Any, updates: Any, name: str | None = None) -> Any:
    """A copy of a Variable with numbers added to elements or slices of it.

    Arguments:
        ref: a Variable of rank R.
        index: int32 or int64 [..., n], n up to R: the last dimension holds tuples of indices; one may come several times.
        updates: [..., *ref.shape[n:]] of the dtype of `ref`: what to add at each tuple.
        name: kept for Fluid code.

    Returns:
        The shape and dtype of `ref`.

    Raises:
        IndexRangeError: an index points outside of its axis.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros(3, 'float32'))
    ...     index = fluid.dygraph.to_variable(np.array([[1], [1]]))
    ...     fluid.layers.scatter_nd_add(x, index, fluid.dygraph.to_variable(np.array([1., 2.], 'float32'))).numpy()
    array([0., 3., 0.], dtype=float32)
    """
    return ops.scatter_nd_add.call(ref, index, updates)


def scatter_nd(index: Any, updates: Any, shape: Any, name: str | None = None) -> Any:
    """Zeros with numbers added to elements or slices: scatter_nd_add to zeros of this shape.

    Arguments:
        index, updates: as for scatter_nd_add.
        shape: a list of ints.
        name: kept for Fluid code.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     index = fluid.dygraph.to_variable(np.array([[1], [1]]))
    ...     fluid.layers.scatter_nd(index, fluid.dygraph.to_variable(np.array([1., 2.], 'float32')), [3]).numpy()
    array([0., 3., 0.], dtype=float32)
    """
    dtype = name_of(check_variable("scatter_nd", "updates", updates).dtype)
    return scatter_nd_add(zeros(shape, dtype), index, updates)
