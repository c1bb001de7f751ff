"""Distributed embedding tables as files, `fluid.contrib.utils.lookup_table_utils`."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, MissingFileError, message
from ...io.inference_model import inference_program
from ...io.parts import load_parts
from ...io.scope_values import need_executor
from ...io.served_tables import look_up_in_place, served_tables
from ...io.variables import is_persistable, load_vars
from ...static.program.program import Program
from .blocks import TABLES

__all__ = [
    "convert_dist_to_sparse_program",
    "get_inference_model",
    "load_persistables_for_increment",
    "load_persistables_for_inference",
]

_log = logging.getLogger("paddle_lite.distributed")
model_filename = "__model__"
lookup_table_dir = "__lookup_table__"


def convert_dist_to_sparse_program(program: Program) -> Program:
    """Return a Program that looks up in its own table what a Program asks servers for.

    Arguments:
        program: the Program of a trainer, or one with `embedding(is_distributed=True)`. It is not changed.

    Returns:
        A new Program; `load_persistables_for_inference` loads its parameters.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.contrib.utils.lookup_table_utils import convert_dist_to_sparse_program
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     ids = fluid.layers.data('ids', [1], dtype='int64')
    ...     _ = fluid.layers.embedding(ids, [10, 4], is_distributed=True, is_sparse=True, param_attr='table')
    ...     made = convert_dist_to_sparse_program(fluid.default_main_program())
    >>> made.global_block().ops[0].attr('is_distributed')
    False
    """
    made, found = program.clone(), bool(served_tables(program))
    look_up_in_place(made)
    for op in made.all_ops():
        if op.type in TABLES and op.attr("is_distributed"):
            found = True
            op._set_attr("is_distributed", False)
            op._set_attr("is_sparse", True)
    if not found:
        _log.warning("There are no distributed lookup tables need to be converted")
    return made


def get_inference_model(main_program: Program, feeded_var_names: str | Sequence[str], target_vars: Any) -> Program:
    """Return the part of a Program that some results depend on, with operators that feed and fetch.

    Arguments:
        main_program: the Program; it is not changed.
        feeded_var_names: the names of the Variables that will be fed.
        target_vars: the Variables to fetch.

    Returns:
        A new Program.

    Raises:
        ArgumentTypeError, ArgumentValueError: as of `fluid.io.save_inference_model`.
    """
    return inference_program(main_program, feeded_var_names, target_vars)


def load_persistables_for_inference(
    dirname: str, executor: Any, program: Program, lookup_table_var_name: str
) -> Program:
    """Read the parameters of a Program that looks up in its own table.

    Arguments:
        dirname: a folder with a file for each parameter, the table among them, as `save_persistables` of a trainer writes it.
        executor: a fluid.Executor.
        program: what `convert_dist_to_sparse_program` returned.
        lookup_table_var_name: the table.

    Returns:
        The Program.

    Raises:
        ArgumentValueError: the Program has no such table.
        MissingFileError: a file does not exist.
        ShapeError, DtypeError: a value does not match its Variable.
    """
    if lookup_table_var_name not in program.global_block().vars:
        got, needs = repr(lookup_table_var_name), "a variable of the Program"
        raise ArgumentValueError(message("load_persistables_for_inference", "lookup_table_var_name", got, needs))
    load_vars(executor, dirname, program, None, is_persistable)
    return program


def load_persistables_for_increment(
    dirname: str, executor: Any, program: Program, lookup_table_var: Any, lookup_table_var_path: str
) -> None:
    """Read what a server, or a Program of one process, needs to train on.

    Arguments:
        dirname: a folder with a file for each persistable variable, whole; a server takes its part of each.
        executor: a fluid.Executor.
        program: the Program.
        lookup_table_var: the table, a Variable or its name.
        lookup_table_var_path: the file of the table, whole; where it is empty, that in `dirname`.

    Raises:
        MissingFileError: a file does not exist.
        ShapeError, DtypeError: a value does not match its Variable.
    """
    need_executor("load_persistables_for_increment", executor)
    name = getattr(lookup_table_var, "name", lookup_table_var)
    path = lookup_table_var_path or os.path.join(dirname, name)
    if not os.path.isfile(path):
        got, needs = repr(path), "the file of the table"
        raise MissingFileError(message("load_persistables_for_increment", "lookup_table_var_path", got, needs))
    if program._server_parts:
        load_parts(program, dirname, {name: path})
        return
    load_vars(executor, dirname, program, None, lambda v: is_persistable(v) and v.name != name)
    folder, file = os.path.split(path)
    load_vars(executor, folder, program, [program.global_block().var(name)], None, file)
