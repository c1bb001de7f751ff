"""`fluid.contrib.layers.partial_concat` and `partial_sum`: some columns of several matrices."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.shape import partial as ops
from ..support.arguments import check_int, variable_list
from ..support.helper import LayerHelper

__all__ = ["partial_concat", "partial_sum"]


def partial_concat(input: Any, start_index: int = 0, length: int = -1) -> Variable:
    """Put some columns of each matrix side by side.

    Arguments:
        input: a list of Variables [rows, columns] of one shape and dtype.
        start_index: the first column to take; a negative number counts from the end.
        length: the number of columns to take of each matrix; -1 for all from `start_index` on.

    Returns:
        A Variable [rows, taken columns * matrices].

    Raises:
        ArgumentTypeError: input is not a list of Variables, or a number is not an int.
        ArgumentValueError: input is empty, or the matrices do not have these columns.
        ShapeError: an input is no matrix, or their shapes differ.
        DtypeError: their dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0, 1, 2], [3, 4, 5]], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.array([[6, 7, 8], [9, 10, 11]], 'float32'))
    ...     fluid.contrib.layers.partial_concat([x, y], start_index=0, length=2).numpy()
    array([[ 0.,  1.,  6.,  7.],
           [ 3.,  4.,  9., 10.]], dtype=float32)
    """
    return _taken(ops.partial_concat, "partial_concat", input, start_index, length)


def partial_sum(input: Any, start_index: int = 0, length: int = -1) -> Variable:
    """Add some columns of several matrices.

    Arguments:
        input: a list of Variables [rows, columns] of one shape and dtype.
        start_index: the first column to take; a negative number counts from the end.
        length: the number of columns to take; -1 for all from `start_index` on.

    Returns:
        A Variable [rows, taken columns].

    Raises:
        ArgumentTypeError: input is not a list of Variables, or a number is not an int.
        ArgumentValueError: input is empty, or the matrices do not have these columns.
        ShapeError: an input is no matrix, or their shapes differ.
        DtypeError: their dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0, 1, 2], [3, 4, 5]], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.array([[6, 7, 8], [9, 10, 11]], 'float32'))
    ...     fluid.contrib.layers.partial_sum([x, y], start_index=0, length=2).numpy()
    array([[ 6.,  8.],
           [12., 14.]], dtype=float32)
    """
    return _taken(ops.partial_sum, "partial_sum", input, start_index, length)


def _taken(op: Any, where: str, input: Any, start_index: int, length: int) -> Any:
    matrices = variable_list(where, "input", input)
    start, count = check_int(where, "start_index", start_index), check_int(where, "length", length)
    return LayerHelper(where).run(op, matrices, start_index=start, length=count)
