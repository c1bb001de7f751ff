"""Replace rows of Variables, and add to elements of them."""

from __future__ import annotations

from typing import Any

from ...core.dtype import name_of
from ...core.typing import Variable
from ...ops.shape import scatter as ops
from ..support.arguments import check_variable
from .fill import zeros

__all__ = ["scatter", "scatter_nd", "scatter_nd_add"]


def scatter(input: Any, index: Any, updates: Any, name: str | None = None, overwrite: bool = True) -> Variable:
    """Copy a Variable and replace some of its rows.

    Arguments:
        input: a Variable of rank 1 or more.
        index: int32 or int64 [n]: the rows to replace.
        updates: [n, ...], the new rows, of the dtype of `input`.
        name: accepted for Fluid code, ignored.
        overwrite: True: of several updates of one row the last one is kept. False: the row becomes their sum.

    Returns:
        A Variable of the shape and dtype of `input`. Replaced rows of `input` get no gradient (in Paddle 1.8.5 they get
            one).

    Raises:
        ArgumentTypeError: input, index or updates is not a Variable.
        IndexRangeError: an index is out of range.
        ShapeError: the shapes do not fit.
        DtypeError: index is not int32 or int64, or updates has another dtype than input.

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


def scatter_nd_add(ref: Variable, index: Any, updates: Any, name: str | None = None) -> Variable:
    """Copy a Variable and add numbers to elements or slices of it.

    Arguments:
        ref: a Variable of rank R.
        index: int32 or int64 [..., n], n at most R: the last dimension holds tuples of indices; a tuple may occur
            several times.
        updates: [..., *ref.shape[n:]] of the dtype of `ref`: the numbers to add at each tuple.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of `ref`.

    Raises:
        ArgumentTypeError: ref, index or updates is not a Variable.
        IndexRangeError: an index is out of range.
        ShapeError: the shapes do not fit.
        DtypeError: index is not int32 or int64, or updates has another dtype than ref.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros(3, 'float32'))
    ...     index = fluid.dygraph.to_variable(np.array([[1], [1]]))
    ...     fluid.layers.scatter_nd_add(x, index, fluid.dygraph.to_variable(np.array([1., 2.], 'float32'))).numpy()
    array([0., 3., 0.], dtype=float32)
    """
    return ops.scatter_nd_add.call(ref, index, updates)


def scatter_nd(index: Any, updates: Variable, shape: Any, name: str | None = None) -> Variable:
    """Add numbers to elements or slices of a Variable of zeros.

    Arguments:
        index, updates: as in scatter_nd_add.
        shape: the shape of the result, a list of ints.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of this shape and the dtype of `updates`.

    Raises:
        ArgumentTypeError: index or updates is not a Variable.
        IndexRangeError: an index is out of range.
        ShapeError: the shapes do not fit.
        DtypeError: index is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     index = fluid.dygraph.to_variable(np.array([[1], [1]]))
    ...     fluid.layers.scatter_nd(index, fluid.dygraph.to_variable(np.array([1., 2.], 'float32')), [3]).numpy()
    array([0., 3., 0.], dtype=float32)
    """
    dtype = name_of(check_variable("scatter_nd", "updates", updates).dtype)
    return scatter_nd_add(zeros(shape, dtype), index, updates)
