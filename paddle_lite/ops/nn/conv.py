"""Convolutions over images."""

from __future__ import annotations

import math
from functools import partial
from math import prod
from types import SimpleNamespace
from typing import Any

from ...core.errors import DtypeError, ShapeError, message
from ..framework.costs import CONVOLUTION
from ..framework.registry import get
from ..framework.spec import CUDNN, MKLDNN, Floats, Grad, Ints, OpDef, op
from ..framework.traits import Convolves
from ..math import arithmetic, elementwise
from ..support import window_sizes
from ..support.image_layout import channels_last, from_channels_first, to_channels_first
from ..support.meta import Meta
from ..support.require import require_dtype, require_shape
from ..support.windows import check_layout, check_paddings, check_steps, scatter_windows, windows, with_attributes

ATTRS: dict[str, Any] = {
    "is_test": False,
    "strides": Ints([1, 1]),
    "paddings": Ints([0, 0]),
    "padding_algorithm": "EXPLICIT",
    "groups": 1,
    "dilations": Ints([1, 1]),
    **CUDNN,
    "fuse_relu_before_depthwise_conv": False,
    **MKLDNN,
    "use_quantizer": False,
    "fuse_relu": False,
    "fuse_brelu": False,
    "fuse_brelu_threshold": 6.0,
    "fuse_activation": "",
    "fuse_alpha": 0.0,
    "fuse_beta": 0.0,
    "fuse_residual_connection": False,
    "Scale_in": 1.0,
    "Scale_out": 1.0,
    "Scale_in_eltwise": 1.0,
    "Scale_weights": Floats([1.0]),
    "force_fp32_output": False,
    "data_format": "NCHW",
    "workspace_size_MB": 512,
    "exhaustive_search": False,
}


MOST = 1 << 24
"""Elements of the columns that are made at once; larger ones only take more memory."""
PLACE = ("strides", "paddings", "padding_algorithm", "groups", "dilations", "data_format")


def infer_conv(
    type: str, x: Meta, w: Meta, *, strides, paddings, padding_algorithm, groups, dilations, data_format
) -> Meta:
    """Return the shape of a convolution's result; raise if input, filter and attributes do not fit."""
    check_operands(type, x, w, groups)
    check_steps(type, len(x.shape) - 2, strides=strides, dilations=dilations)
    check_paddings(type, len(x.shape) - 2, paddings, padding_algorithm)
    last = channels_last(data_format)
    n, c, *size = (x.shape[0], x.shape[-1], *x.shape[1:-1]) if last else x.shape
    filters, channels, *window = w.shape
    if filters >= 0 and filters % groups:
        raise ShapeError(message(type, "attribute 'groups'", groups, f"a divisor of the {filters} filters"))
    if c >= 0 and channels >= 0 and c != channels * groups:
        got = f"{c} channels (shape {list(x.shape)}, {data_format})"
        needs = f"{channels} * {groups}: channels of Filter {list(w.shape)} times groups"
        raise ShapeError(message(type, "Input(Input)", got, needs))
    out = _counts(type, size, window, strides, paddings, padding_algorithm, dilations)
    return Meta((n, *out, filters) if last else (n, filters, *out), x.dtype, x.lod_level)


def check_operands(type: str, x: Meta, w: Meta, groups: int) -> None:
    """Raise unless Input, Filter and groups could belong to some convolution of this type."""
    rank = 5 if "3d" in type else 4
    for slot, meta in (("Input", x), ("Filter", w)):
        if len(meta.shape) != rank or 0 in meta.shape:
            needs = f"{rank} dimensions, none of them 0"
            raise ShapeError(message(type, f"Input({slot})", f"shape {list(meta.shape)}", needs))
    if x.dtype.kind != "f" or w.dtype != x.dtype:
        dtypes = f"dtypes {x.dtype} and {w.dtype}"
        raise DtypeError(message(type, "Input(Input) and Input(Filter)", dtypes, "one floating dtype for both"))
    if groups < 1:
        raise ShapeError(message(type, "attribute 'groups'", groups, "1 or more"))


def check_added(type: str, out: Meta, filters: int, Bias: Meta | None, ResidualData: Meta | None = None) -> Meta:
    """Return the Meta of the result; raise unless a bias has a number for each filter, and a residual its shape."""
    if Bias is not None:
        require_dtype(type, "Bias", Bias, out.dtype)
        if -1 not in (filters, *Bias.shape) and prod(Bias.shape) != filters:
            needs = f"{filters} elements, one for each filter"
            raise ShapeError(message(type, "Input(Bias)", f"shape {list(Bias.shape)}", needs))
    if ResidualData is not None:
        require_dtype(type, "ResidualData", ResidualData, out.dtype)
        require_shape(type, "ResidualData", ResidualData, out.shape)
    return out


def _counts(type: str, size, window, strides, paddings, padding_algorithm, dilations) -> list[int]:
    """Return the number of windows along each dimension; -1 if unknown."""
    known = [1 if k < 0 and padding_algorithm == "SAME" else k for k in window]  # SAME is the same for every window
    pads, dilations = window_sizes.resolve_paddings(size, known, strides, paddings, padding_algorithm, dilations)
    each = zip(size, known, strides, pads, dilations)
    out = [-1 if k < 0 else window_sizes.window_count(n, k, s, p, d) for n, k, s, p, d in each]
    if any(o < 1 for o, n, k in zip(out, size, window) if n >= 0 and k >= 0):
        needs = f"room for a window of {list(window)}, {list(dilations)} apart"
        raise ShapeError(message(type, "Input(Input)", f"an image of {list(size)}", needs, "Add padding."))
    return out


def convolve(xp: Any, x: Any, w: Any, strides, pads, dilations, groups: int) -> Any:
    """Convolve images [N, C, *size] with filters [K, C / groups, *window]: [N, K, *out]."""
    each = zip(x.shape[2:], w.shape[2:], strides, pads, dilations)
    blocks = _blocks(len(x), x.shape[1], w.shape[2:], [window_sizes.window_count(*one) for one in each])
    if len(blocks) > 1:
        return xp.concatenate([convolve(xp, x[some], w, strides, pads, dilations, groups) for some in blocks])
    columns, out = _columns(xp, x, w.shape[2:], strides, pads, dilations, groups)
    y = xp.matmul(_filters(w, groups), columns).reshape(w.shape[0], len(x), *out)
    return xp.ascontiguousarray(y.swapaxes(0, 1)).astype(x.dtype, copy=False)


def image_grad(xp: Any, dy: Any, w: Any, size, strides, pads, dilations, groups: int) -> Any:
    """Return the gradient of `convolve` with respect to the images, which have `size`."""
    blocks = _blocks(len(dy), groups * w.shape[1], w.shape[2:], dy.shape[2:])
    if len(blocks) > 1:
        return xp.concatenate([image_grad(xp, dy[some], w, size, strides, pads, dilations, groups) for some in blocks])
    filters, rows = _filters(w, groups).swapaxes(1, 2), _rows(dy, groups)
    columns = filters * rows if rows.shape[1] == 1 else xp.matmul(filters, rows)  # BLAS is slow for one row
    columns = columns.reshape(groups * w.shape[1], *w.shape[2:], len(dy), *dy.shape[2:])
    columns = xp.moveaxis(columns, w.ndim - 1, 0)
    return scatter_windows(xp, columns, size, strides, pads, dilations).astype(dy.dtype, copy=False)


def filter_grad(xp: Any, x: Any, dy: Any, shape, strides, pads, dilations, groups: int) -> Any:
    """Return the gradient of `convolve` with respect to the filters, which have `shape`."""
    blocks = _blocks(len(x), x.shape[1], shape[2:], dy.shape[2:])
    if len(blocks) > 1:
        return sum(filter_grad(xp, x[some], dy[some], shape, strides, pads, dilations, groups) for some in blocks)
    columns, _ = _columns(xp, x, shape[2:], strides, pads, dilations, groups)
    return xp.matmul(_rows(dy, groups), columns.swapaxes(1, 2)).astype(x.dtype, copy=False).reshape(shape)


def _blocks(images: int, channels: int, window, out) -> list[slice]:
    """Return the images whose columns are made at once, as slices: the columns have at most MOST elements if possible."""
    count = max(1, MOST // (channels * math.prod(window) * math.prod(out)))
    return [slice(first, first + count) for first in range(0, images, count)]


def _columns(xp: Any, x: Any, window, strides, pads, dilations, groups: int) -> tuple[Any, tuple[int, ...]]:
    """Return the windows of each group as columns, [group, C / groups * window, N * out], and the sizes of `out`."""
    seen = windows(xp, _wide(x), window, strides, pads, dilations)
    out = seen.shape[x.ndim :]
    rows, columns = x.shape[1] // groups * math.prod(window), len(x) * math.prod(out)
    return xp.moveaxis(seen, 0, x.ndim - 1).reshape(groups, rows, columns), out


def _filters(w: Any, groups: int) -> Any:
    """Return the filters of each group as rows: [group, K / groups, C / groups * window]."""
    return _wide(w).reshape(groups, w.shape[0] // groups, math.prod(w.shape[1:]))


def _rows(y: Any, groups: int) -> Any:
    """Return the channels of each group as rows: [group, K / groups, N * out]."""
    return _wide(y).swapaxes(0, 1).reshape(groups, y.shape[1] // groups, len(y) * math.prod(y.shape[2:]))


def _wide(x: Any) -> Any:
    """Return an array as float32 if it is float16: sums of products are computed with more digits, and by BLAS."""
    return x.astype("float32") if x.dtype.itemsize == 2 else x


@with_attributes(PLACE)
def reference(xp, Input, Filter, Bias, ResidualData, *, groups, data_format, **place):
    x = to_channels_first(Input, data_format)
    strides, pads, dilations = placement(x.shape[2:], Filter.shape[2:], **place)
    out = convolve(xp, x, Filter, strides, pads, dilations, groups)
    if Bias is not None:
        out = out + Bias.reshape(-1, *[1] * len(strides))
    out = xp.ascontiguousarray(from_channels_first(out, data_format))
    return out if ResidualData is None else out + ResidualData


@with_attributes(PLACE)
def gradient(xp, Input, Filter, Bias, dOutput, *, groups, data_format, need=(True, True, True), **place):
    x, dy = to_channels_first(Input, data_format), to_channels_first(dOutput, data_format)
    where = (*placement(x.shape[2:], Filter.shape[2:], **place), groups)
    dx = dw = db = None
    if need[0]:
        dx = image_grad(xp, dy, Filter, x.shape[2:], *where)
        dx = xp.ascontiguousarray(from_channels_first(dx, data_format))
    if need[1]:
        dw = filter_grad(xp, x, dy, Filter.shape, *where)
    if Bias is not None and need[2]:
        db = dy.sum(axis=(0, *range(2, dy.ndim))).reshape(Bias.shape)
    return dx, dw, db


def placement(size, window, strides, paddings, padding_algorithm, dilations) -> tuple:
    """Return (strides, paddings on both sides, dilations) that the attributes stand for."""
    pads, dilations = window_sizes.resolve_paddings(size, window, strides, paddings, padding_algorithm, dilations)
    return strides, pads, dilations


def twice(type, Input, Filter, Bias, dOutput, ddInput, ddFilter, ddBias, **attrs):
    """Return the gradient of the gradient with respect to what it read: a convolution is linear in image and in filter."""
    conv, back = get(type), get(f"{type}_grad")
    wanted = len(back.outputs)
    d_image = d_filter = d_output = None
    if ddInput is not None:
        d_output = conv.call(ddInput, Filter, **attrs)
        d_filter = back.call(ddInput, Filter, None, dOutput, need=(False, True, False)[:wanted], **attrs)[1]
    if ddFilter is not None:
        more = conv.call(Input, ddFilter, **attrs)
        d_output = more if d_output is None else elementwise.elementwise_add.call(d_output, more)
        d_image = back.call(Input, ddFilter, None, dOutput, need=(True, False, False)[:wanted], **attrs)[0]
    if ddBias is not None:
        d_output = arithmetic.scale.call(dOutput, scale=0.0) if d_output is None else d_output
        axis = 3 if channels_last(attrs["data_format"]) else 1
        d_output = elementwise.elementwise_add.call(d_output, ddBias, axis=axis)
    return d_image, d_filter, d_output


def _declare(type: str) -> OpDef:
    def infer(Input, Filter, Bias, ResidualData, **attrs):
        check_layout(type, attrs["data_format"])
        return check_added(type, infer_conv(type, Input, Filter, **attrs), Filter.shape[0], Bias, ResidualData)

    double = Grad(
        "Input Filter Bias? Output@GRAD Input@GRAD@GRAD Filter@GRAD@GRAD Bias@GRAD@GRAD",
        "Input@GRAD Filter@GRAD Output@GRAD@GRAD",
        compose=partial(twice, type),
    )
    gives = "Input@GRAD Filter@GRAD Bias@GRAD"
    body = SimpleNamespace(
        __module__=__name__,
        __doc__="Output = Input convolved with Filter (a correlation, as everywhere in deep learning) + Bias + ResidualData.",
        infer=infer,
        reference=reference,
        grad=Grad("Input Filter Bias? Output@GRAD", gives, gradient, grad=double, fresh=True),
    )
    return op(
        type,
        inputs="Input Filter Bias? ResidualData?",
        outputs="Output",
        attrs=ATTRS,
        flops=CONVOLUTION,
        fresh=True,
        captured=True,
        images=Convolves(),
        epilogue="bias act",
    )(body)


conv2d = _declare("conv2d")
depthwise_conv2d = _declare("depthwise_conv2d")
