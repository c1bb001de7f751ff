"""Operators of 1.8.5 that PaddlePaddle 3 has under another name, or with more attributes."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from ..static.program.operator import Operator
from ..static.program.program import Program

RENAMED = {
    "bicubic_interp": "bicubic_interp_v2", "bilinear_interp": "bilinear_interp_v2", "expand": "tile",
    "fill_zeros_like": "fill_any_like", "minus": "elementwise_sub", "nearest_interp": "nearest_interp_v2",
    "roi_align_half_pixel": "roi_align", "grid_sampler_of_mode": "grid_sampler",
    "reshape": "reshape2", "squeeze": "squeeze2", "top_k": "top_k_v2", "transpose": "transpose2",
    "trilinear_interp": "trilinear_interp_v2", "unsqueeze": "unsqueeze2",
}  # fmt: skip
SLOTS = {"expand": {"ExpandTimes": "RepeatTimes", "expand_times_tensor": "repeat_times_tensor"}}
ATTRIBUTES = {"expand": {"expand_times": "repeat_times"}, "flip": {"dims": "axis"}}
"""Slots and attributes that have another name there."""
ADDED: Mapping[str, Mapping[str, Any]] = {
    "conv2d_transpose": {"output_padding": [0, 0]}, "conv3d_transpose": {"output_padding": [0, 0, 0]},
    "depthwise_conv2d_transpose": {"output_padding": [0, 0]},
    "grid_sampler": {"mode": "bilinear", "padding_mode": "zeros", "align_corners": True},
    "pixel_shuffle": {"data_format": "NCHW"}, "prelu": {"data_format": "NCHW"}, "round": {"decimals": 0},
    "temporal_shift": {"data_format": "NCHW"}, "thresholded_relu": {"value": 0.0},
    "top_k": {"axis": -1, "largest": True, "sorted": True}, "fill_zeros_like": {"value": 0.0, "dtype": -1},
    "yolo_box": {"iou_aware": False, "iou_aware_factor": 0.5},
}  # fmt: skip
"""Attributes that came later, with the value that 1.8.5 means."""


def modern(program: Program) -> Program:
    """Return a copy of a Program with the operators that PaddlePaddle 3 has in the place of older ones."""
    made = Program.parse_from_string(program.desc.serialize_to_string())
    for op in made.all_ops():
        _renew(op)
    return made


def _renew(op: Operator) -> None:
    """Change an operator to the one that stands for it in PaddlePaddle 3."""
    old = op.type
    if old in ("flatten", "flatten2"):
        _reshaped(op)
    for name, value in ADDED.get(old, {}).items():
        op.attrs.setdefault(name, value)
    for name, new in ATTRIBUTES.get(old, {}).items():
        op.attrs[new] = op.attr(name)
        op.attrs.pop(name, None)
    for name, new in SLOTS.get(old, {}).items():
        if name in op.inputs:
            op.inputs[new] = op.inputs.pop(name)
    if old.endswith("_interp"):
        scale = float(op.attr("scale"))
        rank = len(op.block.variable(op.input("X")[0]).shape) - 2
        op.attrs = {name: op.attr(name) for name in ("data_layout", "out_d", "out_h", "out_w", "interp_method",
                                                     "align_corners", "align_mode")}  # fmt: skip
        op.attrs["scale"] = [scale] * rank if scale > 0 else []
    if old in RENAMED:
        _retype(op, RENAMED[old])


def _reshaped(op: Operator) -> None:
    """Change a flattening to a matrix to one of a range of axes, or to a reshape."""
    axis = int(op.attr("axis"))
    tail = [int(n) for n in op.block.variable(op.input("X")[0]).shape][axis:]
    if axis == 1:
        op.attrs = {"start_axis": 1, "stop_axis": -1}
        _retype(op, "flatten_contiguous_range")
    elif axis == 0 or min(tail, default=1) > 0:
        op.attrs = {"shape": [-1, prod(tail)] if axis else [1, -1]}
        _retype(op, "reshape2")


def _retype(op: Operator, type: str) -> None:
    """Give an operator another type; an output that only gradients read gets a Variable."""
    op.type, op._definition, op.from_file = type, None, None
    if any(slot.name == "XShape" for slot in op.definition.outputs) and not op.outputs.get("XShape"):
        made = op.block.declare_var(name=f"{op.output_arg_names[0]}.xshape", dtype="float32", shape=[0])
        op.outputs["XShape"] = [made.name]
