"""Operators that save and load Variables as a Program runs, and the addresses of servers in a Program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ....core.errors import ArgumentTypeError, describe, message
from ....layers.support.arguments import check_variable
from ....layers.support.helper import LayerHelper
from ....static.program.program import Program

__all__ = ["load_combine", "replace_endpoints", "save", "save_combine"]


def save(x: Any, file_path: str, overwrite: bool = True) -> None:
    """Append an operator that writes a Variable into a file in each run; `layers.load` reads it.

    1.8.5 raises an AssertionError at every call, for it gives the operator no input.

    Arguments:
        x: the Variable.
        file_path: the path of the file.
        overwrite: whether to replace a file that is there; otherwise the run raises an error.

    Raises:
        ArgumentTypeError: an argument has another type.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> path, main = os.path.join(tempfile.mkdtemp(), 'w'), fluid.Program()
    >>> with fluid.program_guard(main, fluid.Program()):
    ...     fluid.layers.tensor.save(fluid.layers.fill_constant([2], 'float32', 3.0), path)
    >>> _ = fluid.Executor(fluid.CPUPlace()).run(main)
    >>> os.path.exists(path)
    True
    """
    check_variable("save", "x", x)
    _append("save", {"X": [x]}, {}, {"file_path": _path("save", file_path), "overwrite": bool(overwrite)})


def save_combine(x: Sequence[Any], file_path: str, overwrite: bool = True) -> None:
    """Append an operator that writes Variables into one file in each run; `load_combine` reads it.

    1.8.5 raises an AssertionError at every call, for it gives the operator no input.

    Arguments:
        x: a list of Variables.
        file_path: the path of the file.
        overwrite: whether to replace a file that is there; otherwise the run raises an error.

    Raises:
        ArgumentTypeError: an argument has another type.
    """
    path = _path("save_combine", file_path)
    _append("save_combine", {"X": _list("save_combine", "x", x)}, {}, {"file_path": path, "overwrite": bool(overwrite)})


def load_combine(out: Sequence[Any], file_path: str) -> None:
    """Append an operator that reads Variables from one file in each run, in the order in which they were written.

    1.8.5 raises an EnforceNotMet at every call, for it gives the operator no path.

    Arguments:
        out: a list of Variables.
        file_path: the path of the file.

    Raises:
        ArgumentTypeError: an argument has another type.
    """
    path = _path("load_combine", file_path)
    _append("load_combine", {}, {"Out": _list("load_combine", "out", out)}, {"file_path": path})


def _append(type: str, inputs: Any, outputs: Any, attrs: dict[str, Any]) -> None:
    LayerHelper(type).append_op(type, inputs=inputs, outputs=outputs, attrs=attrs)


def _path(where: str, value: Any) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise ArgumentTypeError(message(where, "file_path", describe(value), "a path"))
    return os.fspath(value)


def _list(where: str, name: str, value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise ArgumentTypeError(message(where, name, describe(value), "a list of Variables"))
    for each in value:
        check_variable(where, name, each)
    return list(value)


def replace_endpoints(program: Program, endpoints: Sequence[str]) -> Program:
    """Give the operators of a Program that talk to servers other addresses, the attribute `epmap`.

    1.8.5 raises an AttributeError for each such operator, for it calls a method that Operators do not have.

    Arguments:
        program: the Program, which is changed.
        endpoints: the addresses.

    Returns:
        `program`.

    Raises:
        ArgumentTypeError: it is no Program.
    """
    if not isinstance(program, Program):
        raise ArgumentTypeError(message("_endpoints_replacement", "program", describe(program), "a Program"))
    for op in program.global_block().ops:
        if op.has_attr("epmap"):
            op._set_attr("epmap", list(endpoints))
    return program
