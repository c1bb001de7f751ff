"""The Variables and operators of readers in Programs of 1.8.5, and what copies them into another Program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core.dtype import VarType
from ....core.errors import ArgumentTypeError, describe, message
from ....reader.py_reader import ProgramReader, create_py_reader_by_data
from ....reader.py_reader import py_reader as by_shapes
from ....static.program.block import Block
from ....static.program.operator import Operator
from ....static.program.variable import Variable

__all__ = ["_py_reader", "copy_reader_operator", "copy_reader_variable"]


class _NoReader(ArgumentTypeError, AttributeError):
    """Something that is no reader; 1.8.5 raises an AttributeError."""


def _py_reader(
    capacity: int,
    shapes: Sequence[Sequence[int]] | None,
    dtypes: Sequence[Any] | None,
    lod_levels: Sequence[int] | None = None,
    name: str | None = None,
    use_double_buffer: bool = True,
    feed_list: Sequence[Any] | None = None,
) -> ProgramReader:
    """Make the reader of `py_reader`, or with `feed_list` that of `create_py_reader_by_data`.

    Arguments:
        capacity, shapes, dtypes, lod_levels, name, use_double_buffer: those of `fluid.layers.py_reader`; shapes and dtypes are
            not used where there is a `feed_list`.
        feed_list: data Variables, or None.

    Raises:
        ArgumentTypeError: there are neither shapes and dtypes nor a feed_list.
    """
    if feed_list is not None:
        return create_py_reader_by_data(capacity, feed_list, name, use_double_buffer)
    if shapes is None or dtypes is None:
        needs = "a list with one for each Variable, or a feed_list"
        raise ArgumentTypeError(message("_py_reader", "shapes" if shapes is None else "dtypes", "None", needs))
    return by_shapes(capacity, shapes, dtypes, lod_levels, name, use_double_buffer)


def copy_reader_variable(block: Block, var: Any) -> Variable:
    """Create a reader's Variable in a block, like one of another Program, and return it.

    Arguments:
        block: the block.
        var: a Variable of the type READER, or a reader of `py_reader`.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if getattr(var, "type", None) != VarType.READER:
        needs = "a Variable of the type READER"
        raise _NoReader(message("_copy_reader_var_", "var", describe(var), needs))
    made = block.create_var(name=var.name, type=VarType.READER, persistable=True, stop_gradient=True)
    if isinstance(var, ProgramReader):
        columns = var._loader.columns
        made.desc.set_shapes([column.shape for column in columns])
        made.desc.set_dtypes([column.dtype for column in columns])
        made.desc.set_lod_levels([column.lod_level for column in columns])
    else:
        made.parts = list(var.parts)
    return made


def copy_reader_operator(block: Block, op: Any) -> Operator:
    """Append an operator of another Program to a block that has Variables of the same names, and return the new one.

    Arguments:
        block: the block.
        op: the operator, which makes a reader.

    Raises:
        ArgumentTypeError: it is no operator.
        MissingVariableError: the block has no Variable of a name that the operator uses.
    """
    if not isinstance(op, Operator):
        raise _NoReader(message("_copy_reader_create_op_", "op", describe(op), "an Operator"))
    inputs, outputs = (
        {slot: [block.var(name) for name in names] for slot, names in side.items()} for side in (op.inputs, op.outputs)
    )
    return block.append_op(op.type, inputs, outputs, dict(op.all_attrs()))
