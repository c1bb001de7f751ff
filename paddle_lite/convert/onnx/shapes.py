"""Shapes: reshaping, transposing, joining, splitting, slicing, repeating, padding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ops.support.slices import ends_of_axes
from .call import INT64, OnnxCall, converts

ENDLESS = np.iinfo(np.int64).max


def numbers(call: OnnxCall, attribute: str, tensor: str, several: str) -> list[str | int]:
    """Return numbers that an attribute, a tensor or a list of tensors holds, each a number or a vector of ONNX."""
    if call.has(several):
        return [call.reshape(call.int64(v, several), 1) for v in call.xs(several)]
    if call.has(tensor):
        known = call.known(tensor)
        if known is not None:
            return [int(n) for n in known.reshape(-1)]
        return [call.reshape(call.int64(call.x(tensor), tensor), -1)]
    return [int(n) for n in call.attr(attribute)]


@converts("reshape2", "reshape")
def reshape(call: OnnxCall) -> None:
    """0 keeps a size, -1 is computed."""
    shape = numbers(call, "shape", "Shape", "ShapeTensor")
    call.out(call.node("Reshape", call.x(), call.vector(shape)))


@converts("flatten2", "flatten")
def flatten(call: OnnxCall) -> None:
    """Convert the reshape to a matrix."""
    call.out(call.node("Flatten", call.x(), axis=int(call.attr("axis"))))


@converts("flatten_contiguous_range")
def flatten_range(call: OnnxCall) -> None:
    """Convert the reshape of some adjacent axes to one."""
    start, stop, rank = call.axis(call.attr("start_axis")), call.axis(call.attr("stop_axis")), call.rank()
    if stop == rank - 1:
        call.out(call.reshape(call.x(), *[0] * start, -1))
        return
    parts: list[str | int] = [*[0] * start, -1, call.dims(call.x(), stop + 1)]
    call.out(call.node("Reshape", call.x(), call.vector(parts)))


@converts("squeeze2", "squeeze")
def squeeze(call: OnnxCall) -> None:
    """Axes of one element are left out; the others stay, even if they are named."""
    axes = [call.axis(int(a)) for a in call.attr("axes")] or list(range(call.rank()))
    shape = call.shape()
    axes = [a for a in axes if shape[a] == 1]
    call.out(call.node("Squeeze", call.x(), call.ints(*axes)) if axes else call.x())


@converts("unsqueeze2", "unsqueeze")
def unsqueeze(call: OnnxCall) -> None:
    """Axes of one element are inserted, one after the other."""
    found = numbers(call, "axes", "AxesTensor", "AxesTensorList")
    call.need(all(isinstance(a, int) for a in found), "the axes are computed")
    places: list[int] = []
    for axis in (int(a) for a in found):
        at = axis + call.rank() + len(places) + 1 if axis < 0 else axis
        places = [p + (p >= at) for p in places] + [at]
    call.out(call.node("Unsqueeze", call.x(), call.ints(*sorted(places))))


@converts("transpose2", "transpose")
def transpose(call: OnnxCall) -> None:
    """Axes in another order."""
    call.out(call.transpose(call.x(), *[call.axis(int(a)) for a in call.attr("axis")]))


@converts("concat")
def concat(call: OnnxCall) -> None:
    """Convert the concatenation along an axis."""
    axis = numbers(call, "axis", "AxisTensor", "") if call.has("AxisTensor") else [int(call.attr("axis"))]
    call.need(isinstance(axis[0], int), "the axis is computed")
    call.out(call.node("Concat", *call.xs(), axis=call.axis(int(axis[0]))))


@converts("stack")
def stack(call: OnnxCall) -> None:
    """Convert the concatenation along a new axis."""
    axis = int(call.attr("axis"))
    axis = axis + call.rank() + 1 if axis < 0 else axis
    call.out(call.node("Concat", *[call.node("Unsqueeze", x, call.ints(axis)) for x in call.xs()], axis=axis), "Y")


@converts("split", "split_byref")
def split(call: OnnxCall) -> None:
    """Convert the split into parts along an axis."""
    made = call.made()
    axis = call.axis(int(call.attr("axis"))) if call.op.type == "split" else 0
    if call.has("AxisTensor"):
        known = call.known("AxisTensor")
        call.need(known is not None, "the axis is computed")
        axis = int(np.asarray(known).item())
    sections = numbers(call, "sections", "", "SectionsTensorList")
    if not sections:
        parts = call.nodes("Split", len(made), call.x(), axis=axis, num_outputs=len(made))
    else:
        if -1 in sections:
            total = call.shape()[axis]
            call.need(total >= 0 and all(isinstance(s, int) for s in sections), "the sizes of its parts are not known")
            rest = total - sum(int(s) for s in sections if s != -1)
            sections = [rest if s == -1 else s for s in sections]
        parts = call.nodes("Split", len(made), call.x(), call.vector(sections), axis=axis)
    for at, part in enumerate(parts):
        call.out(part, at=at)


@converts("unstack", "unbind")
def unstack(call: OnnxCall) -> None:
    """Convert the split into slices along an axis, without it."""
    slot = "Y" if call.op.type == "unstack" else "Out"
    axis, made = call.axis(int(call.attr("axis"))), call.made(slot)
    for at in range(len(made)):
        call.out(call.node("Gather", call.x(), call.constant(at, INT64), axis=axis), slot, at)


@converts("slice", "strided_slice")
def sliced(call: OnnxCall) -> None:
    """Convert a slice of each axis that is named; of `decrease_axis` one element, without the axis."""
    axes = [int(a) for a in call.attr("axes")]
    x, starts = call.x("Input"), numbers(call, "starts", "StartsTensor", "StartsTensorList")
    gone = [int(a) for a in call.attr("decrease_axis")]
    ends = ends_of_axes(axes, starts, numbers(call, "ends", "EndsTensor", "EndsTensorList"), gone)
    if call.variable(call.name("Input")).type == 13:
        raise call.fail("it takes elements of a LoDTensorArray")
    inputs = [x, call.vector(starts), call.vector(ends), call.ints(*axes)]
    if call.op.type == "strided_slice":
        inputs.append(call.vector(numbers(call, "strides", "StridesTensor", "StridesTensorList")))
    found = call.node("Slice", *inputs)
    if gone:
        all_gone = len(gone) == call.rank("Input")
        found = call.reshape(found, 1) if all_gone else call.node("Squeeze", found, call.ints(*gone))
    call.out(found)


@converts("shape")
def shape(call: OnnxCall) -> None:
    """Convert the shape as int32."""
    call.out(call.cast(call.dims(call.x("Input")), call.dtype_made()))


@converts("size")
def size(call: OnnxCall) -> None:
    """Convert the number of elements."""
    call.out(call.reshape(call.node("Size", call.x("Input")), 1))


@converts("expand", "tile")
def expand(call: OnnxCall) -> None:
    """Convert the repetition along each axis."""
    names = ("expand_times", "ExpandTimes", "expand_times_tensor")
    if call.op.type == "tile":
        names = ("repeat_times", "RepeatTimes", "repeat_times_tensor")
    times, x = numbers(call, *names), call.x()
    if all(isinstance(n, int) for n in times):
        missing = len(times) - call.rank()
        if missing > 0:
            x = call.node("Unsqueeze", x, call.ints(*range(missing)))
        times = [*[1] * -min(missing, 0), *times]
    call.out(call.node("Tile", x, call.vector(times)))


@converts("expand_v2", "expand_as_v2")
def expand_to(call: OnnxCall) -> None:
    """Broadcast to a shape; -1 keeps a size."""
    if call.op.type == "expand_as_v2":
        shape: list[str | int] = (
            [call.dims(call.x("Y"))] if call.has("Y") else [int(n) for n in call.attr("target_shape")]
        )
    else:
        shape = numbers(call, "shape", "Shape", "expand_shapes_tensor")
    shape = [1 if n == -1 else n for n in shape]  # ONNX broadcasts both ways, so 1 keeps a size
    call.out(call.node("Expand", call.x(), call.vector(shape)))


@converts("expand_as")
def expand_as(call: OnnxCall) -> None:
    """Convert the repetition to the shape of another array."""
    times = call.node("Div", call.dims(call.x("target_tensor")), call.dims(call.x()))
    call.out(call.node("Tile", call.x(), times))


@converts("reverse", "flip")
def reverse(call: OnnxCall) -> None:
    """Axes backwards."""
    given = call.attr("axis" if call.op.type == "reverse" else "dims")
    axes = [call.axis(int(a)) for a in (given if isinstance(given, (list, tuple)) else [given])]
    axes = list(dict.fromkeys(axes))
    count = len(axes)
    ends = call.ints(*[-ENDLESS] * count)
    call.out(call.node("Slice", call.x(), call.ints(*[-1] * count), ends, call.ints(*axes), call.ints(*[-1] * count)))


@converts("roll")
def roll(call: OnnxCall) -> None:
    """Convert the move along axes, around the ends."""
    shifts, axes, x = call.attr("shifts"), [call.axis(int(a)) for a in call.attr("dims")], call.x()
    flat = not axes
    if flat:
        x, axes = call.reshape(x, -1), [0]
    shape = call.shape()
    for shift, axis in zip(shifts, axes, strict=True):
        total = int(np.prod(shape)) if flat else shape[axis]
        at = shift % total if total > 0 else shift
        parts = [
            call.node("Slice", x, call.ints(a), call.ints(b), call.ints(axis)) for a, b in ((-at, ENDLESS), (0, -at))
        ]
        x = call.node("Concat", *parts, axis=axis) if at else x
    call.out(call.node("Reshape", x, call.dims(call.x())) if flat else x)


# --- padding ----------------------------------------------------------------------------------------------------------


def padded(
    call: OnnxCall, pairs: Sequence[tuple[int, int]], value: float, mode: str = "constant", slot: str = "X"
) -> str:
    """Return an input with points before and after along each axis."""
    amounts = call.ints(*[p for p, _ in pairs], *[p for _, p in pairs])
    inputs = [call.x(slot), amounts] + ([call.like(value, slot)] if mode == "constant" else [])
    return call.node("Pad", *inputs, mode=mode)


@converts("pad")
def pad(call: OnnxCall) -> None:
    """Convert the padding with a constant."""
    given = [int(p) for p in call.attr("paddings")]
    call.out(padded(call, list(zip(given[::2], given[1::2], strict=True)), call.attr("pad_value")))


@converts("pad2d", "pad3d")
def pad_image(call: OnnxCall) -> None:
    """Convert the padding of images and volumes: with a constant, mirrored, or with the edge."""
    given = numbers(call, "paddings", "Paddings", "")
    call.need(all(isinstance(p, int) for p in given), "the paddings are computed")
    flat = [int(p) for p in given]
    pairs = list(zip(flat[::2], flat[1::2], strict=True))
    if call.op.type == "pad3d":
        pairs = pairs[::-1]  # the last axis comes first there
    last = call.attr("data_format") in ("NHWC", "NDHWC")
    every = [(0, 0), *pairs, (0, 0)] if last else [(0, 0), (0, 0), *pairs]
    mode = {"replicate": "edge", "circular": "wrap"}.get(call.attr("mode"), call.attr("mode"))
    call.need(mode != "wrap", "its mode is circular")
    call.out(padded(call, every, call.attr("pad_value" if call.op.type == "pad2d" else "value"), mode))


@converts("pad_constant_like")
def pad_like(call: OnnxCall) -> None:
    """Y, filled up behind to the shape of X."""
    rest = call.node("Sub", call.dims(call.x("X")), call.dims(call.x("Y")))
    amounts = call.node("Concat", call.ints(*[0] * call.rank("Y")), rest, axis=0)
    call.out(call.node("Pad", call.x("Y"), amounts, call.like(call.attr("pad_value"), "Y")))


@converts("crop", "crop_tensor")
def crop(call: OnnxCall) -> None:
    """Convert a slice of a given shape, from given offsets on."""
    tensors = call.op.type == "crop_tensor"
    offsets = numbers(call, "offsets", "Offsets", "OffsetsTensor" if tensors else "")
    if not tensors and call.has("Y"):
        shape: list[str | int] = [call.dims(call.x("Y"))]
    else:
        shape = numbers(call, "shape", "Shape" if tensors else "", "ShapeTensor" if tensors else "")
    if -1 in shape:
        size = call.dims(call.x())
        call.need(len(shape) == call.rank(), "its shape is computed in part")
        at = [call.node("Slice", size, call.ints(i), call.ints(i + 1)) for i in range(len(shape))]
        shape = [at[i] if n == -1 else n for i, n in enumerate(shape)]
    starts = call.vector(offsets) if offsets else call.ints(*[0] * call.rank())
    call.out(call.node("Slice", call.x(), starts, call.node("Add", starts, call.vector(shape))))
