"""Convolutions and pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.support.window_sizes import pooling_sizes, resolve_paddings, transposed_sizes, window_count
from .call import OnnxCall, converts

LOWEST = -3.4028234663852886e38  # the maximum of a window in the padding
Pairs = Sequence[tuple[int, int]]


def channels_first(call: OnnxCall, slot: str) -> tuple[str, tuple[int, ...], bool]:
    """Return (an image with its channels on axis 1, its size, whether they were last)."""
    x, shape = call.x(slot), call.shape(slot)
    layout = next((call.attr(name) for name in ("data_format", "data_layout") if call.op.has_attr(name)), "NCHW")
    last = layout in ("NHWC", "NDHWC")
    if not last:
        return x, shape[2:], False
    return call.transpose(x, 0, len(shape) - 1, *range(1, len(shape) - 1)), shape[1:-1], True


def channels_back(call: OnnxCall, value: str, last: bool, dims: int) -> str:
    """Return an image with its channels where they were."""
    return call.transpose(value, 0, *range(2, dims + 2), 1) if last else value


def onnx_pads(pairs: Pairs) -> list[int]:
    """Return paddings in ONNX's order: all that are before, then all that are behind."""
    return [before for before, _ in pairs] + [after for _, after in pairs]


def _ints(call: OnnxCall, name: str) -> list[int]:
    return [int(n) for n in call.attr(name)]


def _known_unless_explicit(call: OnnxCall, size: Sequence[int]) -> None:
    if call.attr("padding_algorithm") == "SAME":
        call.need(all(n > 0 for n in size), "padding_algorithm is SAME and the size of the image is not known")


def activated(call: OnnxCall, value: str) -> str:
    """Return what the attributes of a fused operator make of its result."""
    if call.op.has_attr("fuse_activation") and call.attr("fuse_activation"):
        call.need(call.attr("fuse_activation") == "relu", f"it applies {call.attr('fuse_activation')!r}")
        return call.node("Relu", value)
    return call.node("Relu", value) if call.op.has_attr("fuse_relu") and call.attr("fuse_relu") else value


@converts("conv2d", "depthwise_conv2d", "conv3d")
def conv(call: OnnxCall) -> None:
    """Convert a convolution."""
    x, size, last = channels_first(call, "Input")
    window = call.shape("Filter")[2:]
    _known_unless_explicit(call, size)
    pads, dilations = resolve_paddings(
        size,
        window,
        _ints(call, "strides"),
        _ints(call, "paddings"),
        call.attr("padding_algorithm"),
        _ints(call, "dilations"),
    )
    call.need(min(onnx_pads(pads)) >= 0, "a padding is negative")
    attrs: dict[str, Any] = {"strides": _ints(call, "strides"), "dilations": dilations, "pads": onnx_pads(pads)}
    inputs = [x, call.x("Filter")] + ([call.reshape(call.x("Bias"), -1)] if call.has("Bias") else [])
    y = call.node("Conv", *inputs, kernel_shape=list(window), group=int(call.attr("groups")), **attrs)
    y = channels_back(call, y, last, len(window))
    if call.has("ResidualData"):
        y = call.node("Add", y, call.x("ResidualData"))
    call.out(activated(call, y), "Output")


@converts("conv2d_transpose", "depthwise_conv2d_transpose", "conv3d_transpose")
def conv_transpose(call: OnnxCall) -> None:
    """Convert a transposed convolution."""
    x, size, last = channels_first(call, "Input")
    window, strides = call.shape("Filter")[2:], _ints(call, "strides")
    algorithm, asked = call.attr("padding_algorithm"), _ints(call, "output_size")
    if algorithm == "SAME" or asked:
        call.need(all(n > 0 for n in size), "the size of the image is not known")
    pads, dilations, least = transposed_sizes(
        size, window, strides, _ints(call, "paddings"), algorithm, _ints(call, "dilations")
    )
    more = [want - small for want, small in zip(asked, least, strict=True)] if asked else [0] * len(window)
    if not asked and call.op.has_attr("output_padding") and call.attr("output_padding"):
        more = _ints(call, "output_padding")
    inside = [max(0, min(m, s - 1)) for m, s in zip(more, strides, strict=True)]
    call.need(inside == more, "the output has points that no window reaches")
    inputs = [x, call.x("Filter")] + ([call.reshape(call.x("Bias"), -1)] if call.has("Bias") else [])
    attrs: dict[str, Any] = {"strides": strides, "dilations": dilations, "pads": onnx_pads(pads)}
    attrs["output_padding"] = more if any(more) else None
    y = call.node("ConvTranspose", *inputs, kernel_shape=list(window), group=int(call.attr("groups")), **attrs)
    call.out(activated(call, channels_back(call, y, last, len(window))), "Output")


# --- pooling ----------------------------------------------------------------------------------------------------------


@converts("pool2d", "pool3d")
def pool(call: OnnxCall) -> None:
    """Convert maxima or averages of windows."""
    x, size, last = channels_first(call, "X")
    dims, biggest = len(size), call.attr("pooling_type") == "max"
    ksize = _ints(call, "ksize")
    if call.attr("global_pooling") or (call.attr("adaptive") and set(ksize) == {1}):
        y = call.node("GlobalMaxPool" if biggest else "GlobalAveragePool", x)
    elif call.attr("adaptive"):
        call.need(all(n > 0 for n in size), "it is adaptive and the size of the image is not known")
        y = adaptive(call, x, size, ksize, biggest)
    else:
        y = strided(call, x, size, ksize, biggest)
    call.out(channels_back(call, y, last, dims))


def strided(call: OnnxCall, x: str, size: Sequence[int], ksize: list[int], biggest: bool) -> str:
    """Return the pooling by windows of one size.

    Windows that reach beyond the padding, as ceil_mode makes them, get explicit padding, for ONNX's versions differ in that.
    """
    strides, ceil = _ints(call, "strides"), bool(call.attr("ceil_mode"))
    _known_unless_explicit(call, size)
    algorithm, given = call.attr("padding_algorithm"), _ints(call, "paddings")
    pads, _ = resolve_paddings(size, ksize, strides, given, algorithm)
    attrs: dict[str, Any] = {"kernel_shape": ksize, "strides": strides}
    if ceil and all(n > 0 for n in size):
        _, pads, out = pooling_sizes(tuple(size), ksize, False, strides, given, False, True, algorithm)
        ends = [(o - 1) * s + k - n for o, s, k, n in zip(out, strides, ksize, size, strict=True)]
        pads, ceil = [(before, end - before) for (before, _), end in zip(pads, ends, strict=True)], False
    attrs["ceil_mode"] = int(ceil)
    call.need(min(onnx_pads(pads)) >= 0, "a padding is negative")
    exclusive = bool(call.attr("exclusive"))
    wide = any(p >= k for pair, k in zip(pads, ksize, strict=True) for p in pair)
    if not biggest and exclusive:
        call.need(not wide, "a padding is as large as the window")
        return call.node("AveragePool", x, pads=onnx_pads(pads), count_include_pad=0, **attrs)
    if any(onnx_pads(pads)) and (wide or not biggest):
        value = call.like(LOWEST if biggest else 0.0)
        every = [(0, 0), (0, 0), *pads]
        x, pads = call.node("Pad", x, call.ints(*onnx_pads(every)), value), [(0, 0)] * len(ksize)
    return call.node("MaxPool" if biggest else "AveragePool", x, pads=onnx_pads(pads), **attrs)


def adaptive(call: OnnxCall, x: str, size: Sequence[int], out: list[int], biggest: bool) -> str:
    """Return a pooling to a given size: by equal windows, or axis by axis where their sizes differ."""
    if all(n % o == 0 for n, o in zip(size, out, strict=True)):
        window = [n // o for n, o in zip(size, out, strict=True)]
        return call.node("MaxPool" if biggest else "AveragePool", x, kernel_shape=window, strides=window)
    for axis, (n, o) in enumerate(zip(size, out, strict=True), 2):
        spans = [(i * n // o, -(-(i + 1) * n // o)) for i in range(o)]
        if biggest:
            parts = [call.node("Slice", x, call.ints(a), call.ints(b), call.ints(axis)) for a, b in spans]
            parts = [call.node("ReduceMax", part, call.ints(axis), keepdims=1) for part in parts]
            x = call.node("Concat", *parts, axis=axis)
        else:
            weights = np.zeros((n, o))
            for i, (a, b) in enumerate(spans):
                weights[a:b, i] = 1 / (b - a)
            x = along(call, x, axis, weights, len(size) + 2)
    return x


def along(call: OnnxCall, x: str, axis: int, weights: np.ndarray, rank: int) -> str:
    """Return the product of one axis with a matrix."""
    order = [*[a for a in range(rank) if a != axis], axis]
    moved = call.node("MatMul", call.transpose(x, *order), call.constant(weights, call.dtype()))
    return call.transpose(moved, *[order.index(a) for a in range(rank)])


@converts("max_pool2d_with_index", "max_pool3d_with_index")
def pool_with_index(call: OnnxCall) -> None:
    """Convert maxima and their places in the image."""
    size, ksize, x = call.shape()[2:], _ints(call, "ksize"), call.x()
    window, strides, pads = ksize, _ints(call, "strides"), [(p, p) for p in _ints(call, "paddings")]
    if call.attr("global_pooling") or call.attr("adaptive"):
        out = [1] * len(size) if call.attr("global_pooling") else ksize
        call.need(all(n > 0 for n in size), "the size of the image is not known")
        if any(n % o for n, o in zip(size, out, strict=True)):
            call.need(not call.used("Mask"), "its windows differ in size, and the places of the maxima are read")
            call.out(adaptive(call, x, size, out, True))
            return
        window, pads = [n // o for n, o in zip(size, out, strict=True)], [(0, 0)] * len(size)
        strides = window
    y, at = call.nodes("MaxPool", 2, x, kernel_shape=window, strides=strides, pads=onnx_pads(pads))
    call.out(y)
    total = call.node("ReduceProd", call.dims(x, 2), keepdims=0)
    call.out(call.cast(call.node("Mod", at, total), np.int32), "Mask")


@converts("spp")
def pyramid(call: OnnxCall) -> None:
    """Convert the pooling to 1, 2, 4 ... windows along each side."""
    size, parts = call.shape()[2:], []
    call.need(all(n > 0 for n in size), "the size of the image is not known")
    for level in range(int(call.attr("pyramid_height"))):
        bins = 2**level
        k = [math.ceil(n / bins) for n in size]
        p = [(w * bins - n + 1) // 2 for w, n in zip(k, size, strict=True)]
        out = [window_count(n, w, w, (q, q)) for n, w, q in zip(size, k, p, strict=True)]
        call.need(out == [bins] * len(size), "its windows do not fit the image")
        type = "MaxPool" if call.attr("pooling_type") == "max" else "AveragePool"
        x = call.x()
        if any(p) and type == "MaxPool":
            every = onnx_pads([(0, 0), (0, 0), *[(q, q) for q in p]])
            x, p = call.node("Pad", x, call.ints(*every), call.like(LOWEST)), [0] * len(p)
        call.need(all(q < n for q, n in zip(p, k, strict=True)), "a padding is as large as the window")
        y = call.node(type, x, kernel_shape=k, strides=k, pads=[*p, *p])
        parts.append(call.node("Flatten", y, axis=1))
    call.out(call.node("Concat", *parts, axis=1))
