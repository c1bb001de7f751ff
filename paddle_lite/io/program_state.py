"""fluid.save and fluid.load: a Program with its parameters and optimizer state in .pdmodel, .pdparams and .pdopt."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    FileFormatError,
    MissingFileError,
    MissingKeyError,
    describe,
    message,
)
from ..core.files.reading import absent, other_than_a_file
from ..core.files.saves import is_unfinished, loading, saving
from ..core.selected_rows import SelectedRows
from ..core.tracebacks import user_level
from ..imperative.layers.state import NAME_TABLE
from ..static.program.program import Program
from ..static.program.variable import Variable
from ..static.proto import streams
from . import pickled
from .named_tensors import read_state
from .scope_values import HostValue, check_fits, need_variables, program_or_default, read_from_scope, write_to_scope
from .state import OPTIMIZER, PARAMETERS
from .variables import is_belong_to_optimizer, is_parameter, is_persistable, read_variables

PROGRAM = ".pdmodel"


def save(program: Program, model_path: str | os.PathLike[str]) -> None:
    """Write a Program, its parameters and optimizer state to `model_path`.pdmodel, .pdparams and .pdopt.

    Either all three files are written or none.

    Arguments:
        program: the Program; the values are those of the global scope.
        model_path: folder/name without a suffix. The folder is created if it does not exist.

    Raises:
        ArgumentTypeError: program is not a Program, or a variable is SelectedRows.
        ArgumentValueError: the path has no file name.
        MissingVariableError: a variable has no value yet.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> folder = tempfile.mkdtemp()
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1)
    ...     _ = fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
    ...     fluid.save(fluid.default_main_program(), os.path.join(folder, 'model'))
    >>> sorted(os.listdir(folder))
    ['model.pdmodel', 'model.pdopt', 'model.pdparams']
    """
    program = program_or_default("fluid.save", program)
    path = os.fspath(model_path)
    if not os.path.basename(path):
        raise ArgumentValueError(message("fluid.save", "model_path", repr(path), "folder/name, without a suffix"))
    groups = {
        suffix: _arrays([v for v in program.list_vars() if belongs(v)])
        for suffix, belongs in ((PARAMETERS, is_parameter), (OPTIMIZER, is_belong_to_optimizer))
    }
    folder, name = os.path.split(path)
    with saving(folder) as opened:
        for suffix, content in groups.items():
            with opened(name + suffix) as file:
                pickled.dump(file, content)
        with opened(name + PROGRAM) as file:
            file.write(program.desc.serialize_to_string())


def _arrays(variables: Sequence[Variable]) -> dict[str, np.ndarray]:
    """Return the values of variables in the global scope; raise for SelectedRows."""
    values = read_from_scope("fluid.save", variables)
    for name, (value, _) in values.items():
        if isinstance(value, SelectedRows):
            fix = "fluid.io.save_vars writes it."
            raise ArgumentTypeError(message("fluid.save", f"variable {name}", "SelectedRows", "a tensor", fix))
    return {name: value for name, (value, _) in values.items()}


def load(
    program: Program,
    model_path: str | os.PathLike[str],
    executor: Any = None,
    var_list: Iterable[Any] | None = None,
) -> None:
    """Read parameters and optimizer state into the global scope from files that `fluid.save` (here or in PaddlePaddle)
    wrote.

    Everything is read and compared with the Program first: after an error the scope is unchanged.

    Arguments:
        program: the Program whose variables are set.
        model_path: the path that was passed to `save`, with or without a suffix; or the folder or combined file that
            `save_vars` or a similar function wrote.
        executor: accepted for Fluid code, ignored: the values go to the global scope.
        var_list: for a combined file: all variables that it holds; for a folder: those to read.
            Variables without a file in a folder keep their values, as in PaddlePaddle 1.8.5; parameters that do cause a warning.

    Raises:
        ArgumentTypeError: program is not a Program.
        ArgumentValueError: var_list is missing for a combined file.
        MissingFileError: neither files of `save` nor a folder or file of that name exist.
        FileFormatError: a file is truncated or has another format.
        MissingKeyError: a file has no entry for a variable of the Program.
        ShapeError, DtypeError: a value does not match its Variable.

    >>> import os, tempfile, numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 1]), 1, param_attr='w')
    ...     exe, path = fluid.Executor(fluid.CPUPlace()), os.path.join(tempfile.mkdtemp(), 'model')
    ...     _ = exe.run(fluid.default_startup_program())
    ...     fluid.save(fluid.default_main_program(), path)
    ...     fluid.global_scope().find_var('w').get_tensor().set(np.zeros([1, 1], 'float32'), fluid.CPUPlace())
    ...     fluid.load(fluid.default_main_program(), path)
    ...     bool(np.array(fluid.global_scope().find_var('w').get_tensor()) != 0)
    True
    """
    program = program_or_default("fluid.load", program)
    path = _stem(model_path)
    with loading(_folder(path)):
        if os.path.isfile(path + PARAMETERS):
            values = _from_state(path, [v for v in program.list_vars() if is_persistable(v)])
        else:
            values = _load_variables(program, path, var_list)
    write_to_scope(values)


def _stem(model_path: str | os.PathLike[str]) -> str:
    """Return the path without the suffix of a state file."""
    path = os.fspath(model_path)
    for suffix in (PARAMETERS, OPTIMIZER, PROGRAM):
        if path.endswith(suffix):
            return path.removesuffix(suffix)
    return path


def _folder(path: str) -> str:
    """Return the folder that holds the files of a save: of `fluid.save`, or of `save_vars` and its kin."""
    return path if os.path.isdir(path) and not os.path.isfile(path + PARAMETERS) else os.path.dirname(path)


def _from_state(path: str, wanted: Sequence[Variable]) -> dict[str, HostValue]:
    """Return the values of these variables from the files of `fluid.save`.

    A Program that was read from a file does not record which of them are parameters.
    """
    content, where = pickled.read_dict(path + PARAMETERS), path + PARAMETERS
    lacking = [v.name for v in wanted if v.name not in content]
    if any(is_parameter(v) and v.name in lacking for v in wanted):
        raise _lacks(where, [v.name for v in wanted if is_parameter(v) and v.name in lacking])
    if lacking:
        where = path + OPTIMIZER
        if not os.path.isfile(where):
            names = ", ".join(lacking[:10])
            raise MissingFileError(f"fluid.load: {where}: {absent(where)}, which should hold {names}.")
        content = {**pickled.read_dict(where), **content}
        lacking = [name for name in lacking if name not in content]
        if lacking:
            raise _lacks(where, lacking)
    found = {}
    for variable in wanted:
        value = np.asarray(content[variable.name])
        check_fits(f"fluid.load: {path}", variable, value)
        found[variable.name] = HostValue(value)
    return found


def _lacks(path: str, names: Sequence[str]) -> MissingKeyError:
    """Return the error for missing entries."""
    got = f"no {', '.join(names[:10])}{' ...' if len(names) > 10 else ''}"
    fix = "set_program_state(program, load_program_state(path)) sets those that are there."
    return MissingKeyError(message("fluid.load", path, got, "every variable of the Program", fix))


def _load_variables(program: Program, path: str, var_list: Iterable[Any] | None) -> dict[str, HostValue]:
    """Read files of `save_vars`, `save_params` or `save_persistables`."""
    call = "fluid.load"
    chosen = None if var_list is None else need_variables(call, var_list)
    if os.path.isdir(path):
        wanted = [v for v in program.list_vars() if is_persistable(v)] if chosen is None else chosen
        found = {v.name: v for v in wanted if os.path.isfile(os.path.join(path, v.name))}
        _warn_of_lacking(path, [v for v in wanted if v.name not in found and (chosen is not None or is_parameter(v))])
        return read_variables(call, path, list(found.values()), None)
    if not os.path.isfile(path):
        raise _nothing_there(call, path)
    if chosen is None:
        raise ArgumentValueError(
            message(call, "var_list", "None for a combined file", "all variables that the file holds")
        )
    return read_variables(call, os.path.dirname(path), chosen, os.path.basename(path))


def _warn_of_lacking(path: str, variables: Sequence[Variable]) -> None:
    """Tell of variables that no file of a folder holds, such as those that a program adds to a pretrained network."""
    if variables:
        names = ", ".join(v.name for v in variables[:10]) + (" ..." if len(variables) > 10 else "")
        warnings.warn(f"fluid.load: not set, for {path} has no such file: {names}", stacklevel=user_level())


# --- as a dict --------------------------------------------------------------------------------------------------------


def load_program_state(model_path: str | os.PathLike[str], var_list: Iterable[Any] | None = None) -> dict[str, Any]:
    """Return the arrays of saved variables by name, for `set_program_state`.

    Arguments:
        model_path: the path that was passed to `fluid.save`; or a folder or combined file of `save_vars` or a similar
            function.
        var_list: for a combined file: all variables that it holds; for a folder: those to read, by default all.

    Returns:
        A dict {name: ndarray}.

    Raises:
        ArgumentValueError: var_list is missing for a combined file.
        MissingFileError: a file does not exist.
        FileFormatError: a file is truncated or has another format.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> path = os.path.join(tempfile.mkdtemp(), 'model')
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr='b')
    ...     _ = fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
    ...     fluid.save(fluid.default_main_program(), path)
    ...     state = fluid.load_program_state(path)
    ...     fluid.set_program_state(fluid.default_main_program(), state)
    >>> {name: array.shape for name, array in sorted(state.items())}
    {'b': (1,), 'w': (4, 1)}
    """
    path = _stem(model_path)
    with loading(_folder(path)):
        return _state(path, var_list)


def _state(path: str, var_list: Iterable[Any] | None) -> dict[str, Any]:
    """Return the arrays of saved variables by name, given the path without a suffix."""
    call = "load_program_state"
    if os.path.isfile(path + PARAMETERS):
        state = read_state(path + PARAMETERS)
        if os.path.isfile(path + OPTIMIZER):
            state.update(read_state(path + OPTIMIZER))
        return state
    if os.path.isdir(path):
        if var_list is not None:
            return _plain(read_variables(call, path, need_variables(call, var_list), None))
        return _whole_folder(path)
    if not os.path.isfile(path):
        raise _nothing_there(call, path)
    if var_list is None:
        raise ArgumentValueError(
            message(call, "var_list", "None for a combined file", "all variables that the file holds")
        )
    chosen = need_variables(call, var_list)
    return _plain(read_variables(call, os.path.dirname(path), chosen, os.path.basename(path)))


def _nothing_there(call: str, path: str) -> MissingFileError:
    """Return the error for a path without files."""
    others = ((each, other_than_a_file(each)) for each in (path, path + PARAMETERS))
    found = "; ".join(f"{each} is {other}" for each, other in others if other)
    needs = f"{path}{PARAMETERS}, or such a folder or file"
    return MissingFileError(message(call, "path", f"{path} without files{f' ({found})' if found else ''}", needs))


def _plain(found: dict[str, HostValue]) -> dict[str, Any]:
    """Return the values without their LoD."""
    return {name: value for name, (value, _) in found.items()}


def _whole_folder(folder: str) -> dict[str, Any]:
    """Read every file of a folder and its subfolders as the variable that has its name."""
    state = {}
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not is_unfinished(name))
        for file in sorted(name for name in files if not is_unfinished(name)):
            path = os.path.join(place, file)
            name = os.path.relpath(path, folder).replace(os.sep, "/")
            try:
                state[name] = streams.load_tensor(path).array
            except FileFormatError as error:
                raise FileFormatError(
                    f"load_program_state: {error} Pass the variables to read as var_list, to pass over other files."
                ) from None
    return state


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Set variables of a Program in the global scope to arrays; variables without an entry are unchanged.

    Arguments:
        program: the Program.
        state_dict: a dict {name: array}, as `load_program_state` returns it. Names that the Program does not have cause
            a warning.

    Raises:
        ArgumentTypeError: state_dict is not a dict of arrays.
        ShapeError, DtypeError: an array does not match its Variable; nothing is set then.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 1]), 1, param_attr='w')
    ...     fluid.set_program_state(fluid.default_main_program(), {'w': np.array([[3.0]], 'float32')})
    ...     np.array(fluid.global_scope().find_var('w').get_tensor())
    array([[3.]], dtype=float32)
    """
    call = "set_program_state"
    program = program_or_default(call, program)
    if not isinstance(state_dict, dict):
        raise ArgumentTypeError(message(call, "state_dict", describe(state_dict), "a dict from names to arrays"))
    left = dict(state_dict)
    left.pop(NAME_TABLE, None)
    found = {}
    for variable in program.list_vars():
        if is_persistable(variable) and variable.name in left:
            value = left.pop(variable.name)
            if not hasattr(value, "shape") or not hasattr(value, "dtype"):
                raise ArgumentTypeError(message(call, variable.name, describe(value), "an ndarray"))
            check_fits(call, variable, value)
            found[variable.name] = HostValue(np.array(value))
    write_to_scope(found)
    if left:
        warnings.warn(
            f"{call}: not set, for the Program has no such variable: {', '.join(left)}", stacklevel=user_level()
        )
