"""Rows of the tables of PSLib and BoxPS, `_pull_sparse` and its kin of `fluid.layers.nn` of 1.8.5.

The calls append operators, as 1.8.5 does; its public builds cannot run these, and neither can paddle_lite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core.dtype import VarType, to_vartype
from ....core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ....layers.support.arguments import check_variable
from ....layers.support.helper import LayerHelper

__all__ = ["pull_box_sparse", "pull_sparse", "pull_sparse_v2"]


def pull_sparse(
    input: Any,
    size: int,
    table_id: int,
    accessor_class: str,
    name: str = "embedding",
    ctr_label_name: str = "",
    padding_id: int = 0,
    dtype: Any = "float32",
    scale_sparse_grad: bool = True,
) -> Any:
    """Append the lookup of ids in a table of PSLib; the ids are tensors with LoD and one id a row.

    Arguments:
        input: a Variable of ids, int64, [n, 1], or a list of them.
        size: the length of a row.
        table_id: the number of the table.
        accessor_class: the kind of its rows, such as "DownpourCtrAccessor".
        name: the name of the Variable that stands for the table.
        ctr_label_name: the name of the Variable of clicks.
        padding_id: the id whose row is zeros.
        dtype: the dtype of the rows.
        scale_sparse_grad: whether gradients are multiplied with the batch size.

    Returns:
        A Variable of rows, [n, size], for each of ids; one for one.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: the ids have another shape.
    """
    ids = _ids("pull_sparse", input)
    for each in ids:
        if len(each.shape) != 2 or each.shape[-1] != 1:
            raise ArgumentValueError(message("_pull_sparse", "input", f"shape {list(each.shape)}", "[n, 1]"))
    shapes = [(each.shape[0], size) for each in ids]
    settings = (table_id, accessor_class, name, ctr_label_name, padding_id, dtype, scale_sparse_grad)
    return _appended("pull_sparse", ids, input, size, shapes, *settings)


def pull_sparse_v2(
    input: Any,
    size: int,
    table_id: int,
    accessor_class: str,
    name: str = "embedding",
    ctr_label_name: str = "",
    padding_id: int = 0,
    dtype: Any = "float32",
    scale_sparse_grad: bool = True,
) -> Any:
    """Append the lookup of ids of any shape in a table of PSLib; the arguments are those of `pull_sparse`.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     ids = fluid.data('ids', [None, 3], 'int64')
    ...     fluid.layers.nn._pull_sparse_v2(ids, 8, 0, 'DownpourCtrAccessor').shape
    (-1, 3, 8)
    """
    ids = _ids("pull_sparse_v2", input)
    shapes = [(*each.shape, size) for each in ids]
    settings = (table_id, accessor_class, name, ctr_label_name, padding_id, dtype, scale_sparse_grad)
    return _appended("pull_sparse_v2", ids, input, size, shapes, *settings)


def pull_box_sparse(input: Any, size: int, dtype: Any = "float32") -> Any:
    """Append the lookup of ids in BoxPS.

    Arguments:
        input: a Variable of ids, int64, [n, 1], or a list of them.
        size: the length of a row.
        dtype: "float32".

    Returns:
        A Variable of rows, [n, size], for each of ids; one for one.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: the ids have another shape, or `dtype` is another.
    """
    where = "_pull_box_sparse"
    if to_vartype(dtype, where) != VarType.FP32:
        raise ArgumentValueError(message(where, "dtype", repr(dtype), "float32"))
    ids = _ids("pull_box_sparse", input)
    for each in ids:
        if each.shape[-1] != 1:
            raise ArgumentValueError(message(where, "input", f"shape {list(each.shape)}", "one id a row, [n, 1]"))
    helper = LayerHelper("pull_box_sparse")
    outs = _results(helper, dtype, [(*each.shape[:-1], _size(where, size)) for each in ids])
    helper.append_op("pull_box_sparse", inputs={"Ids": ids}, outputs={"Out": outs}, attrs={"size": size})
    return outs[0] if len(outs) == 1 else outs


def _appended(
    type: str,
    ids: list[Any],
    given: Any,
    size: int,
    shapes: Sequence[tuple[int, ...]],
    table_id: int,
    accessor_class: str,
    name: str,
    ctr_label_name: str,
    padding_id: int,
    dtype: Any,
    scale_sparse_grad: bool,
) -> Any:
    """Append the operator, and return its results."""
    where = f"_{type}"
    for argument, value in (("accessor_class", accessor_class), ("name", name), ("ctr_label_name", ctr_label_name)):
        if not isinstance(value, str):
            raise ArgumentTypeError(message(where, argument, describe(value), "a str"))
    helper = LayerHelper(type, name=name)
    outs = _results(helper, dtype, shapes)
    table = helper.main_program.current_block().create_var(
        name=name, shape=(_size(where, size),), dtype=to_vartype(dtype, where), persistable=True
    )
    attrs = {
        "EmbeddingDim": size, "TableId": table_id, "AccessorClass": accessor_class, "CtrLabelName": ctr_label_name,
        "PaddingId": padding_id, "ScaleSparseGrad": scale_sparse_grad, "InputNames": [each.name for each in ids],
        "is_distributed": True,
    }  # fmt: skip
    helper.append_op(type, inputs={"Ids": ids, "W": [table]}, outputs={"Out": outs}, attrs=attrs)
    return outs[0] if len(outs) == 1 else outs


def _ids(type: str, input: Any) -> list[Any]:
    """Return the Variables of ids."""
    ids = list(input) if isinstance(input, (list, tuple)) else [input]
    for each in ids:
        check_variable(f"_{type}", "input", each)
    return ids


def _size(where: str, size: Any) -> int:
    if isinstance(size, bool) or not isinstance(size, int):
        raise ArgumentTypeError(message(where, "size", describe(size), "an int, the length of a row"))
    return size


def _results(helper: Any, dtype: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """Return new Variables of these shapes."""
    made = [helper.create_variable_for_type_inference(dtype) for _ in shapes]
    for each, shape in zip(made, shapes, strict=True):
        each.desc.set_shape(shape)
    return made
