"""`fluid.contrib.layers.rank_attention`: products with matrices that depend on ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.typing import Variable
from ...ops.nn import rank_attention as ops
from ..support.arguments import check_int, check_variable, int_list
from ..support.helper import LayerHelper

__all__ = ["rank_attention"]


def rank_attention(
    input: Any, rank_offset: Any, rank_param_shape: Sequence[int], rank_param_attr: Any, max_rank: int = 3
) -> Variable:
    """Add up products of rows with matrices, new parameters, that belong to the ranks of two instances.

    Arguments:
        input: [N, D], float32 or float64. It gets no gradient.
        rank_offset: int32 [N, 1 + 2 * max_rank]: for each instance its rank from 1 to max_rank, then `max_rank` times the
            rank of another instance and its row of `input`; a rank of 0 says that there is none.
        rank_param_shape: [max_rank * max_rank * D, columns], the shape of the matrices [D, columns] under each other.
        rank_param_attr: the ParamAttr of the matrices.
        max_rank: the largest rank.

    Returns:
        A Variable [N, columns]: for each instance the sum over the others of their row times the matrix of both ranks.

    Raises:
        ArgumentTypeError: input or rank_offset is not a Variable, or a number is not an int.
        ArgumentValueError: max_rank is below 1.
        IndexRangeError: a rank is above max_rank, or a row is not one of input.
        ShapeError: the shapes do not fit together.
        DtypeError: rank_offset is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2.], [3., 4.]], 'float32'))
    ...     ranks = fluid.dygraph.to_variable(np.array([[1, 2, 1], [0, 0, 0]], 'int32')[:, [0, 0, 2]])
    ...     one = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
    ...     fluid.contrib.layers.rank_attention(x, ranks, [2, 1], one, max_rank=1).numpy()
    array([[7.],
           [0.]], dtype=float32)
    """
    where = "rank_attention"
    for name, value in (("input", input), ("rank_offset", rank_offset)):
        check_variable(where, name, value)
    most = check_int(where, "max_rank", max_rank)
    helper = LayerHelper(where)
    shape = int_list(where, "rank_param_shape", rank_param_shape)
    matrices = helper.create_parameter(rank_param_attr, shape, input.dtype)
    return helper.run(ops.rank_attention, input, rank_offset, matrices, MaxRank=most)
