"""fluid.io's save_vars and load_vars, and their variants for parameters and persistable variables."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from io import BytesIO
from typing import Any

from ..core.dtype import VarType
from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingFileError,
    describe,
    message,
)
from ..core.files.reading import other_than_a_file
from ..core.files.saves import Opener, loading, saving
from ..core.selected_rows import SelectedRows
from ..core.tracebacks import user_level
from ..core.typing import Parameter as ParameterType
from ..core.typing import Variable as VariableType
from ..static.program.program import Program
from ..static.program.variable import Parameter, Variable
from ..static.proto import streams
from .parts import load_parts, save_parts, tables_by_servers
from .scope_values import (
    HostValue,
    check_fits,
    file_of,
    need_executor,
    need_variables,
    program_or_default,
    read_from_scope,
    write_to_scope,
)
from .served_tables import served_tables


def is_persistable(var: VariableType) -> bool:
    """Return whether a variable keeps its value between runs and is saved in files.

    Arguments:
        var: a Variable of a Program.

    Returns:
        A bool.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     x = fluid.data('x', [None, 4])
    ...     y = fluid.layers.fc(x, 1, param_attr='w')
    ...     w = fluid.default_main_program().global_block().var('w')
    >>> fluid.io.is_persistable(w), fluid.io.is_persistable(x)
    (True, False)
    """
    return var.persistable and var.type not in (VarType.FEED_MINIBATCH, VarType.FETCH_LIST, VarType.READER)


def is_parameter(var: Any) -> bool:
    """Return whether a variable is a Parameter.

    Arguments:
        var: a Variable of a Program.

    Returns:
        A bool.
    """
    return isinstance(var, Parameter)


def is_belong_to_optimizer(var: Any) -> bool:
    """Return whether a variable is persistable but not a Parameter, such as the state of an optimizer.

    Arguments:
        var: a Variable of a Program.

    Returns:
        A bool.
    """
    return not isinstance(var, Parameter) and not var.need_check_feed and is_persistable(var)


def get_parameter_value(para: ParameterType, executor: Any) -> Any:
    """Return a copy of the value of a Parameter in the global scope.

    Arguments:
        para: a Parameter of a Program.
        executor: a fluid.Executor.

    Returns:
        An ndarray.

    Raises:
        ArgumentTypeError: `para` is not a Parameter, or `executor` not an Executor.
        MissingVariableError: the Parameter has no value.
    """
    need_executor("get_parameter_value", executor)
    if not isinstance(para, Parameter):
        raise ArgumentTypeError(message("get_parameter_value", "para", describe(para), "a Parameter of a Program"))
    return read_from_scope("get_parameter_value", [para])[para.name].value.copy()


def get_parameter_value_by_name(name: str, executor: Any, program: Program | None = None) -> Any:
    """Return a copy of the value of the Parameter of this name.

    Arguments:
        name: the name of a Parameter.
        executor: a fluid.Executor.
        program: the Program; the default main Program where it is None.

    Returns:
        An ndarray.

    Raises:
        ArgumentTypeError: the Variable is not a Parameter, or `executor` not an Executor.
        MissingVariableError: there is no such Variable, or it has no value.
    """
    program = program_or_default("get_parameter_value_by_name", program)
    return get_parameter_value(program.global_block().var(name), executor)  # type: ignore[arg-type]


# --- saving -----------------------------------------------------------------------------------------------------------


def save_vars(
    executor: Any,
    dirname: str | os.PathLike[str] | None,
    main_program: Any = None,
    vars: Iterable[VariableType] | None = None,
    predicate: Callable[[VariableType], bool] | None = None,
    filename: str | None = None,
) -> bytes | None:
    """Write variables to files in the format of PaddlePaddle; either all or none.

    Arguments:
        executor: a fluid.Executor; the values are those of the global scope.
        dirname: the folder; it is created if it does not exist. None: return the content of a combined file as bytes.
        main_program: the Program; the default main Program where it is None.
        vars: the Variables to write; all for which `predicate` returns True where it is None.
        predicate: a function from a Variable to whether it is written.
        filename: the name of one file for all of them; None for one file for each, with its name.

    Returns:
        None; bytes where `dirname` is None.

    Raises:
        ArgumentTypeError: an argument has another type, or a variable of a combined file is SelectedRows.
        MissingVariableError: a variable has no value yet.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr='b')
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     folder = tempfile.mkdtemp()
    ...     fluid.io.save_vars(exe, folder, predicate=lambda var: var.name == 'w')
    >>> os.listdir(folder)
    ['w']
    """
    need_executor("save_vars", executor)
    variables = _chosen("save_vars", main_program, vars, predicate)
    if dirname is None:
        if filename is not None:
            fix = "Or neither, for bytes."
            raise ArgumentTypeError(message("save_vars", "dirname", "None with a filename", "a folder", fix))
        stream = BytesIO()
        _write_combined(stream, read_from_scope("save_vars", variables))
        return stream.getvalue()
    with saving(dirname) as opened:
        write_variables("save_vars", opened, variables, filename)
    return None


NOTHING = "no variable in your model, please ensure there are any variables in your model to save"
"""The warning, in the words by which programs filter it, of a call that saves nothing."""


def write_variables(
    call: str,
    opened: Opener,
    variables: Sequence[Variable],
    filename: str | None,
    given: Mapping[str, Any] | None = None,
) -> None:
    """Write variables to files that `opened`, from `saving`, opens.

    Arguments:
        given: name -> an array, for variables whose value is not that in the scope.
    """
    given = given or {}
    if not variables:
        warnings.warn(NOTHING, UserWarning, stacklevel=user_level())
    values = read_from_scope(call, [v for v in variables if v.name not in given])
    values.update({v.name: HostValue(given[v.name], None) for v in variables if v.name in given})
    if filename is not None:
        if variables:
            with opened(filename) as file:
                _write_combined(file, values)
        return
    for name, (value, lod) in values.items():
        with opened(file_of(call, name)) as file:
            if isinstance(value, SelectedRows):
                streams.write_selected_rows(file, value)
            else:
                streams.write_tensor(file, value, lod)


def _write_combined(file: Any, values: Mapping[str, HostValue]) -> None:
    """Write tensors sorted by name, as PaddlePaddle expects."""
    for name in sorted(values):
        value, lod = values[name]
        if isinstance(value, SelectedRows):
            fix = "Leave out filename, so that each variable has its own file."
            raise ArgumentTypeError(message("save_vars", f"variable {name}", "SelectedRows", "a tensor", fix))
        streams.write_tensor(file, value, lod)


def _chosen(call: str, program: Any, vars: Iterable[Any] | None, predicate: Any) -> list[Variable]:
    """Return the Variables that the arguments of a call select."""
    program = program_or_default(call, program)
    if vars is None:
        vars = [v for v in program.list_vars() if predicate is None or predicate(v)]
    return [v for v in need_variables(call, vars) if v.type != VarType.RAW]


def save_params(
    executor: Any, dirname: str | os.PathLike[str] | None, main_program: Any = None, filename: str | None = None
) -> bytes | None:
    """Write all Parameters of a Program; the arguments are those of `save_vars`.

    Returns:
        None; bytes where `dirname` is None.

    Raises:
        MissingVariableError: a Parameter has no value yet.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr='b')
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     folder = tempfile.mkdtemp()
    ...     fluid.io.save_params(exe, folder)
    >>> sorted(os.listdir(folder))
    ['b', 'w']
    """
    return save_vars(executor, dirname, main_program, None, is_parameter, filename)


def save_persistables(
    executor: Any, dirname: str | os.PathLike[str] | None, main_program: Any = None, filename: str | None = None
) -> bytes | None:
    """Write all persistable variables of a Program: Parameters and optimizer state. The arguments are those of
    `save_vars`.

    `load_persistables` reads them, to continue training. Of the Program of a trainer with parameter servers, they are what the
    servers hold, put together, and each gets a file of its own.

    Returns:
        None; bytes where `dirname` is None.

    Raises:
        MissingVariableError: a variable has no value yet.
    """
    program = program_or_default("save_persistables", main_program)
    if not program._server_parts or dirname is None:
        return save_vars(executor, dirname, program, None, is_persistable, filename)
    need_executor("save_persistables", executor)
    save_parts(program, os.fspath(dirname), _own("save_persistables", program))
    return None


def _save_distributed_persistables(executor: Any, dirname: str | os.PathLike[str], main_program: Program) -> None:
    """Write what `save_persistables` writes, but let the servers write their parts of tables themselves: DIRNAME/TABLE_N of server N.

    A table then never is in one process. The servers must see the folder; `load_persistables` of a server reads it.

    Arguments:
        executor: a fluid.Executor.
        dirname: the folder.
        main_program: the Program of a trainer.

    Raises:
        ArgumentValueError: it is none of a trainer.
        PeerError: a server cannot write.
    """
    where = "_save_distributed_persistables"
    need_executor(where, executor)
    if not program_or_default(where, main_program)._server_parts:
        raise ArgumentValueError(message(where, "main_program", "a Program without servers", "one of a trainer"))
    save_parts(main_program, os.fspath(dirname), _own(where, main_program), served_tables(main_program))
    executor.run(tables_by_servers(main_program, os.fspath(dirname)))


def _load_distributed_persistables(executor: Any, dirname: str | os.PathLike[str], main_program: Program) -> None:
    """Read the part of a server; see `load_persistables`."""
    load_persistables(executor, dirname, main_program)


def _own(call: str, program: Program) -> list[Variable]:
    """Return the persistable variables of a trainer's Program that no server holds."""
    held = {part.name for parts in program._server_parts.values() for part in parts} | set(program._server_parts)
    return [v for v in _chosen(call, program, None, is_persistable) if v.name not in held]


# --- loading ----------------------------------------------------------------------------------------------------------


def load_vars(
    executor: Any,
    dirname: str | os.PathLike[str] | None,
    main_program: Any = None,
    vars: Iterable[VariableType] | None = None,
    predicate: Callable[[VariableType], bool] | None = None,
    filename: str | bytes | None = None,
) -> None:
    """Read variables into the global scope from files that `save_vars` (here or in PaddlePaddle) wrote.

    Everything is read and compared with the Program first: after an error the scope is unchanged.

    Arguments:
        executor: a fluid.Executor.
        dirname: the folder; None where `filename` is the bytes that `save_vars` returned.
        main_program: the Program; the default main Program where it is None.
        vars: the Variables to read; all for which `predicate` returns True where it is None.
        predicate: a function from a Variable to whether it is read.
        filename: the name of the file that holds all of them; None where each has its own file.

    Returns:
        None.

    Raises:
        ArgumentTypeError: an argument has another type.
        MissingFileError: a file does not exist.
        FileFormatError: a file is truncated or has another format.
        ShapeError, DtypeError: a value does not match its Variable.

    >>> import numpy as np, tempfile, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 1]), 1, param_attr='w', bias_attr='b')
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     w = fluid.global_scope().find_var('w').get_tensor()
    ...     w.set(np.float32([[7]]), fluid.CPUPlace())
    ...     folder = tempfile.mkdtemp()
    ...     fluid.io.save_params(exe, folder)
    ...     w.set(np.float32([[0]]), fluid.CPUPlace())
    ...     fluid.io.load_params(exe, folder)
    ...     np.array(w).tolist()
    [[7.0]]
    """
    _load("load_vars", executor, dirname, main_program, vars, predicate, filename)


def _load(
    where: str, executor: Any, dirname: Any, program: Any, vars: Any, predicate: Any = None, filename: Any = None
) -> None:
    """Do what `load_vars` says, for the call `where`."""
    need_executor(where, executor)
    chosen = _chosen(where, program, vars, predicate)
    with loading(dirname) if dirname is not None else nullcontext():
        values = read_variables(where, dirname, chosen, filename)
    write_to_scope(values)


def load_params(
    executor: Any, dirname: str | os.PathLike[str] | None, main_program: Any = None, filename: str | bytes | None = None
) -> None:
    """Read all Parameters of a Program; the arguments and errors are those of `load_vars`.

    >>> import numpy as np, tempfile, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()) as scope:
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr='b')
    ...     exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
    ...     _ = exe.run(fluid.default_startup_program())
    ...     fluid.io.save_params(exe, folder)
    ...     fluid.global_scope().find_var('w').get_tensor().set(np.zeros([4, 1], 'float32'), fluid.CPUPlace())
    ...     fluid.io.load_params(exe, folder)
    ...     bool((np.array(fluid.global_scope().find_var('w').get_tensor()) != 0).all())
    True
    """
    _load("load_params", executor, dirname, main_program, None, is_parameter, filename)


def load_persistables(
    executor: Any, dirname: str | os.PathLike[str] | None, main_program: Any = None, filename: str | bytes | None = None
) -> None:
    """Read all persistable variables of a Program; the arguments and errors are those of `load_vars`.

    The Program of a parameter server takes its part of each.
    """
    program = program_or_default("load_persistables", main_program)
    if program._server_parts:
        need_executor("load_persistables", executor)
        load_parts(program, dirname)
    else:
        _load("load_persistables", executor, dirname, program, None, is_persistable, filename)


def load_own(executor: Any, dirname: str, program: Program) -> None:
    """Read what a trainer has beside the servers, such as moving averages; the arguments and errors are those of `load_vars`."""
    load_vars(executor, dirname, program, _own("load_vars", program))


def read_variables(
    call: str, dirname: str | os.PathLike[str] | None, variables: Sequence[Variable], filename: str | bytes | None
) -> dict[str, HostValue]:
    """Return the values of variables from files; raise unless each matches its Variable."""
    if not variables:
        return {}
    if filename is None:
        if dirname is None:
            raise ArgumentTypeError(message(call, "dirname", "None", "a folder, or bytes as the filename"))
        found = _read_each(call, os.fspath(dirname), variables)
        where = os.fspath(dirname)
    else:
        names = sorted(v.name for v in variables)
        if isinstance(filename, (bytes, bytearray)):
            where = f"{call}: filename"
            stored = streams.read_combined(streams.Source(BytesIO(filename), where), names)
        elif dirname is None:
            raise ArgumentTypeError(message(call, "filename", describe(filename), "bytes, for dirname is None"))
        else:
            where = os.path.join(os.fspath(dirname), filename)
            stored = streams.load_combined(where, names)
        found = {name: HostValue(s.array, s.lod) for name, s in stored.items()}
    for variable in variables:
        check_fits(where, variable, found[variable.name].value)
    return found


def _read_each(call: str, folder: str, variables: Sequence[Variable]) -> dict[str, HostValue]:
    """Read each variable from its own file."""
    paths = {v.name: os.path.join(folder, file_of(call, v.name)) for v in variables}
    missing = [name for name, path in paths.items() if not os.path.isfile(path)]
    if missing:
        raise MissingFileError(_missing(call, folder, missing))
    found = {}
    for variable in variables:
        path = paths[variable.name]
        if variable.type == VarType.SELECTED_ROWS:
            found[variable.name] = HostValue(streams.load_selected_rows(path))
        else:
            stored = streams.load_tensor(path)
            found[variable.name] = HostValue(stored.array, stored.lod)
    return found


def _missing(call: str, folder: str, names: list[str]) -> str:
    """Return the text of the error for missing files."""
    shown = f"{', '.join(names[:10])}{' ...' if len(names) > 10 else ''}"
    if not os.path.isdir(folder):
        return message(call, "dirname", folder, "a folder that exists", f"It should have files of {shown}.")
    files = sorted(name for name in os.listdir(folder) if not name.startswith("."))[:10]
    fix = "If one of those holds all variables, pass its name as filename (params_filename for inference models)."
    others = ((name, other_than_a_file(os.path.join(folder, name))) for name in names[:10])
    found = "".join(f", but {name} is {other}" for name, other in others if other)
    return message(call, "dirname", f"{folder} with {', '.join(files) or 'no file'}", f"files of {shown}{found}", fix)


def get_program_parameter(program: Program) -> list[Variable]:
    """Return the Parameters of a Program.

    Arguments:
        program: a fluid.Program.

    Returns:
        A list of Parameters.

    Raises:
        ArgumentTypeError: program is not a Program.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr='b')
    ...     [v.name for v in fluid.io.get_program_parameter(fluid.default_main_program())]
    ['w', 'b']
    """
    return [v for v in _a_program("get_program_parameter", program).list_vars() if is_parameter(v)]


def get_program_persistable_vars(program: Program) -> list[Variable]:
    """Return the persistable variables of a Program: its Parameters and the optimizer state.

    Arguments:
        program: a fluid.Program.

    Returns:
        A list of Variables.

    Raises:
        ArgumentTypeError: program is not a Program.
    """
    return [v for v in _a_program("get_program_persistable_vars", program).list_vars() if is_persistable(v)]


def _a_program(call: str, program: Any) -> Program:
    """Return `program` if it is a Program; raise otherwise."""
    if not isinstance(program, Program):
        raise ArgumentTypeError(message(call, "program", describe(program), "a fluid.Program"))
    return program
