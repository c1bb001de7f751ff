"""The distributed embedding table of a Program, `fluid.distribute_lookup_table`."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError
from ...static.program.program import check_program

__all__ = [
    "find_distributed_lookup_table",
    "find_distributed_lookup_table_inputs",
    "find_distributed_lookup_table_outputs",
]

LOOKUP_TABLE_TYPE = "lookup_table"


def find_distributed_lookup_table(program: Any) -> str | None:
    """Find the table of `fluid.layers.embedding(is_distributed=True)`.

    Arguments:
        program: a Program.

    Returns:
        The name of the table; None if there is none.

    Raises:
        ArgumentValueError: there are several.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     ids = fluid.layers.data('ids', [1], dtype='int64')
    ...     _ = fluid.layers.embedding(ids, [10, 4], is_distributed=True, param_attr='table')
    ...     fluid.distribute_lookup_table.find_distributed_lookup_table(fluid.default_main_program())
    'table'
    """
    names = {op.input("W")[0] for op in _look_ups(program) if op.attr("is_distributed")}
    if len(names) > 1:
        text = "all distributed lookup_table_ops should have only one table"
        raise ArgumentValueError(f"{text}; they have {', '.join(sorted(names))}")
    return next(iter(names), None)


def find_distributed_lookup_table_inputs(program: Any, table_name: str) -> list[Any]:
    """Find the ids that are looked up in a table.

    Returns:
        A list of Variables.
    """
    return _variables(program, table_name, "Ids")


def find_distributed_lookup_table_outputs(program: Any, table_name: str) -> list[Any]:
    """Find the rows that are looked up in a table.

    Returns:
        A list of Variables.
    """
    return _variables(program, table_name, "Out")


def _look_ups(program: Any) -> list[Any]:
    return [
        op
        for op in check_program("find_distributed_lookup_table", program).global_block().ops
        if op.type == LOOKUP_TABLE_TYPE
    ]


def _variables(program: Any, table: str, slot: str) -> list[Any]:
    look_ups = _look_ups(program)
    block = program.global_block()
    found = [op for op in look_ups if op.input("W") == [table]]
    return [block.var(name) for op in found for name in (op.inputs if slot == "Ids" else op.outputs)[slot]]
