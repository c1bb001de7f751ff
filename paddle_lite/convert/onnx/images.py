"""Images as wholes: interpolation, channels, patches, grids, anchors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.support.interpolation_points import interpolation_taps
from .call import INT64, OnnxCall, converts
from .windows import along, channels_back, channels_first

INTERPOLATIONS = [
    f"{kind}_interp{version}" for kind in ("nearest", "bilinear", "bicubic", "trilinear") for version in ("", "_v2")
]


@converts(*INTERPOLATIONS, "linear_interp_v2")
def interpolate(call: OnnxCall) -> None:
    """Convert the interpolation of images to another size."""
    x, size, last = channels_first(call, "X")
    dims = len(size)
    method, corners = call.attr("interp_method"), bool(call.attr("align_corners"))
    attrs: dict[str, Any] = {"mode": {"nearest": "nearest", "bicubic": "cubic"}.get(method, "linear")}
    if corners:
        attrs["coordinate_transformation_mode"] = "align_corners"
    elif method == "nearest" or (method != "bicubic" and int(call.attr("align_mode")) == 1):
        attrs["coordinate_transformation_mode"] = "asymmetric"
    else:
        attrs["coordinate_transformation_mode"] = "half_pixel"
    if method == "nearest":
        attrs["nearest_mode"] = "round_prefer_ceil" if corners else "floor"
    elif method == "bicubic":
        attrs["cubic_coeff_a"] = -0.75
    out = [int(n) for n in (call.shape_made()[1:-1] if last else call.shape_made()[2:])]
    if (inexact(call, size, out) or call.dtype() != np.float32) and min(*size, *out) > 0:
        factors = scales_of(call, dims) if call.op.type.endswith("_v2") else []
        for at, (n, m) in enumerate(zip(size, out, strict=True)):
            taps = np.zeros((n, m))
            kind = "linear" if method in ("bilinear", "trilinear") else method
            step = factors[at] if factors else 0.0
            for indices, weights in interpolation_taps(
                np, n, m, np.float64, kind, corners, int(call.attr("align_mode")), step
            ):
                np.add.at(taps, (indices, np.arange(m)), 1.0 if weights is None else weights)
            x = along(call, x, at + 2, taps, dims + 2) if n != m else x
        call.out(channels_back(call, x, last, dims))
        return
    call.need(not inexact(call, size, out), "the size of the image is not known")
    sizes = call.node("Concat", call.dims(x, 0, 2), wanted(call, x, dims), axis=0)
    y = call.node("Resize", x, "", "", sizes, **attrs)
    call.out(channels_back(call, y, last, dims))


def inexact(call: OnnxCall, size: Sequence[int], out: Sequence[int]) -> bool:
    """Return whether ONNX's Resize would take other points: one point of several, cubic, scales apart from the sizes."""
    if 1 in out or call.attr("interp_method") == "bicubic":
        return True
    if not call.op.type.endswith("_v2") or call.attr("align_corners"):
        return False
    factors = scales_of(call, len(size))
    asked = call.has("OutSize") or call.has("Scale")
    return bool(factors) and (asked or any(f != int(f) for f in factors))


def scales_of(call: OnnxCall, dims: int) -> list[float]:
    """Return the factors in the attributes, one for each dimension; [] for none."""
    given = call.attr("scale")
    numbers = [float(s) for s in (given if isinstance(given, (list, tuple)) else [given])]
    if not numbers or min(numbers) <= 0:
        return []
    return numbers * dims if len(numbers) == 1 else numbers


def wanted(call: OnnxCall, x: str, dims: int) -> str:
    """Return the size of the result, a vector: what is strongest of a list of tensors, a tensor, a scale, the attributes."""
    if call.has("SizeTensor"):
        return call.vector([call.reshape(call.int64(v, "SizeTensor"), 1) for v in call.xs("SizeTensor")])
    if call.has("OutSize"):
        return call.reshape(call.int64(call.x("OutSize"), "OutSize"), -1)
    if call.has("Scale"):
        factors = call.reshape(call.cast(call.x("Scale"), np.float32), -1)
    else:
        numbers = scales_of(call, dims)
        if not numbers:
            return call.ints(*[int(call.attr(f"out_{axis}")) for axis in "dhw"[3 - dims :]])
        factors = call.constant(numbers, np.float32)
    return call.cast(call.node("Mul", call.cast(call.dims(x, 2), np.float32), factors), INT64)


@converts("pixel_shuffle")
def pixel_shuffle(call: OnnxCall) -> None:
    """Convert the move of channels to a larger image."""
    x, _size, last = channels_first(call, "X")
    y = call.node("DepthToSpace", x, blocksize=int(call.attr("upscale_factor")), mode="CRD")
    call.out(channels_back(call, y, last, 2))


@converts("shuffle_channel")
def shuffle_channel(call: OnnxCall) -> None:
    """Convert the shuffle of channels: one of each group in turn."""
    groups, shape, x = int(call.attr("group")), call.shape(), call.x()
    call.need(shape[1] > 0, "the number of channels is not known")
    split = call.node("Reshape", x, call.vector([0, groups, shape[1] // groups, call.dims(x, 2)]))
    turned = call.transpose(split, 0, 2, 1, 3, 4)
    call.out(call.node("Reshape", turned, call.dims(x)))


@converts("space_to_depth")
def space_to_depth(call: OnnxCall) -> None:
    """Convert the move of blocks to channels, in the order that 1.8.5 has."""
    size, shape, x = int(call.attr("blocksize")), call.shape(), call.x()
    call.need(all(n > 0 for n in shape[1:]), "the size of the image is not known")
    _, c, h, w = shape
    call.need(c % (size * size) == 0, "its channels are no multiple of the block")
    parts = call.node("Reshape", x, call.ints(-1, size, size, c // (size * size), h, w))
    parts = call.transpose(parts, 0, 3, 4, 1, 5, 2)
    call.out(call.node("Reshape", parts, call.ints(-1, c * size * size, h // size, w // size)))


@converts("temporal_shift")
def temporal_shift(call: OnnxCall) -> None:
    """Convert the shift of a part of the channels from the segment before, and of another part from the one behind."""
    shape, x, segments = call.shape(), call.x(), int(call.attr("seg_num"))
    call.need(all(n > 0 for n in shape[1:]), "the size of the image is not known")
    first = int(shape[1] * np.float32(call.attr("shift_ratio")))
    second = int(shape[1] * 2 * np.float32(call.attr("shift_ratio")))
    split = call.node("Reshape", x, call.ints(-1, segments, *shape[1:]))
    wide = call.node("Pad", split, call.ints(0, 1, 0, 0, 0, 0, 1, 0, 0, 0), call.like(0.0))
    parts = []
    for start, a, b in ((0, 0, first), (2, first, second), (1, second, shape[1])):
        if a < b:
            corner, end = call.ints(start, a), call.ints(start + segments, b)
            parts.append(call.node("Slice", wide, corner, end, call.ints(1, 2)))
    call.out(call.node("Reshape", call.node("Concat", *parts, axis=2), call.dims(x)))


@converts("grid_sampler")
def grid_sampler(call: OnnxCall) -> None:
    """Convert the interpolation of an image at given points, zeros outside."""
    mode = call.attr("mode") if call.op.has_attr("mode") else "bilinear"
    padding = call.attr("padding_mode") if call.op.has_attr("padding_mode") else "zeros"
    corners = call.attr("align_corners") if call.op.has_attr("align_corners") else True
    attrs: dict[str, Any] = {"mode": mode, "padding_mode": padding, "align_corners": int(corners)}
    call.out(call.node("GridSample", call.x(), call.x("Grid"), **attrs), "Output")


@converts("prior_box", "density_prior_box", "anchor_generator")
def anchors(call: OnnxCall) -> None:
    """Convert boxes that depend on sizes only to constants where these are known."""
    from ...ops.framework.registry import get

    slots = ["Input", "Image"] if call.has("Image") else ["Input"]
    shapes = [call.shape(slot) for slot in slots]
    call.need(all(n > 0 for s in shapes for n in s[2:]), "the size of the image is not known")
    arrays = [np.zeros([1, *[max(n, 1) for n in s[1:]]], call.dtype("Input")) for s in shapes]
    found = get(call.op.type).reference(np, *arrays, **call.op.live_attrs())
    for slot, array in zip((call.op.output_names), found, strict=False):
        call.out(call.constant(np.asarray(array), call.dtype_made(slot)), slot)


@converts("yolo_box")
def yolo_box(call: OnnxCall) -> None:
    """Convert the boxes and scores of a grid of predictions."""
    shape, x = call.shape(), call.x()
    call.need(all(n > 0 for n in shape[1:]), "the size of the grid is not known")
    sizes = [int(a) for a in call.attr("anchors")]
    count, classes, (h, w) = len(sizes) // 2, int(call.attr("class_num")), shape[2:]
    grid = call.transpose(call.node("Reshape", x, call.ints(-1, count, 5 + classes, h, w)), 0, 1, 3, 4, 2)
    part = call.nodes("Split", 4, grid, call.ints(2, 2, 1, classes), axis=4)
    scale = float(np.float32(call.attr("scale_x_y")))
    places = np.stack(np.meshgrid(np.arange(w), np.arange(h)), -1).astype(np.float32)
    down, dtype = int(call.attr("downsample_ratio")), call.dtype()
    centre = call.node("Mul", call.node("Sigmoid", part[0]), call.like(scale))
    centre = call.node("Add", centre, call.constant(places - 0.5 * (scale - 1), dtype))
    centre = call.node("Div", centre, call.constant([w, h], dtype))
    box = np.asarray(sizes, np.float32).reshape(1, count, 1, 1, 2) / np.asarray([down * w, down * h], np.float32)
    extent = call.node("Mul", call.node("Exp", part[1]), call.constant(box, dtype))
    image = call.cast(call.node("Reshape", call.x("ImgSize"), call.ints(-1, 1, 1, 1, 2)), dtype)
    image = call.node("Gather", image, call.ints(1, 0), axis=4)  # width, height
    half = call.node("Mul", extent, call.like(0.5))
    low, high = (call.node("Mul", call.node(type, centre, half), image) for type in ("Sub", "Add"))
    if call.attr("clip_bbox"):
        low = call.node("Max", low, call.like(0.0))
        high = call.node("Min", high, call.node("Sub", image, call.like(1.0)))
    confidence = call.node("Sigmoid", part[2])
    kept = call.cast(call.node("GreaterOrEqual", confidence, call.like(call.attr("conf_thresh"))), dtype)
    boxes = call.node("Mul", call.node("Concat", low, high, axis=4), kept)
    scores = call.node("Mul", call.node("Mul", call.node("Sigmoid", part[3]), confidence), kept)
    call.out(call.node("Reshape", boxes, call.ints(0, count * h * w, 4)), "Boxes")
    call.out(call.node("Reshape", scores, call.ints(0, count * h * w, classes)), "Scores")
