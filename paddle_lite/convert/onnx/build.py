"""An inference model as an ONNX model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
from onnx import ModelProto, ValueInfoProto, helper

from ...core.dtype import to_numpy
from ...version import own_version
from ..feeds import LENGTHS
from ..model import Model
from ..problems import ConversionError, Stopped, conversion_error
from . import (
    activations,
    control,
    detection,
    elementwise,
    images,
    losses,
    norms,
    recurrent,
    sequences,
    shapes,
    values,
    windows,
)
from .call import TABLE
from .graph import IR_VERSION, OPSET, Graph, onnx_type
from .walk import all_problems, convert_block

FAMILIES = {
    "activations": activations, "elementwise": elementwise, "shapes": shapes, "values": values, "windows": windows,
    "norms": norms, "images": images, "sequences": sequences, "recurrent": recurrent, "control": control,
    "losses": losses, "detection": detection,
}  # fmt: skip
"""The modules whose converters are in the table."""
TO = "onnx"


def operators() -> list[str]:
    """Return the types of operators that can be converted."""
    return sorted(TABLE)


def to_onnx(model: Model, step: Callable[[str], None] = lambda text: None) -> ModelProto:
    """Convert an inference model, and let ONNX's checker look at the result.

    Arguments:
        model: what `read_model` returned.
        step: is told what is being done.

    Returns:
        The ONNX model. Its inputs have the names of the model's; an input with a LoD is its rows, beside an input
        `NAME.lengths` with the length of each sequence. Unknown sizes have names.

    Raises:
        ArgumentValueError: the model is not one for inference.
        ConversionError: operators have no counterpart; the text names each.
    """
    program = model.inference(TO)
    block = program.global_block()
    total = sum(op.type not in ("feed", "fetch") for op in program.all_ops())
    problems = all_problems(block)
    if problems:
        raise conversion_error(TO, model.path, problems, total)
    graph = Graph()
    graph.asked = frozenset(model.fetches)
    inputs = [value for name in model.feeds for value in _input(model, name, graph)]
    for name, array in model.values.items():
        graph.values[name] = graph.initializer(array, graph.names.fresh(name))
    step(f"{total} operators")
    try:
        convert_block(block, graph)
    except Stopped as stopped:
        raise conversion_error(TO, model.path, [stopped.problem], total) from None
    outputs = _outputs(model, graph)
    graph.initializers = _used(graph)
    made = helper.make_model(
        graph.proto("main", inputs, outputs),
        opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION,
        producer_name="paddle_lite", producer_version=own_version,
    )  # fmt: skip
    step("checking")
    try:
        onnx.checker.check_model(made, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        raise ConversionError(f"convert --to {TO}: {model.path}: ONNX does not allow it: {error}") from None
    return made


def _input(model: Model, name: str, graph: Graph) -> list[ValueInfoProto]:
    """Return the type of an input, and that of its lengths if it has a LoD."""
    variable = model.variable(name)
    several = sum(any(int(n) < 0 for n in model.variable(each).shape) for each in model.feeds) > 1
    value = graph.names.fresh(name)
    graph.values[name] = value
    prefix = f"{name}_" if several else ""
    sizes: list[int | str] = [
        int(n) if n >= 0 else f"{prefix}{'batch' if at == 0 else f'size_{at}'}" for at, n in enumerate(variable.shape)
    ]
    if not variable.lod_level:
        return [helper.make_tensor_value_info(value, onnx_type(to_numpy(variable.dtype)), sizes)]
    sizes[0] = f"{name}_rows"
    lengths = graph.names.fresh(name + LENGTHS)
    graph.lengths[name] = lengths
    return [
        helper.make_tensor_value_info(value, onnx_type(to_numpy(variable.dtype)), sizes),
        helper.make_tensor_value_info(lengths, onnx_type(np.int64), [f"{name}_sequences"]),
    ]


def _outputs(model: Model, graph: Graph) -> list[ValueInfoProto]:
    """Return the types of the outputs, which are named after what was asked for."""
    found: list[ValueInfoProto] = []
    for name in model.fetches:
        if name not in graph.values:
            raise ConversionError(f"convert --to {TO}: {model.path}: ONNX has nothing that gives its output {name}")
        value = graph.values[name]
        variable = model.variable(name)
        taken = {each.name for each in found}
        if value in taken or not any(value in node.output for node in graph.nodes):  # an input, a weight, or twice
            named = graph.names.fresh(_asked(model, name))
            graph.nodes.append(helper.make_node("Identity", [value], [named], name=named))
            value = named
        sizes = [int(n) if n >= 0 else None for n in variable.shape]
        found.append(helper.make_tensor_value_info(value, onnx_type(to_numpy(variable.dtype)), sizes))
    return found


def _asked(model: Model, name: str) -> str:
    """Return the name of the Variable that a scale by 1 gives its name to, as save_inference_model appends one."""
    assert model.program is not None
    for op in model.program.global_block().ops:
        if name in op.output_arg_names and op.type == "scale" and name.startswith("save_infer_model/"):
            return str(op.input("X")[0])
    return name


def _used(graph: Graph) -> list[onnx.TensorProto]:
    """Return the constants that a node reads."""
    read = set(_read(graph.proto("main", [], [])))
    return [tensor for tensor in graph.initializers if tensor.name in read]


def _read(proto: onnx.GraphProto) -> list[str]:
    found = []
    for node in proto.node:
        found += node.input
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found += _read(attribute.g)
    return found
