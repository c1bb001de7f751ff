"""Attributes and slots that came after PaddlePaddle 1.8.5, expressed by operators that have none of them.

Each function takes an operator of a file and returns the operators that take its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ...core.dtype import VarType
from ..program.block import Block
from ..program.operator import Operator
from . import later_regions as regions
from .between import between, shape_of

NEUTRAL: dict[Any, Any] = {
    "beta": 1.0, "threshold": 20.0, "data_format": "NCHW", "rescale_grad": 1.0, "pixel_offset": True, "use_softmax": True,
    "iou_aware_factor": 0.5, "entry": "none", "table_class": "none", "align_corners": True, ("trace", "axis2"): 1,
    ("grid_sampler", "mode"): "bilinear", ("grid_sampler", "padding_mode"): "zeros",
    "output_padding": 0, "round_type": 1,
}  # fmt: skip
"""Values of attributes added after PaddlePaddle 1.8.5 with which operators behave as in 1.8.5; by attribute name, or by
operator and attribute name. Empty values have no effect for all of them, False and 0 for those that are not here."""


AS_TEXT = frozenset({("allclose", "rtol"), ("allclose", "atol")})
"""Numbers that later versions write as text, by operator and attribute."""


def changes(type: str, name: str, value: Any) -> bool:
    """Return whether an attribute or slot that 1.8.5 does not have changes what an operator computes."""
    neutral = NEUTRAL.get((type, name), NEUTRAL.get(name))
    if neutral is None:
        return bool(value)
    return any(each not in (neutral, "") for each in (value if isinstance(value, list) else [value]))


def _without(op: Operator, name: str, **changed: Any) -> Operator:
    """Return an operator without an attribute, with other values of some."""
    attrs = {**{key: value for key, value in op.attrs.items() if key != name}, **changed}
    return Operator(op.block, op.type, dict(op.inputs), dict(op.outputs), attrs)


def _transposed(block: Block, x: str, order: Sequence[int], out: str) -> Operator:
    shape = between(block, x, [0, *shape_of(block, x)])
    return Operator(block, "transpose2", {"X": [x]}, {"Out": [out], "XShape": [shape]}, {"axis": list(order)})


def _gather(op: Operator) -> list[Operator]:
    """Gather along another axis than the first: with that axis in front."""
    block, [x], [out], [index] = op.block, op.inputs["X"], op.outputs["Out"], op.inputs["Index"]
    shape = shape_of(block, x)
    axis = int(op.attrs["axis"]) % len(shape)
    order = [axis, *(i for i in range(len(shape)) if i != axis)]
    front = between(block, x, [shape[i] for i in order])
    taken = between(block, x, [*shape_of(block, index)[:1], *(shape[i] for i in order[1:])])
    first = _transposed(block, x, order, front)
    gather = _without(op, "axis")
    gather.inputs, gather.outputs = {"X": [front], "Index": [index]}, {"Out": [taken]}
    back = [order.index(i) for i in range(len(shape))]
    return [first, gather, _transposed(block, taken, back, out)]


def _flattened(op: Operator) -> list[Operator]:
    """Work on all elements in one row."""
    block, [x] = op.block, op.inputs["X"]
    flat, shape = between(block, x, [-1]), between(block, x, [0, *shape_of(block, x)])
    reshape = Operator(block, "reshape2", {"X": [x]}, {"Out": [flat], "XShape": [shape]}, {"shape": [-1]})
    rest = _without(op, "flatten", axis=0)
    rest.inputs["X"] = [flat]
    return [reshape, rest]


def _dims(op: Operator) -> list[Operator]:
    """Take the axes by the name that the attribute had."""
    return [_without(op, "axis", dims=[int(axis) for axis in op.attrs["axis"]])]


def _output_padding(op: Operator) -> list[Operator]:
    """Cut less off the end of each dimension; beyond what can be cut off there are zeros."""
    block, [out] = op.block, op.outputs["Output"]
    more, given = [int(n) for n in op.attrs["output_padding"]], [int(n) for n in op.attrs["paddings"]]
    pads = given if len(given) == 2 * len(more) else [n for n in given for _ in range(2)]
    beyond = [max(n - pads[2 * i + 1], 0) for i, n in enumerate(more)]
    pads = [n if i % 2 == 0 else max(n - more[i // 2], 0) for i, n in enumerate(pads)]
    rest = _without(op, "output_padding", paddings=pads)
    if not any(beyond):
        return [rest]
    rest.outputs = {**op.outputs, "Output": [between(block, out)]}
    last = str(op.attrs.get("data_format", "NCHW")).endswith("C")
    around = (
        [0, 0, *(n for each in beyond for n in (0, each)), 0, 0]
        if last
        else [0, 0, 0, 0, *(n for b in beyond for n in (0, b))]
    )
    pad = Operator(block, "pad", {"X": rest.outputs["Output"]}, {"Out": [out]}, {"paddings": around, "pad_value": 0.0})
    return [rest, pad]


def _by(type: str) -> Callable[[Operator], list[Operator]]:
    """Return a function that gives an operator's inputs, outputs and attributes to one of another type, which knows all of them."""

    def expressed(op: Operator) -> list[Operator]:
        return [Operator(op.block, type, dict(op.inputs), dict(op.outputs), dict(op.attrs))]

    return expressed


def _steeper(op: Operator) -> list[Operator]:
    """Multiply before softplus, and divide behind it. Above a threshold of 15 softplus is X, but for less than a last bit."""
    if op.attrs.get("threshold", 20.0) < 15:
        return _by("softplus_to_threshold")(op)
    beta, rest = float(op.attrs.get("beta", 1.0)), _without(_without(op, "beta"), "threshold")
    if beta == 1.0:
        return [rest]
    block, [x], [out] = op.block, op.inputs["X"], op.outputs["Out"]
    multiplied, soft = between(block, x), between(block, x)
    rest.inputs, rest.outputs = {"X": [multiplied]}, {"Out": [soft]}
    before = Operator(block, "scale", {"X": [x]}, {"Out": [multiplied]}, {"scale": beta})
    return [before, rest, Operator(block, "scale", {"X": [soft]}, {"Out": [out]}, {"scale": 1 / beta})]


def _edges_inside(op: Operator) -> list[Operator]:
    """Place the outermost points half a pixel inside of -1 and 1: the grid of a map that shrinks by that much."""
    block, [theta], [height, width] = op.block, op.inputs["Theta"], op.attrs["output_shape"][2:]
    shares, inner = between(block, theta, [3]), between(block, theta)
    values = {
        "shape": [3],
        "dtype": int(VarType.FP32),
        "fp32_values": [(width - 1) / width, (height - 1) / height, 1.0],
    }
    rest = _without(op, "align_corners")
    rest.inputs["Theta"] = [inner]
    return [
        Operator(block, "assign_value", {}, {"Out": [shares]}, values),
        Operator(block, "elementwise_mul", {"X": [theta], "Y": [shares]}, {"Out": [inner]}, {}),
        rest,
    ]


def _sizes_are_known(op: Operator) -> bool:
    """Return whether an affine grid has a size that is no input, and is of float32."""
    variable = op.block.find(op.inputs["Theta"][0])
    known = len(op.attrs.get("output_shape", ())) == 4 and min(op.attrs["output_shape"][2:]) > 0
    return known and variable is not None and variable.dtype == VarType.FP32


def _resizes(op: Operator) -> bool:
    """Return whether an operator of later versions, which always have a mode, samples to another size than that of its image."""
    x, grid = (shape_of(op.block, op.inputs[slot][0]) for slot in ("X", "Grid"))
    return "mode" in op.attrs and (x[2:4] != grid[1:3] or -1 in (*x[2:4], *grid[1:3]))


def _between_floats(op: Operator) -> list[Operator]:
    """Compute in the dtype of the bounds, and convert the numbers to the dtype that was asked for."""
    [start], [out] = op.inputs["Start"], op.outputs["Out"]
    rest, known, dtype = _without(op, "dtype"), op.block.find(start), VarType(op.attrs["dtype"])
    if known is not None and known.dtype == dtype:
        return [rest]
    rest.outputs = {"Out": [between(op.block, start, shape_of(op.block, out))]}
    return [rest, _cast(op.block, rest.outputs["Out"][0], out, dtype)]


def _cast(block: Block, x: str, out: str, dtype: VarType) -> Operator:
    known = block.find(x)
    attrs = {"in_dtype": int(dtype if known is None else known.dtype), "out_dtype": int(dtype)}
    return Operator(block, "cast", {"X": [x]}, {"Out": [out]}, attrs)


def _of_floats(op: Operator) -> bool:
    """Return whether an operator makes floats from floats."""
    dtypes = {slot: op.block.find(names[0]) for slot, names in op.inputs.items() if slot in ("Start", "Stop")}
    floats = (VarType.FP32, VarType.FP64)
    return op.attrs["dtype"] in floats and all(v is not None and v.dtype in floats for v in dtypes.values())


def _splits(op: Operator) -> bool:
    """Return whether an operator can cut off its result by attributes alone."""
    return op.attrs.get("padding_algorithm", "EXPLICIT") == "EXPLICIT" and not op.attrs.get("output_size")


LATER: dict[tuple[str, str], tuple[Callable[[Operator], list[Operator]], Callable[[Operator], bool]]] = {
    ("gather", "axis"): (
        _gather,
        lambda op: not op.inputs.get("Axis") and len(shape_of(op.block, op.inputs["X"][0])) > 0,
    ),
    ("arg_max", "flatten"): (_flattened, lambda op: not op.attrs.get("keepdims")),
    ("arg_min", "flatten"): (_flattened, lambda op: not op.attrs.get("keepdims")),
    ("cumsum", "flatten"): (_flattened, lambda op: True),
    ("flip", "axis"): (_dims, lambda op: True),
    ("roll", "axis"): (_dims, lambda op: not op.inputs.get("ShiftsTensor")),
    ("conv2d_transpose", "output_padding"): (_output_padding, _splits),
    ("depthwise_conv2d_transpose", "output_padding"): (_output_padding, _splits),
    ("conv3d_transpose", "output_padding"): (_output_padding, _splits),
    ("linspace", "dtype"): (_between_floats, _of_floats),
    ("softplus", "beta"): (_steeper, lambda op: True),
    ("softplus", "threshold"): (_steeper, lambda op: True),
    ("affine_grid", "align_corners"): (_edges_inside, _sizes_are_known),
    ("grid_sampler", "align_corners"): (_by("grid_sampler_of_mode"), lambda op: True),
    ("grid_sampler", "Grid"): (_by("grid_sampler_of_mode"), _resizes),
    ("grid_sampler", "mode"): (_by("grid_sampler_of_mode"), lambda op: True),
    ("grid_sampler", "padding_mode"): (_by("grid_sampler_of_mode"), lambda op: True),
    ("roi_pool", "RoisNum"): (regions.pooled, lambda op: True),
    ("psroi_pool", "RoisNum"): (regions.pooled, lambda op: True),
    ("matrix_nms", "RoisNum"): (regions.chosen, lambda op: True),
    ("multiclass_nms3", "Out"): (regions.chosen, lambda op: True),
    ("generate_proposals", "RpnRoisNum"): (regions.proposed, lambda op: True),
    ("distribute_fpn_proposals", "RoisNum"): (regions.distributed, lambda op: True),
    ("distribute_fpn_proposals", "pixel_offset"): (regions.distributed, lambda op: True),
    ("collect_fpn_proposals", "MultiLevelRoIsNum"): (regions.collected, lambda op: True),
    ("roi_align", "aligned"): (_by("roi_align_half_pixel"), lambda op: not op.inputs.get("RoisLod")),
    ("roi_align", "RoisNum"): (_by("roi_align_half_pixel"), lambda op: True),
}
"""(type, attribute or slot) -> the function that expresses it, and whether it can for an operator."""


def _by_bounds(op: Operator) -> list[Operator]:
    """Take the larger of X and the lower bound, then the smaller of that and the upper bound, in the dtype of X."""
    block, [x], [out] = op.block, op.inputs["X"], op.outputs["Out"]
    made, at = [], x
    for slot, name, type in (("Min", "min", "elementwise_max"), ("Max", "max", "elementwise_min")):
        [bound] = op.inputs.get(slot) or [between(block, x, [1])]
        if not op.inputs.get(slot):
            number = max(min(int(op.attrs[name]), 2**62), -(2**62))
            known = block.find(x)
            attrs = {
                "shape": [1],
                "value": float(number),
                "dtype": int(VarType.INT64 if known is None else known.dtype),
            }
            made.append(Operator(block, "fill_constant", {}, {"Out": [bound]}, attrs))
        to = out if name == "max" else between(block, x)
        made.append(Operator(block, type, {"X": [at], "Y": [bound]}, {"Out": [to]}, {"axis": -1}))
        at = to
    return made


def _largest(op: Operator) -> list[Operator]:
    """Take the largest absolute value, or the smallest for minus infinity, as the norm of that order."""
    block, [x], known = op.block, op.inputs["X"], op.attrs
    sizes = between(block, x)
    attrs = {
        "dim": [known.get("axis", -1)],
        "keep_dim": known.get("keepdim", False),
        "reduce_all": known.get("asvector", False),
    }
    type = "reduce_max" if known["porder"] > 0 else "reduce_min"
    absolute = Operator(block, "abs", {"X": [x]}, {"Out": [sizes]}, {})
    return [absolute, Operator(block, type, {"X": [sizes]}, dict(op.outputs), attrs)]


def _counted(op: Operator) -> list[Operator]:
    """Sum truth values as int64."""
    block, [x] = op.block, op.inputs["X"]
    number = between(block, x, dtype=VarType.INT64)
    rest = _without(op, "")
    rest.inputs["X"] = [number]
    return [_cast(block, x, number, VarType.INT64), rest]


def _truths(op: Operator) -> list[Operator]:
    """Convert what is no truth value, and combine by the operator on bits, whose operands are broadcast."""
    block, made, inputs = op.block, [], {}
    for slot, [name] in op.inputs.items():
        known = block.find(name)
        inputs[slot] = [name]
        if known is not None and known.dtype != VarType.BOOL:
            inputs[slot] = [between(block, name, dtype=VarType.BOOL)]
            made.append(_cast(block, name, inputs[slot][0], VarType.BOOL))
    return [*made, Operator(block, op.type.replace("logical", "bitwise"), inputs, dict(op.outputs), {})]


def _not_alike(op: Operator) -> bool:
    """Return whether the operands of an operator are no truth values, or may have several shapes.

    Files say [1] of some Variables of loops that have no dimension.
    """
    names = [name for [name] in op.inputs.values()]
    first, *others = (shape_of(op.block, name) for name in names)
    several = any(shape != first or -1 in shape or math.prod(shape) == 1 for shape in others)
    known = [op.block.find(name) for name in names]
    return several or any(variable is not None and variable.dtype != VarType.BOOL for variable in known)


def _of(*dtypes: VarType) -> Callable[[Operator], bool]:
    """Return a function that says whether X of an operator is known to have one of these dtypes."""

    def has(op: Operator) -> bool:
        known = op.block.find(op.inputs["X"][0])
        return known is not None and known.dtype in dtypes

    return has


MEANT: dict[str, tuple[int, Callable[[Operator], list[Operator]], Callable[[Operator], bool]]] = {
    "elementwise_floordiv": (2005000, _by("floor_divide"), lambda op: not _of(VarType.BOOL)(op)),
    "elementwise_mod": (2000000, _by("floor_remainder"), _of(VarType.INT32, VarType.INT64)),
    "clip": (2000000, _by_bounds, _of(VarType.INT32, VarType.INT64)),
    "p_norm": (2000000, _largest, lambda op: abs(op.attrs.get("porder", 2.0)) == float("inf")),
    "reduce_sum": (2000000, _counted, _of(VarType.BOOL)),
    **{f"logical_{word}": (2000000, _truths, _not_alike) for word in ("and", "or", "xor", "not")},
}
"""Operator -> the version from which it computes something else, the function that expresses that, and whether it does for an
operator."""


def translated(op: Operator, version: int = 0) -> list[Operator]:
    """Return operators of 1.8.5 that do what an operator of a file does; the operator itself if there are none.

    Arguments:
        version: that of the Program's file: 2006002 for 2.6.2.
    """
    if op.type in MEANT:
        since, express, can = MEANT[op.type]
        if version >= since and can(op):
            return express(op)
    for name, value in (*op.attrs.items(), *op.inputs.items(), *op.outputs.items()):
        if (op.type, name) in LATER:
            express, can = LATER[op.type, name]
            if changes(op.type, name, value) and can(op):
                return express(op)
    return [op]
