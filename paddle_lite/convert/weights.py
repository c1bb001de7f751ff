"""Weights as safetensors files and back again, and from ONNX models."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, FileFormatError, MissingFileError, NotYetAvailable, message
from ..io.state import PARAMETERS, write_states
from ..version import own_version
from .model import CALL, Model

META = "paddle_lite"
"""The entry of a file's metadata that holds what is not an array, as JSON."""
_SAID_BY_OPERATORS = ("op_role", "op_role_var", "op_namescope", "op_callstack", "op_device", "sub_block", "use_cudnn")


def safetensors_bytes(arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> bytes:
    """Return the content of a safetensors file.

    Raises:
        NotYetAvailable: the package safetensors is not installed.
    """
    try:
        from safetensors.numpy import save
    except ImportError:
        raise NotYetAvailable(
            "convert: the package safetensors is not installed. Run: pip install safetensors"
        ) from None
    dense = {name: np.ascontiguousarray(array).reshape(array.shape) for name, array in arrays.items()}
    made: bytes = save(dense, metadata=dict(metadata))
    return made


def to_safetensors(model: Model) -> bytes:
    """Return a model's weights as the content of a safetensors file.

    The metadata has an entry "paddle_lite", which is JSON: the inputs and outputs of the model, the LoD of weights that have
    one, and for each weight the operator that uses it, with the attributes of that.
    """
    if not model.values:
        raise ArgumentValueError(message(CALL, "MODEL", f"{model.path} without weights", "a model with weights"))
    held = {
        "version": own_version,
        "inputs": _described(model, model.feeds),
        "outputs": _described(model, model.fetches),
        "lod": dict(model.lods),
        "users": _users(model),
    }
    return safetensors_bytes(model.values, {"format": "np", META: json.dumps(held, sort_keys=True)})


def _described(model: Model, names: Any) -> dict[str, dict[str, Any]]:
    """Return shape, dtype and LoD level of inputs or outputs."""
    from ..core.dtype import to_numpy

    found = {}
    for name in names:
        variable = model.variable(name)
        shape = [int(n) for n in variable.shape]
        found[name] = {"shape": shape, "dtype": to_numpy(variable.dtype).name, "lod_level": variable.lod_level}
    return found


def _users(model: Model) -> dict[str, dict[str, Any]]:
    """Return for each weight the first operator that reads it, and its plain attributes."""
    found: dict[str, dict[str, Any]] = {}
    for op in model.program.all_ops() if model.program is not None else ():
        for slot, names in op.inputs.items():
            for name in names:
                if name in model.values and name not in found:
                    attrs = {key: value for key, value in op.attrs.items() if key not in _SAID_BY_OPERATORS}
                    plain = {k: v for k, v in attrs.items() if isinstance(v, (bool, int, float, str, list))}
                    found[name] = {"operator": op.type, "slot": slot, "attributes": plain}
    return found


def read_safetensors(path: str) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Read a safetensors file.

    Returns:
        (the arrays by name, what `to_safetensors` wrote into the metadata; {} for a file of others).

    Raises:
        MissingFileError: there is no such file.
        FileFormatError: it is no safetensors file, or has a dtype that NumPy does not have.
        NotYetAvailable: the package safetensors is not installed.
    """
    if not os.path.isfile(path):
        raise MissingFileError(message(CALL, "FILE", path, "a safetensors file that exists"))
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise NotYetAvailable(
            "convert: the package safetensors is not installed. Run: pip install safetensors"
        ) from None
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  it is no dict
            metadata = file.metadata() or {}
    except (SafetensorError, TypeError, AttributeError) as error:
        raise FileFormatError(f"{CALL} --from safetensors: {path}: {error}") from None
    try:
        held = json.loads(metadata.get(META, "{}"))
    except ValueError:
        held = {}
    return arrays, held if isinstance(held, dict) else {}


def read_onnx_weights(path: str) -> dict[str, np.ndarray]:
    """Read the initializers of an ONNX model.

    Returns:
        The arrays by name.

    Raises:
        MissingFileError: there is no such file, or a file beside it that it needs.
        FileFormatError: it is no ONNX model.
        NotYetAvailable: the package onnx is not installed.
    """
    if not os.path.isfile(path):
        raise MissingFileError(message(CALL, "FILE", path, "an ONNX file that exists"))
    try:
        import onnx
        from google.protobuf.message import DecodeError
        from onnx import numpy_helper
    except ImportError:
        raise NotYetAvailable("convert: the package onnx is not installed. Run: pip install onnx") from None
    try:
        made = onnx.load(path)
    except (DecodeError, ValueError) as error:
        raise FileFormatError(f"{CALL} --from onnx: {path}: {error}") from None
    except OSError as error:
        raise MissingFileError(f"{CALL} --from onnx: {path}: {error}") from None
    found = {}
    for tensor in made.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype.kind in "fiub" and array.dtype.isbuiltin:
            found[tensor.name] = array
    for node in made.graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].HasField("t"):
            found[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    return found


def import_weights(path: str, source: str, output: str | None = None) -> tuple[str, dict[str, np.ndarray]]:
    """Write the weights of an ONNX model or a safetensors file as a state dict of Fluid, a .pdparams file.

    Arguments:
        path: the file.
        source: "onnx" or "safetensors".
        output: the file to write; the path with the suffix .pdparams where it is None.

    Returns:
        (the file that was written, the arrays by name).

    Raises:
        ArgumentValueError: `source` is another word; the file holds no weights.
        MissingFileError, FileFormatError, NotYetAvailable: as `read_safetensors` and `read_onnx_weights`.

    >>> import os, tempfile, numpy as np
    >>> from safetensors.numpy import save_file
    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.convert import import_weights
    >>> path = os.path.join(tempfile.mkdtemp(), 'net.safetensors')
    >>> save_file({'weight': np.ones([2, 3], 'float32')}, path)
    >>> file, _ = import_weights(path, 'safetensors')
    >>> state = fluid.load_program_state(file.removesuffix('.pdparams'))
    >>> state['weight'].shape
    (2, 3)
    """
    if source not in ("onnx", "safetensors"):
        raise ArgumentValueError(message(CALL, "--from", repr(source), '"onnx" or "safetensors"'))
    arrays = read_onnx_weights(path) if source == "onnx" else read_safetensors(path)[0]
    if not arrays:
        raise ArgumentValueError(message(CALL, "FILE", f"{path} without weights", "a file with weights"))
    target = output or os.path.splitext(path)[0] + PARAMETERS
    target = target if target.endswith(PARAMETERS) else target + PARAMETERS
    write_states(target.removesuffix(PARAMETERS), {PARAMETERS: dict(arrays)})
    return target, arrays
