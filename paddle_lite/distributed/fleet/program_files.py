"""Programs and Variables in files of a job: as bytes, as text of protobuf, as lists of their parts and as graphs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, FileFormatError, MissingFileError, describe, message
from ...core.files.atomic import atomic_file
from ...core.place import CPUPlace
from ...static.execution.executor import Executor
from ...static.execution.scope import Scope, scope_guard
from ...static.program.block import Block
from ...static.program.drawing import block_graph, write_graph
from ...static.program.program import Program
from ...static.program.variable import Variable

__all__ = [
    "append_load_op",
    "append_save_op",
    "graphviz",
    "load_program",
    "load_program_binary",
    "load_program_text",
    "load_var",
    "parse_program",
    "program_type_trans",
    "save_program",
    "save_var",
]

persistable_vars_out_fn = "vars_persistable.log"
all_vars_out_fn = "vars_all.log"
ops_out_fn = "ops.log"


def load_program(model_filename: str, is_text: bool = False) -> Program:
    """Read a Program from a file.

    Arguments:
        model_filename: the path.
        is_text: whether the file is text of protobuf; bytes by default.

    Returns:
        The Program.

    Raises:
        MissingFileError: there is no such file.
        FileFormatError: it does not hold a Program in this form.

    >>> import pathlib, tempfile, paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.incubate.fleet.utils.utils import load_program, save_program
    >>> path = str(pathlib.Path(tempfile.mkdtemp(), 'main'))
    >>> with fluid.program_guard(fluid.Program()):
    ...     _ = fluid.layers.relu(fluid.data('x', [None, 2]))
    ...     save_program(fluid.default_main_program(), path, is_text=True)
    >>> [op.type for op in load_program(path, is_text=True).global_block().ops]
    ['relu']
    """
    return load_program_text(model_filename) if is_text else load_program_binary(model_filename)


def load_program_binary(model_filename: str) -> Program:
    """Read a Program from a file of bytes.

    Arguments:
        model_filename: the path.

    Returns:
        The Program.

    Raises:
        MissingFileError, FileFormatError: as `load_program`.
    """
    return _parsed("load_program", model_filename, _read("load_program", model_filename))


def load_program_text(model_filename: str) -> Program:
    """Read a Program from a file of text of protobuf.

    Arguments:
        model_filename: the path.

    Returns:
        The Program.

    Raises:
        MissingFileError, FileFormatError: as `load_program`.
    """
    from google.protobuf import text_format

    from ...static.proto.messages import ProgramDesc

    content = _read("load_program", model_filename)
    try:
        parsed = text_format.Parse(content.decode("utf8"), ProgramDesc())
    except (UnicodeDecodeError, text_format.ParseError) as error:
        needs = "text of a ProgramDesc message of protobuf"
        fix = "If the file holds bytes, pass is_text=False."
        raise FileFormatError(message("load_program", model_filename, str(error), needs, fix)) from None
    return _parsed("load_program", model_filename, parsed.SerializeToString())


def _read(call: str, path: str) -> bytes:
    """Return the content of a file."""
    try:
        with open(os.fspath(path), "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise MissingFileError(message(call, "model_filename", repr(path), "the path of a file")) from None


def _parsed(call: str, path: str, content: bytes) -> Program:
    """Return the Program in bytes; errors name the file."""
    try:
        return Program.parse_from_string(content)
    except FileFormatError as error:
        raise FileFormatError(f"{call}: {path}: {error}") from None


def save_program(program: Program, model_filename: str = "__model__", is_text: bool = False) -> None:
    """Write a Program into a file, without the values of its parameters.

    Arguments:
        program: the Program.
        model_filename: the path.
        is_text: whether to write text of protobuf; bytes by default.

    Raises:
        ArgumentTypeError: `program` is no Program.
    """
    if not isinstance(program, Program):
        raise ArgumentTypeError(message("save_program", "program", describe(program), "a fluid.Program"))
    content = program.desc.serialize_to_string()
    if is_text:
        from google.protobuf import text_format

        from ...static.proto.messages import ProgramDesc

        content = text_format.MessageToString(ProgramDesc.FromString(content)).encode("utf8")
    with atomic_file(model_filename) as file:
        file.write(content)


def program_type_trans(prog_dir: str, prog_fn: str, is_text: bool) -> str:
    """Write a Program that is in a file anew: as bytes if it is text, as text if it is bytes.

    Arguments:
        prog_dir: the folder.
        prog_fn: the name of the file.
        is_text: whether the file is text of protobuf.

    Returns:
        The name of the new file, which is in the same folder: `prog_fn` with ".bin" or ".pbtxt" after it.

    Raises:
        MissingFileError, FileFormatError: as `load_program`.
    """
    program = load_program(os.path.join(prog_dir, prog_fn), is_text)
    written = prog_fn + (".bin" if is_text else ".pbtxt")
    save_program(program, os.path.join(prog_dir, written), not is_text)
    return written


def parse_program(program: Program, output_dir: str) -> None:
    """Write what a Program consists of into three files of a folder, a line each.

    Arguments:
        program: the Program.
        output_dir: the folder: vars_persistable.log is about its persistable Variables, vars_all.log about all of
            those of its first block, ops.log about the operators.

    Raises:
        MissingFileError: there is no such folder.
    """
    if not os.path.isdir(output_dir):
        raise MissingFileError(message("parse_program", "output_dir", repr(output_dir), "a folder that exists"))
    variables = list(program.global_block().vars.values())
    kept = [{**_about(each), "type": str(each.type)} for each in program.list_vars() if each.persistable]
    _write_lines(output_dir, persistable_vars_out_fn, "persistable vars:", kept)
    _write_lines(output_dir, all_vars_out_fn, "all vars:", [_about(each) for each in variables])
    operators = [
        {
            "type": op.type,
            "input_arg_names": str(list(op.input_arg_names)),
            "output_arg_names": str(list(op.output_arg_names)),
        }
        for op in program.global_block().ops
    ]
    _write_lines(output_dir, ops_out_fn, "ops:", operators)


def _about(variable: Variable) -> dict[str, Any]:
    """Return what a line of vars_all.log says of a Variable."""
    shape = tuple(variable.shape or ())
    dtype = None if variable.dtype is None else str(variable.dtype)
    return {"name": variable.name, "shape": str(shape), "lod_level": variable.lod_level or 0, "dtype": dtype}


def _write_lines(folder: str, name: str, head: str, rows: Iterable[Any]) -> None:
    with open(os.path.join(folder, name), "w", encoding="utf8") as file:
        file.writelines(f"{line}\n" for line in (head, *rows))


def graphviz(block: Block, output_dir: str = "", filename: str = "debug") -> None:
    """Draw a block: write `filename`.dot, and `filename`.pdf by Graphviz.

    Arguments:
        block: the block.
        output_dir: the folder.
        filename: the name of both files, without the ending.

    Raises:
        MissingFileError: Graphviz is not installed; the .dot file has been written.
    """
    import subprocess

    path = os.path.join(output_dir, filename)
    write_graph(block_graph(block).digraph(), f"{path}.dot")
    try:
        subprocess.run(["dot", "-Tpdf", f"{path}.dot", "-o", f"{path}.pdf"], check=True)
    except FileNotFoundError:
        fix = f"Install Graphviz; {path}.dot has been written."
        raise MissingFileError(message("graphviz", "the program dot", "not found", "Graphviz", fix)) from None


def append_save_op(block: Block, var: Variable, path: str) -> None:
    """Append an operator that writes a Variable into a file in each run.

    Arguments:
        block: the block.
        var: the Variable.
        path: the file.
    """
    block.append_op("save", {"X": [var]}, {}, {"file_path": path})


def append_load_op(block: Block, var: Variable, path: str) -> None:
    """Append an operator that reads a Variable from a file in each run. Arguments are those of `append_save_op`."""
    block.append_op("load", {}, {"Out": [var]}, {"file_path": path})


def save_var(np_array: Any, var_name: str, shape_list: Sequence[int], dtype: Any, save_path: str) -> None:
    """Write an array into a file as `fluid.io.save_vars` writes a Variable.

    Arguments:
        np_array: the array.
        var_name: the name of the Variable in messages.
        shape_list, dtype: its shape and dtype.
        save_path: the file.
    """
    program, variable = _with_variable(var_name, shape_list, dtype)
    append_save_op(program.global_block(), variable, save_path)
    scope = Scope()
    scope.var(var_name).get_tensor().set(np.asarray(np_array), CPUPlace())
    Executor(CPUPlace()).run(program, scope=scope)


def load_var(var_name: str, shape_list: Sequence[int], dtype: Any, save_path: str) -> list[Any]:
    """Read a Variable from a file of `save_var` or `fluid.io.save_vars`.

    Arguments:
        var_name: the name of the Variable in messages.
        shape_list, dtype: its shape and dtype; those of the file are what counts.
        save_path: the file.

    Returns:
        A list of the one array.

    Raises:
        MissingFileError: there is no such file.

    >>> import numpy as np, os, tempfile
    >>> from paddle_lite.fluid.incubate.fleet.utils.utils import load_var, save_var
    >>> path = os.path.join(tempfile.mkdtemp(), 'w')
    >>> save_var(np.ones([1, 2], 'float32'), 'w', [1, 2], 'float32', path)
    >>> load_var('w', [1, 2], 'float32', path)
    [array([[1., 1.]], dtype=float32)]
    """
    program, variable = _with_variable(var_name, shape_list, dtype)
    append_load_op(program.global_block(), variable, save_path)
    with scope_guard(Scope()):
        return Executor(CPUPlace()).run(program, fetch_list=[var_name])


def _with_variable(name: str, shape: Sequence[int], dtype: Any) -> tuple[Program, Variable]:
    """Return a Program with one persistable Variable, and this."""
    program = Program()
    made = program.global_block().create_var(name=name, shape=list(shape), dtype=dtype, persistable=True)
    return program, made
