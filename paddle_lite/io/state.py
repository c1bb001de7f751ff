"""save_dygraph and load_dygraph: state dicts of Layers and optimizers in the files of PaddlePaddle 1.8.5."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    DtypeError,
    MissingFileError,
    describe,
    message,
)
from ..core.files.reading import other_than_a_file
from ..core.files.saves import loading, saving
from ..core.host import to_host
from ..core.mode import require_imperative
from ..imperative.layers.state import NAME_TABLE
from ..imperative.parameter import Parameter
from ..imperative.python_operators import is_variable
from . import pickled
from .named_tensors import read_state

PARAMETERS, OPTIMIZER = ".pdparams", ".pdopt"


def save_dygraph(state_dict: dict[str, Any], model_path: str | os.PathLike[str]) -> None:
    """Write a state dict: to `model_path`.pdparams if it has a parameter, to `model_path`.pdopt otherwise.

    Arguments:
        state_dict: the result of `state_dict()` of a Layer or an optimizer: Variables, arrays and plain values by name.
        model_path: folder and file name without a suffix; the folder is created if it does not exist.

    Raises:
        ArgumentValueError: `state_dict` is empty, or the path has no file name.
        ArgumentTypeError: an entry is neither a Variable nor an array nor a plain value.
        DtypeError: an array does not hold numbers or bools.

    >>> import os, tempfile, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     layer = fluid.dygraph.Linear(2, 3)
    ...     path = os.path.join(tempfile.mkdtemp(), 'model')
    ...     fluid.save_dygraph(layer.state_dict(), path)
    ...     parameters, optimizer = fluid.load_dygraph(path)
    >>> sorted(parameters), optimizer
    (['bias', 'weight'], None)
    """
    if not isinstance(state_dict, dict) or not state_dict:
        raise ArgumentValueError(message("save_dygraph", "state_dict", describe(state_dict), "a dict with entries"))
    path = os.fspath(model_path)
    if not os.path.basename(path):
        raise ArgumentValueError(message("save_dygraph", "model_path", repr(path), "directory/name, without a suffix"))
    suffix = PARAMETERS if any(isinstance(value, Parameter) for value in state_dict.values()) else OPTIMIZER
    write_states(path, {suffix: content_of(state_dict)})


def content_of(state_dict: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the file of a state dict holds: arrays and plain values, and the names of its Variables."""
    content: dict[str, Any] = {}
    names: dict[str, str] = {}
    for key, value in state_dict.items():
        if is_variable(value):
            content[key] = to_host(value.array)
            names[key] = value.name
        else:
            content[key] = _plain(key, value)
    content[NAME_TABLE] = names
    return content


def write_states(path: str, contents: Mapping[str, Any]) -> None:
    """Write the files of a path, given what belongs into each by suffix; all or none."""
    folder, name = os.path.split(path)
    with saving(folder) as opened:
        for suffix, content in contents.items():
            with opened(name + suffix) as file:
                pickled.dump(file, content)


def _plain(key: str, value: Any) -> Any:
    """Return an array or plain value of a state dict, such as the counters of a schedule; raise for anything else."""
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind not in "biufc":
            raise DtypeError(message("save_dygraph", f"entry {key!r}", f"dtype {value.dtype}", "numbers or bools"))
        return value
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    if isinstance(value, dict):
        return {k: _plain(f"{key}[{k!r}]", v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(f"{key}[{i}]", v) for i, v in enumerate(value))
    raise ArgumentTypeError(
        message("save_dygraph", f"entry {key!r}", describe(value), "a Variable, an array or plain values")
    )


def load_dygraph(model_path: str | os.PathLike[str], keep_name_table: bool = False) -> tuple[dict[str, Any], Any]:
    """Read files that `save_dygraph` (here or in PaddlePaddle) wrote. No code from the files is executed.

    Arguments:
        model_path: the path that was passed to `save_dygraph`, or the path of one of the files with its suffix.
        keep_name_table: whether to keep the table of parameter names in the first dict.

    Returns:
        (parameters, optimizer state): name -> ndarray; the second is None where there is no .pdopt file.

    Raises:
        ModeError: outside of imperative mode.
        MissingFileError: there is no .pdparams file.
        FileFormatError: a file is truncated or has another format.
    """
    require_imperative("load_dygraph")
    path = os.fspath(model_path)
    path = path.removesuffix(PARAMETERS) if path.endswith(PARAMETERS) else path.removesuffix(OPTIMIZER)
    with loading(os.path.dirname(path)):
        return _loaded(path, keep_name_table)


def _loaded(path: str, keep_name_table: bool) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return what the files of a path without a suffix hold."""
    if not os.path.isfile(path + PARAMETERS):
        found = " (there is a .pdopt file)" if os.path.exists(path + OPTIMIZER) else ""
        other = other_than_a_file(path + PARAMETERS)
        raise MissingFileError(
            f"load_dygraph: parameter file {path + PARAMETERS} {f'is {other}' if other else 'does not exist'}{found}. Save the Layer's state_dict() with "
            "save_dygraph first."
        )
    parameters = read_state(path + PARAMETERS)
    if not keep_name_table:
        parameters.pop(NAME_TABLE, None)
    return parameters, read_state(path + OPTIMIZER) if os.path.exists(path + OPTIMIZER) else None
