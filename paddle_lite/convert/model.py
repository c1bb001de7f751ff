"""A saved model in memory: its Program, inputs, outputs and parameters, from files of any form that Fluid writes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.dtype import VarType
from ..core.errors import ArgumentValueError, MissingFileError, message
from ..core.lod import LoD
from ..core.selected_rows import SelectedRows
from ..imperative.layers.state import NAME_TABLE
from ..io.inference_model import interface, read_program
from ..io.locating import located, parameters_file
from ..io.program_state import load_program_state
from ..io.state import OPTIMIZER, PARAMETERS
from ..io.variables import is_persistable, read_variables
from ..static.program.program import Program
from ..static.program.variable import Variable

CALL = "convert"


@dataclass(frozen=True)
class Model:
    """A saved model.

    Arguments:
        path: the file that it was read from.
        program: the Program; None for a state dict, which has weights only.
        feeds, fetches: the names of its inputs and outputs.
        values: the array of each parameter, by name.
        lods: the LoD of parameters that have one.
    """

    path: str
    program: Program | None
    feeds: Sequence[str]
    fetches: Sequence[str]
    values: Mapping[str, np.ndarray]
    lods: Mapping[str, LoD] = field(default_factory=dict)

    def inference(self, to: str) -> Program:
        """Return the Program; raise unless it is one for inference.

        Arguments:
            to: what it is converted to, for the error.
        """
        if self.program is None or not self.fetches:
            got = "a state dict" if self.program is None else "a Program without outputs"
            needs = f"an inference model for --to {to}"
            fix = "Save it with fluid.io.save_inference_model or TracedLayer.save_inference_model, or use --to safetensors."
            raise ArgumentValueError(message(CALL, "MODEL", f"{self.path}, {got}", needs, fix))
        return self.program

    def variable(self, name: str) -> Variable:
        """Return a Variable of the first block."""
        assert self.program is not None
        found: Variable = self.program.global_block().var(name)
        return found


def read_model(path: str, model_filename: str | None = None, params_filename: str | None = None) -> Model:
    """Read a saved model. No code from the files is executed, and no Scope is changed.

    Arguments:
        path: a folder of `save_inference_model`; a .pdmodel file or its path without the suffix, with its .pdiparams or
            .pdparams file beside it; a .pdparams or .pdopt file of `save_dygraph` or `fluid.save`.
        model_filename: the file of the Program in the folder; by default `__model__`, or the only .pdmodel file.
        params_filename: the file of all parameters; by default it is found.

    Returns:
        A Model.

    Raises:
        MissingFileError: there is no such model, or its parameters are not there.
        FileFormatError: a file is damaged.

    >>> import tempfile, paddle_lite.fluid as fluid
    >>> from paddle_lite.convert import read_model
    >>> folder, exe = tempfile.mkdtemp(), fluid.Executor(fluid.CPUPlace())
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 4]), 1, param_attr='w', bias_attr=False)
    ...     _ = exe.run(fluid.default_startup_program())
    ...     _ = fluid.io.save_inference_model(folder, ['x'], [y], exe)
    >>> model = read_model(folder)
    >>> model.feeds, {name: array.shape for name, array in model.values.items()}
    (['x'], {'w': (4, 1)})
    """
    path = os.fspath(path)
    if _is_state(path):
        return _state_model(path)
    folder, file = located(CALL, path, model_filename)
    program = read_program(CALL, folder, file)
    feeds, fetches = interface(program)
    stored = [v for v in program.list_vars() if is_persistable(v) and v.type != VarType.RAW]
    where = os.path.join(folder, file)
    stem = os.path.join(folder, file.removesuffix(".pdmodel"))
    if params_filename is None and os.path.isfile(stem + PARAMETERS):
        return Model(where, program, feeds, fetches, _arrays(load_program_state(stem), where))
    params_filename = params_filename or parameters_file(program, folder, file)
    found = read_variables(CALL, folder, stored, params_filename)
    lods = {name: value.lod for name, value in found.items() if value.lod}
    values = _arrays({name: value.value for name, value in found.items()}, where)
    return Model(where, program, feeds, fetches, values, lods)


def _is_state(path: str) -> bool:
    """Return whether a path names a state dict and no Program."""
    if path.endswith((PARAMETERS, OPTIMIZER)):
        return True
    has_state = os.path.isfile(path + PARAMETERS)
    return has_state and not os.path.isfile(path + ".pdmodel") and not os.path.isfile(path)


def _state_model(path: str) -> Model:
    """Read a state dict."""
    suffix = OPTIMIZER if path.endswith(OPTIMIZER) else PARAMETERS
    file = path if path.endswith(suffix) else path + suffix
    if not os.path.isfile(file):
        raise MissingFileError(message(CALL, "MODEL", path, "a file that exists"))
    from ..io import pickled  # it imports the tables of what pickles may hold

    content = pickled.read(file)
    if not isinstance(content, dict):
        raise ArgumentValueError(message(CALL, "MODEL", f"{file} with a {type(content).__name__}", "a state dict"))
    return Model(file, None, [], [], _arrays(content, file))


def _arrays(content: Mapping[str, Any], where: str) -> dict[str, np.ndarray]:
    """Return the arrays of a state; raise for what is no array."""
    found = {}
    for name, value in content.items():
        if name == NAME_TABLE:
            continue
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], np.ndarray):
            value = value[1]  # PaddlePaddle 2 keeps (the name of the parameter, its array)
        if isinstance(value, SelectedRows):
            fix = "Make a tensor of it first."
            raise ArgumentValueError(message(CALL, f"{name} in {where}", "SelectedRows", "an array", fix))
        if isinstance(value, np.ndarray):
            found[name] = np.ascontiguousarray(value) if value.ndim else value
        elif isinstance(value, (bool, int, float)):
            found[name] = np.asarray(value)
    return found
