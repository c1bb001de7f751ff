"""Embedding tables: `layers.embedding`, and `fluid.embedding`, whose result has another shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.typing import Variable
from ...ops.nn import embedding as ops
from ..support.arguments import as_ints, check_variable, flag, is_int, listed
from ..support.helper import LayerHelper

__all__ = ["embedding"]


def embedding(
    input: Any,
    size: Sequence[int],
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Variable:
    """Look up rows of a table, a new parameter: the result for each id is row input[..., 0].

    Arguments:
        input: int64 [..., 1], the ids; the last dimension is dropped.
        size: [rows, width] of the table.
        is_sparse: whether the gradient is SelectedRows: only the rows that were looked up.
        is_distributed: the table is one of parameter servers, which have a row for each id of int64, made at its first touch. It has no
            effect in a Program of one process.
        padding_idx: the id whose row is read as zeros and not trained; a negative one counts from the end; None for no
            such id.
        param_attr: the ParamAttr of the table.
        dtype: the dtype of the table.

    Returns:
        A Variable [..., width].

    Raises:
        ArgumentTypeError: input is not a Variable, or size is not two ints.
        ArgumentValueError: padding_idx is out of range.
        IndexRangeError: an id is negative or not below the number of rows.
        DtypeError: input is not int64.
        ShapeError: the last dimension of input is not 1.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     ids = fluid.data('ids', [None, 1], 'int64')
    ...     fluid.layers.embedding(ids, size=[100, 16]).shape
    (-1, 16)
    """
    return _looked_up(ops.lookup_table, input, size, is_sparse, is_distributed, padding_idx, param_attr, dtype)


def embedding_v2(
    input: Any,
    size: Sequence[int],
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Variable:
    """Look up rows of a table, a new parameter: the result for each id is row input[...]. This is `fluid.embedding`.

    Arguments:
        input: int64 [...], the ids, of any shape.
        size: [rows, width] of the table.
        is_sparse: whether the gradient is SelectedRows: only the rows that were looked up.
        is_distributed: the table is one of parameter servers, which have a row for each id of int64, made at its first touch. It has no
            effect in a Program of one process.
        padding_idx: the id whose row is read as zeros and not trained; a negative one counts from the end; None for no
            such id.
        param_attr: the ParamAttr of the table.
        dtype: the dtype of the table.

    Returns:
        A Variable [..., width].

    Raises:
        ArgumentTypeError: input is not a Variable, or size is not two ints.
        ArgumentValueError: padding_idx is out of range.
        IndexRangeError: an id is negative or not below the number of rows.
        DtypeError: input is not int64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     ids = fluid.data('ids', [None, 5], 'int64')
    ...     fluid.embedding(ids, size=[100, 16]).shape
    (-1, 5, 16)
    """
    return _looked_up(ops.lookup_table_v2, input, size, is_sparse, is_distributed, padding_idx, param_attr, dtype)


def _looked_up(
    op: Any, input: Any, size: Any, is_sparse: bool, is_distributed: bool, padding_idx: Any, param_attr: Any, dtype: Any
) -> Any:
    """Create the table and append the lookup operator."""
    check_variable("embedding", "input", input)
    size = listed(size)
    sizes = as_ints(size) if isinstance(size, (list, tuple)) and len(size) == 2 else None
    if sizes is None:
        raise ArgumentTypeError(message("embedding", "size", describe(size), "[rows, width]"))
    rows = sizes[0]
    if padding_idx is not None and not (is_int(padding_idx) and -rows <= padding_idx < rows):
        needs = f"{-rows} to {rows - 1}, or None"
        raise ArgumentValueError(message("embedding", "padding_idx", padding_idx, needs))
    helper = LayerHelper("embedding", param_attr=param_attr)
    table = helper.create_parameter(param_attr, sizes, dtype)
    padding = -1 if padding_idx is None else padding_idx % rows
    carried = {"is_distributed": flag("embedding", "is_distributed", is_distributed)}
    sparse = flag("embedding", "is_sparse", is_sparse)
    return helper.run(op, table, input, recorded=carried, is_sparse=sparse, padding_idx=padding)
