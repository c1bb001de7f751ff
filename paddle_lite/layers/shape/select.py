"""Choosing elements and rows by conditions and indices; indices as vectors."""

from __future__ import annotations

from typing import Any

from ...ops.shape import select as ops
from ...ops.shape.shape import slice as cut
from ..support.arguments import check_variable, int_input, variables

__all__ = ["index_sample", "index_select", "multiplex", "nonzero", "one_hot", "shard_index", "where"]


def where(condition: Any) -> Any:
    """The indices of the elements that are true.

    Arguments:
        condition: a bool Variable (or one of numbers: those that are not 0).

    Returns:
        int64 [how many, rank of `condition`], in the order of the elements.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.where(fluid.dygraph.to_variable(np.array([[True, False], [False, True]]))).numpy()
    array([[0, 0],
           [1, 1]])
    """
    return ops.where_index.call(condition)


def nonzero(input: Any, as_tuple: bool = False) -> Any:
    """The indices of the elements that are not 0.

    Arguments:
        input: a Variable of rank R.
        as_tuple: one Variable [n, 1] for each axis instead of one [n, R] for all.

    Returns:
        int64 [n, R], or a tuple of R Variables [n, 1].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.nonzero(paddle.imperative.to_variable(np.array([0., 2., 3.], 'float32'))).numpy()
    array([[1],
           [2]])
    """
    rank = len(check_variable("nonzero", "input", input).shape)
    found = ops.where_index.call(input)
    if not as_tuple:
        return found
    if rank == 1:
        return (found,)
    return tuple(cut.call(found, axes=[1], starts=[i], ends=[i + 1]) for i in range(rank))


def index_select(input: Any, index: Any, dim: int = 0) -> Any:
    """The slices of a Variable with these indices along an axis.

    Arguments:
        input: a Variable.
        index: int32 or int64 [n]; one may come several times.
        dim: the axis, negative ones count from the end.

    Raises:
        IndexRangeError: there is no such slice.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1, 2, 3], [4, 5, 6]]))
    >>> paddle.index_select(x, paddle.imperative.to_variable(np.array([2, 0])), dim=1).numpy()
    array([[3, 1],
           [6, 4]])
    """
    return ops.index_select.call(input, index, dim=dim)


def index_sample(x: Any, index: Any) -> Any:
    """From each row of a matrix elements of its own.

    Arguments:
        x: [N, D].
        index: int32 or int64 [N, k]: the columns to take in each row.

    Returns:
        [N, k]

    Raises:
        IndexRangeError: there is no such column.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1, 2, 3], [4, 5, 6]]))
    >>> paddle.index_sample(x, paddle.imperative.to_variable(np.array([[2], [0]]))).numpy()
    array([[3],
           [4]])
    """
    return ops.index_sample.call(x, index)


def multiplex(inputs: Any, index: Any) -> Any:
    """Row i of the result is row i of inputs[index[i]].

    Arguments:
        inputs: at least two Variables of one shape and dtype, rank 2 or more.
        index: int32 [N, 1].

    Raises:
        IndexRangeError: there is no such input.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1], [2]]))
    ...     which = fluid.dygraph.to_variable(np.array([[1], [0]], 'int32'))
    ...     fluid.layers.multiplex([x, x * 10], which).numpy()
    array([[10],
           [ 2]])
    """
    return ops.multiplex.call(index, variables("multiplex", "inputs", inputs))


def one_hot(input: Any, depth: Any, allow_out_of_range: bool = False) -> Any:
    """Indices as vectors with 1 at the index and 0 elsewhere.

    Arguments:
        input: int32 or int64 [..., 1], from 0 to depth - 1.
        depth: how long the vectors are: an int, or a Variable of one element.
        allow_out_of_range: an index outside gives a vector of zeros rather than an error.

    Returns:
        float32 [..., depth]: the vectors stand in place of the last dimension.

    Raises:
        IndexRangeError: an index is not below `depth`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.one_hot(fluid.dygraph.to_variable(np.array([[1], [0]])), 3).numpy()
    array([[0., 1., 0.],
           [1., 0., 0.]], dtype=float32)
    """
    number, tensor = int_input("one_hot", "depth", depth)
    return ops.one_hot.call(input, tensor, depth=number, allow_out_of_range=allow_out_of_range)


def one_hot_v2(input: Any, depth: Any, allow_out_of_range: bool = False) -> Any:
    """`fluid.one_hot`: indices of any shape as vectors, which are a new last dimension.

    Arguments:
        input: int32 or int64, from 0 to depth - 1.
        depth: how long the vectors are: an int, or a Variable of one element.
        allow_out_of_range: an index outside gives a vector of zeros rather than an error.

    Returns:
        float32 [*input.shape, depth].

    Raises:
        IndexRangeError: an index is not below `depth`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.layers.shape.select import one_hot_v2
    >>> with fluid.dygraph.guard():
    ...     one_hot_v2(fluid.dygraph.to_variable(np.array([1, 0])), 2).numpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    number, tensor = int_input("one_hot", "depth", depth)
    return ops.one_hot_v2.call(input, tensor, depth=number, allow_out_of_range=allow_out_of_range)


def shard_index(input: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Any:
    """Indices into a table as indices into one of its equal parts.

    Arguments:
        input: int32 or int64, rank 2 or more, e.g. [N, 1]; from 0 to index_num - 1.
        index_num: the number of rows of the whole table.
        nshards: into how many parts it is cut.
        shard_id: which of them.
        ignore_value: stands for the indices of other parts.

    Raises:
        IndexRangeError: an index is not below `index_num`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[16], [1]]))
    ...     fluid.layers.shard_index(x, index_num=20, nshards=2, shard_id=1).numpy()
    array([[ 6],
           [-1]])
    """
    return ops.shard_index.call(
        input, index_num=index_num, nshards=nshards, shard_id=shard_id, ignore_value=ignore_value
    )
