"""Walking a block: each operator is handed to its converter; additions of biases become part of the layer before them."""

from __future__ import annotations

from collections import Counter

from ...core.errors import EnforceNotMet
from ...static.program.block import Block
from ...static.program.operator import Operator
from ..call import PASSED_BY
from ..model import Model
from ..problems import Problem, Stopped, Unsupported
from . import layers
from .call import TABLE, Names, TorchCall

BIASED = {"conv2d": "Output", "depthwise_conv2d": "Output", "conv3d": "Output", "conv2d_transpose": "Output",
          "depthwise_conv2d_transpose": "Output", "mul": "Out", "matmul": "Out", "matmul_v2": "Out"}  # fmt: skip
"""Operators that may take the addition behind them as their bias, with the slot of the result."""
REASON = "PyTorch has no counterpart, or there is no converter yet"


def convert_block(block: Block, model: Model, scope: Names) -> None:
    """Write the operators of a block as lines.

    Raises:
        Stopped: an operator cannot be converted.
    """
    biases = biases_of(block, model)
    added = {id(add) for add in biases.values()}
    for op in block.ops:
        if op.type in PASSED_BY or id(op) in added:
            continue
        add = biases.get(id(op))
        if add is None:
            call = TorchCall(op, model, scope)
        else:
            call = TorchCall(op, model, scope, add.input("Y")[0], add.output("Out")[0])
        converter = layers.linear if is_linear(op, model) else TABLE.get(op.type)
        try:
            if converter is None:
                raise Unsupported(REASON)
            converter(call)
            scope.done(op)
        except (Unsupported, EnforceNotMet) as error:
            raise Stopped(Problem(op, str(error))) from None


def is_linear(op: Operator, model: Model) -> bool:
    """Return whether a product is one of activations with a weight."""
    if op.type not in ("mul", "matmul", "matmul_v2"):
        return False
    weight = model.values.get(op.input("Y")[0])
    if weight is None or weight.ndim != 2 or op.input("X")[0] in model.values:
        return False
    rank = len(op.block.variable(op.input("X")[0]).shape)
    if op.type == "mul":
        m = int(op.attr("x_num_col_dims"))
        return int(op.attr("y_num_col_dims")) == 1 and m in (1, rank - 1)
    flip, factor = ("transpose_X", op.attr("alpha")) if op.type == "matmul" else ("trans_x", 1)
    return rank > 1 and not op.attr(flip) and factor == 1


def biases_of(block: Block, model: Model) -> dict[int, Operator]:
    """Return the additions of a vector of weights that belong to the layer before them, by the id of its operator."""
    makers = {name: op for op in block.ops for name in op.output_arg_names}
    written = Counter(name for op in block.program.all_ops() for name in op.output_arg_names)
    read = Counter(name for op in block.program.all_ops() for name in op.input_arg_names)
    found = {}
    for add in block.ops:
        if add.type != "elementwise_add" or add.input("Y")[0] not in model.values:
            continue
        x = add.input("X")[0]
        op = makers.get(x)
        if op is None or op.type not in BIASED or op.output(BIASED[op.type]) != [x] or x in model.fetches:
            continue
        if read[x] == 1 and written[x] == 1 and _fits(op, add, model):
            found[id(op)] = add
    return found


def _fits(op: Operator, add: Operator, model: Model) -> bool:
    """Return whether an addition adds a number to each channel, or column."""
    bias = model.values[add.input("Y")[0]]
    rank = len(op.block.variable(add.input("X")[0]).shape)
    axis = int(add.attr("axis"))
    axis = rank - bias.ndim if axis == -1 else axis
    if "conv" in op.type:
        weight = model.values.get(op.input("Filter")[0])
        if weight is None or op.attr("data_format") in ("NHWC", "NDHWC") or op.inputs.get("Bias"):
            return False
        groups = int(op.attr("groups"))
        count = weight.shape[1] * groups if "transpose" in op.type else weight.shape[0]
        return bias.shape == (count,) and axis == 1
    if not is_linear(op, model):
        return False
    weight = model.values[op.input("Y")[0]]
    flip = (op.type == "matmul" and op.attr("transpose_Y")) or (op.type == "matmul_v2" and op.attr("trans_y"))
    return bias.shape == (weight.shape[0 if flip else 1],) and axis == rank - 1
