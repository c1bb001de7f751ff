"""Checkpoints of jobs with parameter servers: a trainer saves what the servers hold, and a server loads its part."""

from __future__ import annotations

import os
import warnings
from collections.abc import Container, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, MissingFileError, ModeError, ShapeError, message
from ..core.files.saves import loading, saving
from ..core.selected_rows import UNBOUNDED, SelectedRows
from ..core.tracebacks import user_level
from ..static.operators.peers import peers
from ..static.program.parts import GROWN, Part, part_of_ids
from ..static.program.program import Program
from ..static.proto import streams
from .scope_values import HostValue, file_of, read_from_scope, write_to_scope
from .served_tables import served_tables


def save_parts(program: Program, folder: str, local: Sequence[Any], without: Container[str] = ()) -> None:
    """Write the persistable variables of a trainer's Program: those of the servers, put together, and its own.

    Arguments:
        program: the Program of a trainer.
        folder: where each variable gets a file with its name.
        local: the Variables that the servers do not hold.
        without: names of variables of the servers that are not written.
    """
    values: dict[str, Any] = {name: value.value for name, value in read_from_scope("save_persistables", local).items()}
    parts = {name: held for name, held in program._server_parts.items() if name not in without}
    values.update(_gathered(parts))
    values.update({name + GROWN: rows for name, rows in _grown(parts).items()})
    with saving(folder) as opened:
        for name, value in values.items():
            with opened(file_of("save_persistables", name)) as file:
                if isinstance(value, SelectedRows):
                    streams.write_selected_rows(file, value)
                else:
                    streams.write_tensor(file, value, None)


def tables_by_servers(program: Program, folder: str) -> Program:
    """Return a Program that has the servers of a trainer's Program write its tables themselves: server N writes FOLDER/TABLE_N.

    Arguments:
        program: the Program of a trainer.
        folder: a folder that all servers see.
    """
    made = Program()
    for name in served_tables(program):
        held = sorted(program._server_parts[name], key=lambda part: part.begin)
        attrs = {"epmap": [part.endpoint for part in held], "dir": os.path.abspath(folder), "lookup_table": name}
        made.global_block().append_op("checkpoint_notify", {}, {}, attrs)
    return made


def values_of_servers(call: str, program: Program, names: Sequence[str]) -> dict[str, Any]:
    """Return variables that the servers of a trainer's Program hold, whole, by name.

    Raises:
        ModeError: the Program does not say which servers hold them.
    """
    unknown = [name for name in names if name not in program._server_parts]
    if unknown:
        fix = "Use the Program of DistributeTranspiler.get_trainer_program(), not one that was read from a file."
        raise ModeError(
            message(call, "main_program", f"no servers of {', '.join(unknown)}", "a trainer's Program", fix)
        )
    parts = {name: program._server_parts[name] for name in names}
    for name, rows in _grown(parts).items():
        if len(rows.rows):
            got = f"{call}: table {name!r} has {len(rows.rows)} rows of ids beyond those that its Program declares"
            warnings.warn(
                f"{got}; they are left out, and their ids cannot be looked up.", UserWarning, stacklevel=user_level()
            )
    return _gathered(parts)


def _gathered(parts: Mapping[str, list[Part]]) -> dict[str, Any]:
    """Return what the servers hold, whole, by name."""
    asked = {
        name: held[:1] if held[0].rows is None else sorted(held, key=lambda part: part.begin)
        for name, held in parts.items()
    }
    flat = [part for held in asked.values() for part in held]
    values = iter(peers().receive([part.name for part in flat], [part.endpoint for part in flat], 0, now=True))
    found = {name: [next(values) for _ in held] for name, held in asked.items()}
    return {name: each[0] if len(each) == 1 else np.concatenate(each) for name, each in found.items()}


def _grown(parts: Mapping[str, list[Part]]) -> dict[str, SelectedRows]:
    """Return the rows of arrays of tables that the Program does not declare, by the names of the arrays."""
    growing = {name: held for name, held in parts.items() if held[0].grows is not None}
    found = {}
    for name, held in growing.items():
        got = peers().grown([part.name for part in held], [part.endpoint for part in held], 0)
        if got:
            found[name] = _by_ids(got)
    return found


def _by_ids(parts: Sequence[SelectedRows]) -> SelectedRows:
    """Return the rows of some parts as one, in the order of their ids."""
    rows = np.concatenate([part.rows for part in parts])
    order = rows.argsort()
    return SelectedRows(rows[order], np.concatenate([part.values for part in parts])[order], UNBOUNDED)


def load_parts(
    program: Program, folder: str | os.PathLike[str] | None, elsewhere: Mapping[str, str] | None = None
) -> None:
    """Read what a server's Program holds from the files of whole variables, and write it into the global scope.

    Arguments:
        program: the main or the startup Program of a server.
        folder: a folder that `save_persistables` wrote, here or in PaddlePaddle.
        elsewhere: name -> the file of a variable that is not in the folder.

    Raises:
        ArgumentTypeError: `folder` is None.
        MissingFileError: a file does not exist.
        ShapeError: a variable has another shape.
    """
    if folder is None:
        raise ArgumentTypeError(message("load_persistables", "dirname", "None", "the folder of a checkpoint"))
    values: dict[str, HostValue] = {}
    absent: list[str] = []
    lost: list[str] = []
    with loading(folder):
        for name, [part, *_] in program._server_parts.items():
            path = (elsewhere or {}).get(name) or os.path.join(folder, file_of("load_persistables", name))
            if part.grows is not None and (rows := _read_grown(path)) is not None:
                mine = part_of_ids(rows.rows, part.grows[1]) == part.grows[0]
                values[part.name + GROWN] = HostValue(SelectedRows(rows.rows[mine], rows.values[mine], UNBOUNDED), None)
            if os.path.isfile(path):
                values[part.name] = HostValue(_cut(program, name, part, streams.load_tensor(path).array), None)
            elif os.path.isfile(f"{path}_0"):
                values[part.name] = HostValue(_cut(program, name, part, _written_by_servers(path)), None)
            else:
                (lost if part.needed else absent).append(name)
    if lost:
        fix = "It is the folder that save_persistables(exe, dirname, trainer_program) wrote."
        raise MissingFileError(
            message("load_persistables", "dirname", os.fspath(folder), f"files of {', '.join(lost[:10])}", fix)
        )
    if absent:
        text = f"load_persistables: {os.fspath(folder)} has no file of {', '.join(absent)}, which begin anew"
        warnings.warn(f"{text}; checkpoints of PaddlePaddle 1.8.5 lack them.", UserWarning, stacklevel=user_level())
    write_to_scope(values)


def _read_grown(path: str) -> SelectedRows | None:
    """Return the rows of an array that its Program does not declare, in one file or in one of each server; None without a file."""
    if os.path.isfile(path + GROWN):
        return streams.load_selected_rows(path + GROWN)
    parts: list[SelectedRows] = []
    while os.path.isfile(f"{path}_{len(parts)}{GROWN}"):
        parts.append(streams.load_selected_rows(f"{path}_{len(parts)}{GROWN}"))
    return _by_ids(parts) if parts else None


def _written_by_servers(path: str) -> Any:
    """Return a table of which each server has written its part to a file: PATH_0, PATH_1 ..."""
    parts: list[Any] = []
    while os.path.isfile(f"{path}_{len(parts)}"):
        parts.append(streams.load_selected_rows(f"{path}_{len(parts)}").values)
    return np.concatenate(parts)


def _cut(program: Program, name: str, part: Part, array: Any) -> Any:
    """Return the rows of a whole variable that a server holds."""
    variable = program.global_block().var(part.name)
    rows = array if part.rows is None else array[part.begin : part.begin + part.rows]
    if rows.shape != tuple(variable.shape) or rows.dtype != to_numpy(variable.dtype):
        got = f"{array.dtype} {list(array.shape)}, of which rows {part.begin} on are {list(rows.shape)}"
        needs = f"{to_numpy(variable.dtype)} {list(variable.shape)} for {part.name!r}"
        raise ShapeError(message("load_persistables", name, got, needs))
    return np.array(rows)
