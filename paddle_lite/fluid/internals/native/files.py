"""Files of named tensors, as 1.6 wrote them for `fluid.save` and `save_dygraph`; `fluid.core` of 1.8.5 still reads and writes them.

256 bytes of no meaning, "TNUM" and the number of tensors; then for each, in the order of the names, "NAME", the length of
the name, the name, and the tensor without LoD.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ....core.dtype import to_numpy
from ....core.errors import ArgumentValueError, MissingFileError, MissingVariableError, ShapeError, message
from ....core.files.atomic import atomic_file
from ....imperative.variable import Variable
from ....static.execution.scope import Scope
from ....static.proto.streams import Source, read_numbers, write_numbers

__all__ = [
    "create_loaded_parameter",
    "load_dygraph_dict",
    "load_static_dict",
    "save_dygraph_dict",
    "save_static_dict",
]

_START = 256


def _write(path: str, arrays: Mapping[str, Any]) -> None:
    """Write a file of arrays."""
    with atomic_file(path) as file:
        file.write(bytes(_START) + b"TNUM" + struct.pack("<Q", len(arrays)))
        for name in sorted(arrays):
            text = name.encode()
            file.write(b"NAME" + struct.pack("<Q", len(text)) + text)
            write_numbers(file, arrays[name])


def _read(path: str) -> dict[str, np.ndarray]:
    """Return the arrays of a file.

    Raises:
        MissingFileError: there is no such file.
        FileFormatError: it is truncated, or another program's.
    """
    if not os.path.isfile(path):
        raise MissingFileError(message("core.load", "file", repr(path), "a file that _save_static_dict wrote"))
    with open(path, "rb") as file:
        source = Source(file, path)
        source.need(_START, "with which the file begins")
        source.bytes(_START)
        _word(source, b"TNUM")
        found = {}
        for _ in range(source.numbers("<Q", "the number of tensors")[0]):
            _word(source, b"NAME")
            (length,) = source.numbers("<Q", "the length of a name")
            source.need(length, "a name")
            name = source.bytes(length).decode(errors="replace")
            found[name] = read_numbers(source)[0]
        source.end("the end of the file")
        return found


def _word(source: Source, word: bytes) -> None:
    source.need(len(word), f"the word {word.decode()}")
    got = source.bytes(len(word))
    if got != word:
        source.offset -= len(word)
        raise source.complaint(f"the bytes {got!r}", f"the word {word.decode()}")


def save_dygraph_dict(file_name: str, state: Mapping[str, Variable]) -> None:
    """Write Variables of imperative mode into a file, under their own names."""
    _write(file_name, {variable.name: variable.numpy() for variable in state.values()})


def load_dygraph_dict(file_name: str) -> dict[str, Variable]:
    """Return the Variables of a file, by their names.

    Raises:
        MissingFileError, FileFormatError: there is no such file, or it is another one.
    """
    return {name: Variable(array, stop_gradient=True, name=name) for name, array in _read(file_name).items()}


def save_static_dict(file_name: str, variables: Iterable[Any], scope: Scope) -> None:
    """Write the values that Variables of a Program have in a Scope into a file.

    Raises:
        MissingVariableError: the Scope has no value for one of them.
    """
    _write(file_name, {each.name: np.array(_tensor(scope, each.name, "run the startup Program")) for each in variables})


def load_static_dict(file_name: str, variables: Iterable[Any], scope: Scope, executor: Any = None) -> None:
    """Read the values of Variables of a Program into a Scope, which has values of these shapes already.

    Arguments:
        file_name: the file.
        variables: Variables of a Program.
        scope: the Scope.
        executor: accepted for Fluid code, ignored.

    Raises:
        MissingFileError, FileFormatError: there is no such file, or it is another one.
        MissingVariableError: the Scope has no value for one of them.
        ArgumentValueError: the file has none for one of them.
        ShapeError: the value has another shape than that in the Scope.
    """
    found = _read(file_name)
    for each in variables:
        tensor = _tensor(scope, each.name, "call _create_loaded_parameter")
        if each.name not in found:
            raise ArgumentValueError(message("core.load", "variables", repr(each.name), f"one of {sorted(found)}"))
        if list(found[each.name].shape) != tensor.shape():
            got = f"shape {list(found[each.name].shape)} of {each.name!r} in the file"
            raise ShapeError(message("core.load", "variables", got, f"{tensor.shape()}, as in the Scope"))
        tensor.array = found[each.name]


def create_loaded_parameter(variables: Iterable[Any], scope: Scope, executor: Any = None) -> None:
    """Give a Scope a value for each Variable of a Program that has none there, of its shape, before it is loaded.

    Arguments:
        variables: Variables of a Program.
        scope: the Scope.
        executor: accepted for Fluid code, ignored.
    """
    for each in variables:
        tensor = scope.var(each.name).get_tensor()
        if not tensor._is_initialized():
            tensor.array = np.zeros(each.shape, to_numpy(each.dtype))


def _tensor(scope: Scope, name: str, remedy: str) -> Any:
    held = scope.find_var(name)
    if held is None or not held.get_tensor()._is_initialized():
        raise MissingVariableError(message("core.load", "scope", f"no value for {name!r}", "one; " + remedy))
    return held.get_tensor()
