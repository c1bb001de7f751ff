"""Select elements and rows by conditions and indices; one-hot vectors."""

from __future__ import annotations

import warnings
from typing import Any

from ...core.dtype import VarType, name_of
from ...core.errors import DtypeError, message
from ...core.tracebacks import user_level
from ...core.typing import Variable
from ...ops.shape import select as ops
from ...ops.shape.shape import slice as cut
from ..support.arguments import check_variable, int_input, is_variable, variable_list
from ..support.taken import inputs_taken, kind_taken

__all__ = ["index_sample", "index_select", "multiplex", "nonzero", "one_hot", "shard_index", "where"]


def where(condition: Any) -> Variable:
    """Find the indices of the elements that are true.

    Arguments:
        condition: a bool Variable, or one of numbers: those other than 0 count as true.

    Returns:
        int64 [n, rank of `condition`], in row-major order.

    Raises:
        ArgumentTypeError: condition is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.where(fluid.dygraph.to_variable(np.array([[True, False], [False, True]]))).numpy()
    array([[0, 0],
           [1, 1]])
    """
    return ops.where_index.call(condition)


def nonzero(input: Any, as_tuple: bool = False) -> Any:
    """Find the indices of the elements that are not 0.

    Arguments:
        input: a Variable of rank R.
        as_tuple: return one Variable [n, 1] for each axis instead of one [n, R].

    Returns:
        int64 [n, R], or a tuple of R Variables [n, 1].

    Raises:
        ArgumentTypeError: input is not a Variable.

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


def index_select(input: Any, index: Any, dim: int = 0) -> Variable:
    """Select slices of a Variable by index along an axis.

    Arguments:
        input: a Variable of rank 1 or more.
        index: int32 or int64 [n]; an index may occur several times.
        dim: the axis; a negative one counts from the end.

    Returns:
        A Variable of the dtype of `input`, with size n along the axis.

    Raises:
        ArgumentTypeError: input or index is not a Variable.
        IndexRangeError: an index is out of range.
        ShapeError: index is not a vector, or input has no such axis.
        DtypeError: index is not int32 or int64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1, 2, 3], [4, 5, 6]]))
    >>> paddle.index_select(x, paddle.imperative.to_variable(np.array([2, 0])), dim=1).numpy()
    array([[3, 1],
           [6, 4]])
    """
    return ops.index_select.call(input, index, dim=dim)


def index_sample(x: Variable, index: Any) -> Variable:
    """Select from each row of a matrix the elements at that row's own indices.

    Arguments:
        x: a Variable [N, D].
        index: int32 or int64 [N, k]: the columns to select in each row.

    Returns:
        A Variable [N, k] of the dtype of x.

    Raises:
        ArgumentTypeError: x or index is not a Variable.
        IndexRangeError: an index is out of range.
        ShapeError: x or index has another rank, or they have different numbers of rows.
        DtypeError: index is not int32 or int64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[1, 2, 3], [4, 5, 6]]))
    >>> paddle.index_sample(x, paddle.imperative.to_variable(np.array([[2], [0]]))).numpy()
    array([[3],
           [4]])
    """
    return ops.index_sample.call(x, index)


def multiplex(inputs: Any, index: Any) -> Variable:
    """Select each row from one of several Variables: row i of the result is row i of inputs[index[i]].

    Arguments:
        inputs: at least two Variables of one shape and dtype, rank 2 or more.
        index: int32 [N, 1].

    Returns:
        A Variable of the shape and dtype of the inputs.

    Raises:
        ArgumentTypeError: inputs holds something other than Variables, or index is not a Variable.
        IndexRangeError: there is no such input.
        ArgumentValueError: there are fewer than two inputs.
        ShapeError: the shapes differ or have rank 1, or index is not [N, 1].
        DtypeError: index is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1], [2]]))
    ...     which = fluid.dygraph.to_variable(np.array([[1], [0]], 'int32'))
    ...     fluid.layers.multiplex([x, x * 10], which).numpy()
    array([[10],
           [ 2]])
    """
    values = variable_list("multiplex", "inputs", inputs)
    inputs_taken("multiplex", "inputs", *values)
    return ops.multiplex.call(index, values)


def one_hot(input: Any, depth: Any, allow_out_of_range: bool = False) -> Variable:
    """Convert indices to one-hot vectors: 1 at the index, 0 elsewhere.

    Arguments:
        input: int32 or int64 [..., 1], from 0 to depth - 1.
        depth: the length of the vectors: an int, or a Variable of one element.
        allow_out_of_range: convert an index out of range to a vector of zeros instead of raising an error.

    Returns:
        float32 [..., depth]: the vectors replace the last dimension.

    Raises:
        ArgumentTypeError: input is not a Variable, or depth is neither an int nor a Variable.
        IndexRangeError: an index is negative or not below `depth`.
        ArgumentValueError: depth is below 1.
        ShapeError: input has less than two dimensions.
        DtypeError: input is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.one_hot(fluid.dygraph.to_variable(np.array([[1], [0]])), 3).numpy()
    array([[0., 1., 0.],
           [1., 0., 0.]], dtype=float32)
    """
    if check_variable("one_hot", "input", input).dtype not in (VarType.INT32, VarType.INT64):
        raise DtypeError(
            message("one_hot", "input", f"dtype {name_of(input.dtype)}", "int32 or int64", "Convert it with cast().")
        )
    if not is_variable(depth):
        kind_taken("one_hot", "depth", depth, int)
    number, tensor = int_input("one_hot", "depth", depth)
    result = ops.one_hot.call(input, tensor, depth=number, allow_out_of_range=allow_out_of_range)
    if input.shape[-1] not in (1, -1):
        warnings.warn(
            f"fluid.layers.one_hot: input of shape {list(input.shape)} has a last dimension other than 1, of which only as many "
            "indices are read as there are vectors. Use fluid.one_hot, which makes a vector of each index.",
            UserWarning,
            stacklevel=user_level(),
        )
    return result


def one_hot_v2(input: Any, depth: Any, allow_out_of_range: bool = False) -> Variable:
    """Convert indices of any shape to one-hot vectors along a new last dimension (`fluid.one_hot`).

    Arguments:
        input: int32 or int64, from 0 to depth - 1.
        depth: the length of the vectors: an int, or a Variable of one element.
        allow_out_of_range: convert an index out of range to a vector of zeros instead of raising an error.

    Returns:
        float32 [*input.shape, depth].

    Raises:
        ArgumentTypeError: input is not a Variable, or depth is neither an int nor a Variable.
        IndexRangeError: an index is negative or not below `depth`.
        ArgumentValueError: depth is below 1.
        DtypeError: input is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.layers.shape.select import one_hot_v2
    >>> with fluid.dygraph.guard():
    ...     one_hot_v2(fluid.dygraph.to_variable(np.array([1, 0])), 2).numpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    number, tensor = int_input("one_hot", "depth", depth)
    return ops.one_hot_v2.call(input, tensor, depth=number, allow_out_of_range=allow_out_of_range)


def shard_index(input: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Variable:
    """Convert indices into a table to indices into one of its shards of equal size.

    Arguments:
        input: int32 or int64, rank 2 or more, e.g. [N, 1]; from 0 to index_num - 1.
        index_num: the number of rows of the whole table.
        nshards: the number of shards.
        shard_id: the number of this shard, from 0.
        ignore_value: the result for indices of other shards.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable.
        IndexRangeError: an index is negative or not below `index_num`.
        ArgumentValueError: index_num or nshards is below 1, or there is no such shard.
        ShapeError: the rank is 1.
        DtypeError: input is not int32 or int64.

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
