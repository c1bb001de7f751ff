"""Helpers with which the layers of PaddlePaddle 1.8.5 append operators, and which layers that copy them call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, message
from ...layers.support.activation_by_name import activate
from ...layers.support.arguments import shape_inputs
from ...layers.support.helper import LayerHelper
from ...ops.framework import registry

__all__ = [
    "copy_var_to_parent_block",
    "elementwise_in_imperative_mode",
    "elementwise_op",
    "error_clip_callback",
    "logical_op",
    "shape_tensor_inputs",
    "tril_triu_op",
]


def _argument(helper: Any, name: str) -> Any:
    """Return an argument of the call for which a helper was made; raise where there is none."""
    value = helper.kwargs.get(name)
    if value is None:
        needs = f"the argument {name}: LayerHelper(type, {name}={name}, ...)"
        raise ArgumentTypeError(message(helper.layer_type, name, "None", needs))
    return value


def elementwise_op(helper: Any) -> Any:
    """Append an operator of two Variables, and its activation: `_elementwise_op(LayerHelper('elementwise_add', **locals()))`.

    Arguments:
        helper: a LayerHelper of the operator's type, with x and y, and with axis and act if they differ from -1 and None.

    Returns:
        The result.
    """
    x, y = _argument(helper, "x"), _argument(helper, "y")
    out = helper.create_variable_for_type_inference(dtype=x.dtype)
    attrs = {"axis": helper.kwargs.get("axis", -1), "use_mkldnn": False}
    helper.append_op(type=helper.layer_type, inputs={"X": x, "Y": y}, outputs={"Out": out}, attrs=attrs)
    return helper.append_activation(out)


def elementwise_in_imperative_mode(
    x: Any, y: Any, axis: int = -1, act: str | None = None, use_mkldnn: bool = False, op_name: str = "elementwise_add"
) -> Any:
    """Run an operator of two Variables, and its activation.

    Arguments:
        x, y: the Variables.
        axis: where the shape of `y` starts in that of `x`.
        act: the activation, such as "relu".
        use_mkldnn: accepted for Fluid code, ignored.
        op_name: the type of the operator.

    Returns:
        The result.
    """
    return activate(registry.get(op_name).call(x, y, axis=axis), act)


def logical_op(op_name: str, x: Any, y: Any, out: Any = None, name: str | None = None, binary_op: bool = True) -> Any:
    """Append an operator of truth values.

    Arguments:
        op_name: its type, such as "logical_and".
        x, y: Variables; `y` is ignored where `binary_op` is False.
        out: the Variable that gets the result, or None for a new one.
        name: the prefix of a new one's name.
        binary_op: whether the operator takes two.

    Returns:
        The result.
    """
    helper = LayerHelper(op_name, x=x, y=y, out=out, name=name)
    if out is None:
        out = helper.create_variable_for_type_inference(dtype=x.dtype)
    inputs = {"X": x, "Y": y} if binary_op else {"X": x}
    helper.append_op(type=op_name, inputs=inputs, outputs={"Out": out})
    return out


def tril_triu_op(helper: Any) -> Any:
    """Append the operator of triangles of matrices.

    Arguments:
        helper: a LayerHelper with op_type, "tril" or "triu", the argument of this name, and diagonal.

    Returns:
        The result.
    """
    kind = _argument(helper, "op_type")
    x = helper.kwargs.get("x") if helper.kwargs.get("x") is not None else _argument(helper, "input")
    out = helper.create_variable_for_type_inference(dtype=x.dtype)
    attrs = {"diagonal": helper.kwargs.get("diagonal", 0), "lower": kind == "tril"}
    helper.append_op(type="tril_triu", inputs={"X": x}, outputs={"Out": out}, attrs=attrs)
    return out


def shape_tensor_inputs(
    inputs: dict[str, Any], helper: Any, attrs: dict[str, Any], shape: Any, op_type: str
) -> dict[str, Any]:
    """Put a shape of ints and Variables where an operator takes it: the inputs ShapeTensor, ShapeTensorList, the attribute shape.

    Arguments:
        inputs, attrs: those of the operator, which are changed.
        helper: accepted for Fluid code, ignored.
        shape: a list of ints and Variables, or a Variable.
        op_type: the type of the operator, for messages.

    Returns:
        `inputs`.

    Raises:
        ArgumentTypeError: `shape` is something else.
    """
    sizes, whole, parts = shape_inputs(op_type, shape)
    if whole is not None:
        inputs["ShapeTensor"] = whole
    else:
        attrs["shape"] = sizes
    if parts is not None:
        inputs["ShapeTensorList"] = parts
    return inputs


def copy_var_to_parent_block(var: Any, layer_helper: Any) -> Any:
    """Append an assignment of a block's Variable to one of the block around it, for the results of branches.

    Arguments:
        var: the Variable, or None.
        layer_helper: a LayerHelper of the same Program.

    Returns:
        The Variable of the block around, or None for None.
    """
    if var is None:
        return None
    program = layer_helper.main_program
    parent = program.block(program.current_block().parent_idx)
    copied = parent.create_var(name=None, dtype=var.dtype, shape=var.shape)
    program.current_block().append_op("assign", {"X": var}, {"Out": copied})
    return copied


def error_clip_callback(block: Any, context: Any) -> None:
    """Do nothing, as a callback of `append_backward`, which limits gradients by their Variables' error_clip by itself.

    Arguments:
        block, context: the block, and the operator that was appended last.
    """


def quantized_var_name(var_name: str) -> str:
    """Return the name of a Variable's quantized values."""
    return f"{var_name}.quantized"


def dequantized_var_name(var_name: str) -> str:
    """Return the name of a Variable's values after they were quantized and scaled back."""
    return f"{var_name}.dequantized"


def quantized_scale_name(var_name: str) -> str:
    """Return the name of the scale of a Variable's quantized values."""
    return f"{var_name}.scale"


_QUANTIZABLE_OP_TYPES = ["conv2d", "depthwise_conv2d", "mul"]


def is_float(v: Any) -> bool:
    """Return whether a number is a float of Python, float32 or float64."""
    return isinstance(v, (float, np.float32))


def quantized(x: Any, scale: float, num_bits: int) -> Any:
    """Return an array as integers of `num_bits` bits: `scale` becomes the largest one; NumPy rounds."""
    return np.round(x / scale * ((1 << (num_bits - 1)) - 1))
