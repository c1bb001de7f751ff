"""Tables of vectors, looked up by their row: `layers.embedding`, and `fluid.embedding` with another shape of result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...ops.nn import embedding as ops
from ..support.arguments import check_variable, is_int
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
) -> Any:
    """Rows of a table, a new parameter: row input[..., 0] in the place of each index.

    Arguments:
        input: int64 [..., 1], the rows; the last dimension goes.
        size: [rows, width] of the table.
        is_sparse: the gradient holds the rows that were looked up only (SelectedRows).
        is_distributed: kept for Fluid code.
        padding_idx: the row for this index reads as zeros and is not trained; negative counts from the end.
        param_attr: of the table.
        dtype: of the table.

    Returns:
        [..., width].

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
) -> Any:
    """Rows of a table, a new parameter: row input[...] in the place of each index. Fluid calls it `fluid.embedding`.

    Arguments:
        input: int64 [...], the rows; any shape.
        size: [rows, width] of the table.
        is_sparse: the gradient holds the rows that were looked up only (SelectedRows).
        is_distributed: kept for Fluid code.
        padding_idx: the row for this index reads as zeros and is not trained; negative counts from the end.
        param_attr: of the table.
        dtype: of the table.

    Returns:
        [..., width].

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
    check_variable("embedding", "input", input)
    if not isinstance(size, (list, tuple)) or len(size) != 2 or not all(map(is_int, size)):
        raise ArgumentTypeError(message("embedding", "size", describe(size), "[rows, width]"))
    rows = size[0]
    if padding_idx is not None and not (is_int(padding_idx) and -rows <= padding_idx < rows):
        needs = f"{-rows} to {rows - 1}, or None"
        raise ArgumentValueError(message("embedding", "padding_idx", padding_idx, needs))
    helper = LayerHelper("embedding", param_attr=param_attr)
    table = helper.create_parameter(param_attr, list(size), dtype)
    padding = -1 if padding_idx is None else padding_idx % rows
    carried = {"is_distributed": bool(is_distributed)}
    return helper.run(op, table, input, carried=carried, is_sparse=bool(is_sparse), padding_idx=padding)
