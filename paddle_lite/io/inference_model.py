"""save_inference_model and load_inference_model: a Program pruned to what its results need, with its parameters."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from ..core import unique_name
from ..core.dtype import VarType
from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    FileFormatError,
    MissingFileError,
    NotYetAvailable,
    describe,
    message,
)
from ..core.files.reading import other_than_a_file, reading
from ..core.files.saves import loading, saving
from ..core.text import closest
from ..core.tracebacks import user_level
from ..core.typing import Variable as VariableType
from ..ops.framework.registry import IMPORT
from ..static.program.block import Block
from ..static.program.cloning import copy_program, prune
from ..static.program.operator import Operator
from ..static.program.program import Program
from ..static.program.python_operators import is_variable
from ..static.program.variable import Variable
from .parts import values_of_servers
from .scope_values import need_executor, program_or_default, write_to_scope
from .served_tables import look_up_in_place, served_tables
from .variables import is_persistable, read_variables, write_variables

SAVE, LOAD = "save_inference_model", "load_inference_model"
MODEL = "__model__"
_READERS = ("read", "create_py_reader", "create_double_buffer_reader", "create_custom_reader")


def save_inference_model(
    dirname: str | os.PathLike[str],
    feeded_var_names: str | Sequence[str],
    target_vars: VariableType | Sequence[VariableType],
    executor: Any,
    main_program: Any = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
    export_for_deployment: bool = True,
    program_only: bool = False,
) -> list[str]:
    """Write the part of a Program that some results depend on, and its parameters, in the format of PaddlePaddle.

    The Program itself is not changed. Either all files are written or none. A warning says which data are needed and
    not fed: like PaddlePaddle 1.8.5 it writes such a model, which cannot run. Embedding tables of parameter servers are part
    of the model: they come from the servers, which must still run.

    Arguments:
        dirname: the folder; it is created if it does not exist.
        feeded_var_names: the names of the Variables that will be fed.
        target_vars: the Variables to fetch; perhaps none where the whole Program is written.
        executor: a fluid.Executor; the parameters are those of the global scope.
        main_program: the Program; the default main Program where it is None.
        model_filename: the file name of the Program; `__model__` where it is None.
        params_filename: the name of one file for all parameters; None for one file for each.
        export_for_deployment: False writes the whole Program and all its persistable variables, for further training.
        program_only: whether to write the Program without parameters.

    Returns:
        The names of the results in the file.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: a fed Variable is not needed, and no input of the model that main_program was loaded from.
        MissingVariableError: a parameter has no value.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr='b')
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     folder = tempfile.mkdtemp()
    ...     _ = fluid.io.save_inference_model(folder, ['x'], [y], exe, params_filename='params')
    >>> sorted(os.listdir(folder))
    ['__model__', 'params']
    """
    need_executor(SAVE, executor)
    whole = program_or_default(SAVE, main_program)
    program, results = _prepared(whole, feeded_var_names, target_vars, export_for_deployment)
    file = MODEL if model_filename is None else os.path.basename(model_filename)
    if not export_for_deployment:
        file += ".main_program"
    stored = [] if program_only else [v for v in program.list_vars() if is_persistable(v) and v.type != VarType.RAW]
    names = {v.name for v in stored}
    served = values_of_servers(SAVE, whole, [name for name in served_tables(whole) if name in names])
    with saving(dirname) as opened:
        with opened(file) as stream:
            stream.write(program.desc.serialize_to_string())
        if params_filename is not None:
            params_filename = os.path.basename(params_filename)
        if not program_only:
            write_variables(SAVE, opened, stored, params_filename, served)
    return results


def inference_program(main_program: Any, feeded_var_names: str | Sequence[str], target_vars: Any) -> Program:
    """Return the Program that `save_inference_model` writes; the arguments and errors are the same."""
    return _prepared(program_or_default(SAVE, main_program), feeded_var_names, target_vars, True)[0]


def _prepared(whole: Program, fed: Any, asked: Any, deployed: bool) -> tuple[Program, list[str]]:
    """Return what is written of a Program, and the names of its results."""
    feeds, targets = _feed_names(fed), _targets(asked, deployed)
    program = copy_program(whole, lambda op: op.type not in ("feed", "fetch"))
    loaded = {name for op in whole.global_block().ops if op.type == "feed" for name in op.output_arg_names}
    if any(op.type == "auc" for op in program.all_ops()):
        text = "please ensure that you have set the auc states to zeros before saving inference model"
        warnings.warn(text, UserWarning, stacklevel=user_level())
    results = _scaled(program, targets)
    if deployed:
        look_up_in_place(program)
        program = _deployed(program, feeds, results, loaded)
    return program, results


def _feed_names(names: Any) -> list[str]:
    """Return a list of names; raise for anything else."""
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        fix = "The name of a Variable is variable.name."
        raise ArgumentTypeError(message(SAVE, "feeded_var_names", describe(names), "a list of names", fix))
    return list(names)


def _targets(targets: Any, at_least_one: bool) -> list[Variable]:
    """Return a list of Variables; raise for anything else."""
    targets = [targets] if is_variable(targets) else targets
    enough = isinstance(targets, (list, tuple)) and (targets or not at_least_one)
    if not enough or not all(is_variable(t) for t in targets):
        needs = f"a list of {'at least one Variable' if at_least_one else 'Variables'} of the Program"
        raise ArgumentTypeError(message(SAVE, "target_vars", describe(targets), needs))
    return list(targets)


def _scaled(program: Program, targets: Sequence[Variable]) -> list[str]:
    """Append a scale by 1 to each target, which gives the results their own names, as in PaddlePaddle; return these
    names.
    """
    block = program.global_block()
    names = []
    for at, target in enumerate(targets):
        if target.name not in block.vars:
            got = repr(target.name)
            raise ArgumentValueError(message(SAVE, "target_vars", got, "Variables of main_program's first block"))
        name = unique_name.generate(f"save_infer_model/scale_{at}.tmp")
        block.declare_var(name=name, dtype=target.dtype)
        block.append_op("scale", {"X": target.name}, {"Out": name}, {"scale": 1.0})
        names.append(name)
    return names


def _deployed(program: Program, feeds: Sequence[str], results: Sequence[str], loaded: set[str]) -> Program:
    """Prune a Program to what the results depend on, set it to test mode, and append operators that feed and fetch.

    Arguments:
        loaded: the inputs of the model that the Program was loaded from, which are inputs again even if nothing reads them.
    """
    program = prune(program, list(results), feeds)
    block = program.global_block()
    block.ops = [op for op in block.ops if op.type not in _READERS]
    _check_feeds(block, feeds, loaded)
    for op in program.all_ops():
        if op.has_attr("is_test"):
            op.attrs["is_test"] = True
    block.declare_var(name="feed", type=VarType.FEED_MINIBATCH, persistable=True)
    block.declare_var(name="fetch", type=VarType.FETCH_LIST, persistable=True)
    for at, name in enumerate(feeds):
        block.place(Operator(block, "feed", {"X": ["feed"]}, {"Out": [name]}, {"col": at}), at)
    for at, name in enumerate(results):
        block.place(Operator(block, "fetch", {"X": [name]}, {"Out": ["fetch"]}, {"col": at}))
    return program


def _check_feeds(block: Block, feeds: Sequence[str], loaded: set[str]) -> None:
    """Raise if a fed Variable is none that the results depend on, nor an input of a loaded model; warn if others are needed."""
    read = {name for op in block.program.all_ops() for name in op.input_arg_names}
    for name in feeds:
        if (name not in read and name not in loaded) or name not in block.vars:
            close = closest(name, [each for each in read if each in block.vars and each not in feeds])
            known = ", ".join(each for each in read if each in block.vars and block.vars[each].is_data)
            fix = (
                f"Did you mean {close!r}?" if close else f"Leave it out: they depend on {known or 'no data Variable'}."
            )
            fix = "Leave it out." if name in block.vars else fix
            raise ArgumentValueError(
                message(SAVE, "feeded_var_names", repr(name), "Variables on which target_vars depend", fix)
            )
    data = [name for name, v in block.vars.items() if v.is_data and name in read and name not in feeds]
    if data and feeds:
        needs = f"all on which target_vars depend, {', '.join(data)} too: the saved model cannot run"
        text = message(SAVE, "feeded_var_names", ", ".join(feeds), needs)
        warnings.warn(text, UserWarning, stacklevel=user_level())


# --- loading ----------------------------------------------------------------------------------------------------------


def load_inference_model(
    dirname: str | os.PathLike[str] | None,
    executor: Any,
    model_filename: str | bytes | None = None,
    params_filename: str | bytes | None = None,
    pserver_endpoints: Sequence[str] | None = None,
) -> list[Any]:
    """Read what `save_inference_model` of this library or of PaddlePaddle has written; parameters go to the global
    scope.

    Everything is read and checked first: after an error the scope is unchanged. No code from the files is executed.

    Arguments:
        dirname: the folder; None where both files are given as bytes.
        executor: a fluid.Executor.
        model_filename: the file name of the Program; `__model__` where it is None. A model of PaddlePaddle 2 is in
            NAME.pdmodel.
        params_filename: the name of the file with all parameters; None where each has its own file. NAME.pdiparams in
            PaddlePaddle 2.
        pserver_endpoints: addresses for operators that query a parameter server.

    Returns:
        [Program, names to feed, Variables to fetch].

    Raises:
        ArgumentTypeError: an argument has another type.
        MissingFileError: the folder or a file does not exist.
        FileFormatError: a file is truncated or has another format.
        ShapeError, DtypeError: a parameter does not match the Program.
        NotYetAvailable: an operator of the Program is not declared: a custom one whose module is not imported, or one
            that is not available in this version.

    >>> import numpy as np, tempfile, paddle_lite.fluid as fluid
    >>> exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1)
    ...     _ = exe.run(fluid.default_startup_program())
    ...     _ = fluid.io.save_inference_model(folder, ['x'], [y], exe)
    >>> with fluid.scope_guard(fluid.Scope()):
    ...     program, feeds, fetches = fluid.io.load_inference_model(folder, exe)
    ...     (answer,) = exe.run(program, feed={feeds[0]: np.zeros([2, 4], 'float32')}, fetch_list=fetches)
    >>> feeds, answer.tolist()
    (['x'], [[0.0], [0.0]])
    """
    need_executor(LOAD, executor)
    with loading(dirname) if dirname is not None else nullcontext():
        program = read_program(LOAD, dirname, model_filename)
        _check_operators(program)
        stored = [v for v in program.list_vars() if is_persistable(v) and v.type != VarType.RAW]
        values = read_variables(LOAD, dirname, stored, params_filename)
    if pserver_endpoints is not None:
        for op in program.all_ops():
            if "epmap" in op.attrs:
                op.attrs["epmap"] = list(pserver_endpoints)
    feeds, fetches = interface(program)
    write_to_scope(values)
    return [program, feeds, [program.global_block().var(name) for name in fetches]]


def _check_operators(program: Program) -> None:
    """Raise if an operator has a type that is not declared."""
    lacking = dict.fromkeys(op.type for op in program.all_ops() if op.declared is None and not _problem(op))
    if lacking:
        names = ", ".join(map(repr, lacking))
        raise NotYetAvailable(
            f"{LOAD}: {'operator' if len(lacking) == 1 else 'operators'} {names}: not available in this version of "
            f"paddle_lite. {IMPORT}"
        )


def _problem(op: Operator) -> str:
    """Return why an operator of a declared type cannot run as the file has it; it may still be one that no result needs."""
    return "" if op.from_file is None else op.from_file.problem


def interface(program: Program) -> tuple[list[str], list[str]]:
    """Return (the names that a Program feeds, the names that it fetches), each in the order of their columns."""
    ops = sorted(program.global_block().ops, key=lambda op: op.attrs.get("col") or 0)
    feeds = [(op, op.output("Out")) for op in ops if op.type == "feed"]
    fetches = [(op, op.input("X")) for op in ops if op.type == "fetch"]
    for op, names in (*feeds, *fetches):
        if len(names) != 1:
            got = f"an operator {op.type} of {len(names)} Variables"
            raise FileFormatError(message("load_inference_model", "the Program", got, "one of one Variable"))
    return [names[0] for _, names in feeds], [names[0] for _, names in fetches]


def read_program(call: str, dirname: str | os.PathLike[str] | None, model_filename: str | bytes | None) -> Program:
    """Return the Program in a file of a folder, or in bytes."""
    if dirname is None:
        if not isinstance(model_filename, (bytes, bytearray)):
            needs = "a folder; or bytes as model_filename and params_filename"
            raise ArgumentTypeError(message(call, "dirname", "None", needs))
        return Program.parse_from_string(bytes(model_filename))
    folder = os.fspath(dirname)
    if model_filename is not None and not isinstance(model_filename, str):
        raise ArgumentTypeError(message(call, "model_filename", describe(model_filename), "the name of a file"))
    path = os.path.join(folder, os.path.basename(model_filename or MODEL))
    if not os.path.isfile(path):
        raise MissingFileError(_no_model(call, folder, path))
    with reading(path) as file:
        content = file.read()
    try:
        return Program.parse_from_string(content)
    except FileFormatError as error:
        raise FileFormatError(f"{call}: {path}: {error}") from None


def _no_model(call: str, folder: str, path: str) -> str:
    """Return the text of the error for a missing model file."""
    if not os.path.isdir(folder):
        fix = ""
        if os.path.isfile(f"{folder}.pdmodel"):
            name = os.path.basename(folder)
            fix = (
                f"There is {folder}.pdmodel: pass its folder, model_filename={f'{name}.pdmodel'!r} and params_filename."
            )
        return message(call, "dirname", folder, "a folder that exists", fix)
    files = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    got = f"{folder} with {', '.join(files[:10]) or 'no file'}"
    fix = "If another file holds the Program, pass its name as model_filename."
    found = other_than_a_file(path)
    needs = f"a file {os.path.basename(path)}{f', which is {found}' if found else ''}"
    return message(call, "dirname", got, needs, fix)
