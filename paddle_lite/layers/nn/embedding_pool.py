"""`fluid.contrib.layers.fused_embedding_seq_pool`: an embedding lookup with a sum over each sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...ops.nn import embedding_pool as ops
from ..support.arguments import check_variable, flag, is_int
from ..support.helper import LayerHelper

__all__ = ["fused_embedding_seq_pool"]


def fused_embedding_seq_pool(
    input: Variable,
    size: Sequence[int],
    is_sparse: bool = False,
    padding_idx: int | None = None,
    combiner: str = "sum",
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Variable:
    """Look up rows of a table, a new parameter, and sum them over each sequence of ids.

    Arguments:
        input: int64 [rows, 1] with a LoD of one level: the ids; with [rows, ..., 1] the sums of several ids stand side by side.
        size: [rows, width] of the table.
        is_sparse: whether the gradient is SelectedRows: only the rows that were looked up.
        padding_idx: the id whose row is read as zeros and not trained; a negative one counts from the end; None for no
            such id.
        combiner: "sum", the only supported one.
        param_attr: the ParamAttr of the table.
        dtype: the dtype of the table.

    Returns:
        A Variable [sequences, width], with several ids [sequences, several * width].

    Raises:
        ArgumentTypeError: input is not a Variable, size is not two ints, or padding_idx or combiner has another type.
        ArgumentValueError: combiner is not "sum".
        IndexRangeError: an id is negative or not below the number of rows.
        LoDError: input has no LoD of one level.
        ShapeError: input is not [rows, ..., 1].
        DtypeError: input is not int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     ids = fluid.create_lod_tensor(np.array([[1], [2], [3]]), [[2, 1]], fluid.CPUPlace())
    ...     one = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
    ...     pool = fluid.contrib.layers.fused_embedding_seq_pool
    ...     pool(fluid.dygraph.to_variable(ids), [10, 2], param_attr=one).numpy()
    array([[2., 2.],
           [1., 1.]], dtype=float32)
    """
    where = ops.WHERE
    check_variable(where, "input", input)
    if not isinstance(size, (list, tuple)) or len(size) != 2 or not all(is_int(n) for n in size):
        raise ArgumentTypeError(message(where, "size", describe(size), "[rows, width]"))
    if padding_idx is not None and not is_int(padding_idx):
        raise ArgumentTypeError(message(where, "padding_idx", describe(padding_idx), "None or an int"))
    if not isinstance(combiner, str):
        raise ArgumentTypeError(message(where, "combiner", describe(combiner), "'sum'"))
    helper = LayerHelper(where)
    table = helper.create_parameter(param_attr, list(size), dtype)
    return helper.run(
        ops.fused_embedding_seq_pool,
        table,
        input,
        combiner=combiner.lower(),
        is_sparse=flag(where, "is_sparse", is_sparse),
        padding_idx=ops.positive(padding_idx, size[0]),
    )
