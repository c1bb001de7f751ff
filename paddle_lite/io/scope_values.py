"""Transfer of a Program's variables between the global scope and files, with checks against the Program."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.dtype import VarType, to_numpy
from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingVariableError,
    StoredDtypeError,
    StoredShapeError,
    describe,
    message,
)
from ..core.host import to_host
from ..core.lod import LoD
from ..core.selected_rows import SelectedRows
from ..core.tensor import LoDTensor
from ..core.tensor import SelectedRows as ScopeSelectedRows
from ..static.execution.compiled import CompiledProgram
from ..static.execution.executor import Executor
from ..static.execution.scope import global_scope
from ..static.program import program as programs
from ..static.program.program import Program
from ..static.program.python_operators import is_variable
from ..static.program.variable import Variable


class HostValue(NamedTuple):
    """The value of a variable: an array on the host or SelectedRows, and its LoD."""

    value: Any
    lod: LoD | None = None


def program_or_default(call: str, program: Any) -> Program:
    """Return the Program that a call refers to: the default one for None, that of a CompiledProgram."""
    if program is None:
        return programs.default_main_program()
    if isinstance(program, CompiledProgram):
        return program.program
    if not isinstance(program, Program):
        raise ArgumentTypeError(message(call, "main_program", describe(program), "a fluid.Program, or None"))
    return program


def need_executor(call: str, executor: Any) -> None:
    """Raise unless `executor` is an Executor."""
    if not isinstance(executor, Executor):
        raise ArgumentTypeError(
            message(
                call, "executor", describe(executor), "a fluid.Executor", "Make one: fluid.Executor(fluid.CPUPlace())."
            )
        )


def need_variables(call: str, variables: Iterable[Any]) -> list[Variable]:
    """Return the Variables without duplicates; raise for anything else."""
    found: dict[str, Variable] = {}
    for variable in variables:
        if not is_variable(variable):
            fix = "A name's Variable is program.global_block().var(name)."
            raise ArgumentTypeError(message(call, "vars", describe(variable), "Variables of a Program", fix))
        found[variable.name] = variable
    return list(found.values())


def read_from_scope(call: str, variables: Sequence[Variable]) -> dict[str, HostValue]:
    """Return the values of variables in the global scope.

    Raises:
        MissingVariableError: a variable has no value.
    """
    scope = global_scope()
    found: dict[str, HostValue] = {}
    missing = []
    for variable in variables:
        value = scope.find_value(variable.name)
        if isinstance(value, ScopeSelectedRows) and value.tensor.array is not None:
            value = SelectedRows(value.numbers, value.tensor.array, value.size)
        if isinstance(value, SelectedRows):
            found[variable.name] = HostValue(SelectedRows(to_host(value.rows), to_host(value.values), value.height))
        elif isinstance(value, LoDTensor) and value.array is not None:
            found[variable.name] = HostValue(to_host(value.array), value.levels)
        else:
            missing.append(variable.name)
    if missing:
        got = f"no value for {_listed(missing)}"
        fix = "Run the startup program first: exe.run(fluid.default_startup_program())."
        raise MissingVariableError(message(call, "scope", got, "a value for each variable that is saved", fix))
    return found


def write_to_scope(values: Mapping[str, HostValue]) -> None:
    """Write values into the global scope, or into the enclosing scope that has a variable of this name."""
    scope = global_scope()
    for name, (value, lod) in values.items():
        owner = scope.holding(name) or scope
        tensor = owner.values.get(name)
        if isinstance(value, SelectedRows):
            owner.values[name] = value
        elif isinstance(tensor, LoDTensor):
            tensor.array, tensor.levels = value, lod
        else:
            owner.values[name] = LoDTensor.of(value, lod)


_OF_QUANTIZED_WEIGHTS = (np.int8, np.int16)
"""Dtypes that `WeightQuantization` stores weights in, which a Program declares floating-point."""


def check_fits(where: str, variable: Variable, value: Any) -> None:
    """Raise unless a value has the shape and dtype of its Variable.

    A Variable that a branch writes may have another dtype, for the Program says what the branch would make of it.

    Raises:
        StoredShapeError: the shape differs; a size of -1 and an unknown shape match everything.
        StoredDtypeError: the dtype differs.
    """
    expected, shape = list(variable.shape), list(value.shape)
    fits = len(expected) == len(shape) and all(e in (-1, n) for e, n in zip(expected, shape, strict=True))
    if expected and not fits:
        raise StoredShapeError(
            message(where, f"variable {variable.name}", f"shape {shape}", f"{expected}, as the Program says")
        )
    quantized = value.dtype in _OF_QUANTIZED_WEIGHTS and variable._dtype in (VarType.FP32, VarType.FP64)
    known = variable._dtype is None or value.dtype == to_numpy(variable.dtype) or quantized
    if not known and not _is_written_in_a_branch(variable):
        needs = f"{to_numpy(variable.dtype)}, as the Program says"
        raise StoredDtypeError(message(where, f"variable {variable.name}", f"dtype {value.dtype}", needs))


def _is_written_in_a_branch(variable: Variable) -> bool:
    """Return whether an operator of a block that need not run writes a Variable."""
    _, *inner = variable.block.program.blocks
    return any(variable.name in op.output_arg_names for block in inner for op in block.ops)


def file_of(call: str, name: str) -> str:
    """Return the path of a variable's file relative to the folder; a name with "/" is in a subfolder.

    Raises:
        ArgumentValueError: the name leads out of the folder.
    """
    inside = os.path.normpath(name)
    if os.path.isabs(inside) or inside.split(os.sep)[0] in ("..", "."):
        raise ArgumentValueError(message(call, "variable", repr(name), "a name that stays inside of the folder"))
    return inside


def _listed(names: Sequence[str], most: int = 10) -> str:
    """Return the first names as text."""
    return f"{', '.join(names[:most])}{' ...' if len(names) > most else ''}"
