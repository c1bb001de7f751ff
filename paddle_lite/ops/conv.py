"""Convolutions over images."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from ..core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..kernels import geometry
from . import elementwise, math
from .registry import get
from .spec import CUDNN, MKLDNN, Floats, Grad, Ints, Meta, OpDef, op

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


def channels_last(data_format: str) -> bool:
    return data_format in ("NHWC", "NDHWC")


def to_nchw(x: Any, data_format: str) -> Any:
    return x.transpose(0, 3, 1, 2) if channels_last(data_format) else x


def from_nchw(x: Any, data_format: str) -> Any:
    return x.transpose(0, 2, 3, 1) if channels_last(data_format) else x


def check_layout(type: str, data_format: str) -> None:
    if data_format not in ("NCHW", "AnyLayout", "NHWC"):
        raise ArgumentValueError(message(type, "attribute 'data_format'", repr(data_format), '"NCHW" or "NHWC"'))


def check_steps(type: str, strides, dilations=(1, 1)) -> None:
    for name, values in (("strides", strides), ("dilations", dilations)):
        if len(values) != 2 or any(v < 1 for v in values):
            raise ArgumentValueError(message(type, f"attribute '{name}'", list(values), "two numbers of 1 or more"))


def check_paddings(type: str, paddings, padding_algorithm: str) -> None:
    if padding_algorithm not in ("EXPLICIT", "SAME", "VALID"):
        needs = '"EXPLICIT", "SAME" or "VALID"'
        raise ArgumentValueError(message(type, "attribute 'padding_algorithm'", repr(padding_algorithm), needs))
    if len(paddings) not in (2, 4) or any(p < 0 for p in paddings):
        needs = "[height, width] or [top, bottom, left, right], none below 0"
        raise ArgumentValueError(message(type, "attribute 'paddings'", list(paddings), needs))


def infer_conv(
    type: str, x: Meta, w: Meta, strides, paddings, padding_algorithm, groups, dilations, data_format
) -> Meta:
    """The shape of a convolution's result; raises where input, filter and attributes do not fit."""
    check_layout(type, data_format)
    check_steps(type, strides, dilations)
    check_paddings(type, paddings, padding_algorithm)
    for slot, meta in (("Input", x), ("Filter", w)):
        if len(meta.shape) != 4 or 0 in meta.shape:
            needs = "4 dimensions, none of them 0"
            raise ShapeError(message(type, f"Input({slot})", f"shape {list(meta.shape)}", needs))
    if x.dtype.kind != "f" or w.dtype != x.dtype:
        dtypes = f"dtypes {x.dtype} and {w.dtype}"
        raise DtypeError(message(type, "Input(Input) and Input(Filter)", dtypes, "one floating dtype for both"))
    n, c, *size = (x.shape[0], x.shape[3], *x.shape[1:3]) if channels_last(data_format) else x.shape
    filters, channels, *window = w.shape
    if groups < 1 or (filters >= 0 and filters % groups):
        raise ShapeError(message(type, "attribute 'groups'", groups, f"a divisor of the {filters} filters"))
    if c >= 0 and channels >= 0 and c != channels * groups:
        got = f"{c} channels (shape {list(x.shape)}, {data_format})"
        needs = f"{channels} * {groups}: channels of Filter {list(w.shape)} times groups"
        raise ShapeError(message(type, "Input(Input)", got, needs))
    out = _counts(type, size, window, strides, paddings, padding_algorithm, dilations)
    return Meta((n, *out, filters) if channels_last(data_format) else (n, filters, *out), x.dtype, x.lod_level)


def _counts(type: str, size, window, strides, paddings, padding_algorithm, dilations) -> list[int]:
    """How many windows fit each way; -1 where that is not known."""
    known = [1 if k < 0 and padding_algorithm == "SAME" else k for k in window]  # SAME is the same for every window
    pads, dilations = geometry.resolve(size, known, strides, paddings, padding_algorithm, dilations)
    each = zip(size, known, strides, pads, dilations)
    out = [-1 if k < 0 else geometry.count(n, k, s, p, d) for n, k, s, p, d in each]
    if any(o < 1 for o, n, k in zip(out, size, window) if n >= 0 and k >= 0):
        needs = f"room for a window of {list(window)}, {list(dilations)} apart"
        raise ShapeError(message(type, "Input(Input)", f"an image of {list(size)}", needs, "Add padding."))
    return out


def windows(xp: Any, x: Any, window, strides, pads, dilations, fill: float = 0.0) -> Any:
    """The windows over a padded [N, C, H, W] image: [N, C, out_h, out_w, kh, kw]."""
    x = xp.pad(x, ((0, 0), (0, 0), *pads), constant_values=fill)
    out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], window, strides, dilations)]
    y = xp.empty((*x.shape[:2], *out, *window), x.dtype)
    for i in range(window[0]):
        for j in range(window[1]):
            y[:, :, :, :, i, j] = x[(slice(None), slice(None), *_every(i, j, out, strides, dilations))]
    return y


def _every(i: int, j: int, out, strides, dilations) -> tuple[slice, slice]:
    """Where tap (i, j) of every window is in the padded image."""
    top, left = i * dilations[0], j * dilations[1]
    return (
        slice(top, top + (out[0] - 1) * strides[0] + 1, strides[0]),
        slice(left, left + (out[1] - 1) * strides[1] + 1, strides[1]),
    )


def scatter_windows(xp: Any, values: Any, size, strides, pads, dilations) -> Any:
    """The transpose of `windows`: values [N, C, out_h, out_w, kh, kw] added up into an [N, C, H, W] image."""
    n, c, out_h, out_w, kh, kw = values.shape
    (top, bottom), (left, right) = pads
    x = xp.zeros((n, c, size[0] + top + bottom, size[1] + left + right), values.dtype)
    for i in range(kh):
        for j in range(kw):
            rows, columns = _every(i, j, (out_h, out_w), strides, dilations)
            x[:, :, rows, columns] += values[:, :, :, :, i, j]
    return x[:, :, top : top + size[0], left : left + size[1]]


def _convolve(xp, x, w, strides, pads, dilations, groups):
    n, c = x.shape[:2]
    patches = windows(xp, x, w.shape[2:], strides, pads, dilations)
    patches = patches.reshape(n, groups, c // groups, *patches.shape[2:])
    filters = w.reshape(groups, w.shape[0] // groups, *w.shape[1:])
    out = xp.einsum("ngcyxij,gfcij->ngfyx", patches, filters)
    return out.reshape(n, w.shape[0], *out.shape[3:])


def reference(
    xp, Input, Filter, Bias, ResidualData, *, strides, paddings, padding_algorithm, groups, dilations, data_format
):
    x = to_nchw(Input, data_format)
    pads, dilations = geometry.resolve(x.shape[2:], Filter.shape[2:], strides, paddings, padding_algorithm, dilations)
    out = _convolve(xp, x, Filter, strides, pads, dilations, groups)
    if Bias is not None:
        out = out + Bias.reshape(1, -1, 1, 1)
    out = xp.ascontiguousarray(from_nchw(out, data_format))
    return out if ResidualData is None else out + ResidualData


def gradient(
    xp,
    Input,
    Filter,
    Bias,
    dOutput,
    *,
    strides,
    paddings,
    padding_algorithm,
    groups,
    dilations,
    data_format,
    need=(True, True, True),
):
    x, dy = to_nchw(Input, data_format), to_nchw(dOutput, data_format)
    pads, dilations = geometry.resolve(x.shape[2:], Filter.shape[2:], strides, paddings, padding_algorithm, dilations)
    n, c = x.shape[:2]
    dy = dy.reshape(n, groups, -1, *dy.shape[2:])
    filters = Filter.reshape(groups, Filter.shape[0] // groups, *Filter.shape[1:])
    dx = dw = db = None
    if need[0]:
        patches = xp.einsum("ngfyx,gfcij->ngcyxij", dy, filters)
        patches = patches.reshape(n, c, *patches.shape[3:])
        dx = scatter_windows(xp, patches, x.shape[2:], strides, pads, dilations)
        dx = xp.ascontiguousarray(from_nchw(dx, data_format))
    if need[1]:
        patches = windows(xp, x, Filter.shape[2:], strides, pads, dilations)
        patches = patches.reshape(n, groups, c // groups, *patches.shape[2:])
        dw = xp.einsum("ngfyx,ngcyxij->gfcij", dy, patches).reshape(Filter.shape)
    if need[2] and Bias is not None:
        db = dy.sum(axis=(0, 3, 4)).reshape(Bias.shape)
    return dx, dw, db


def _twice(type, Input, Filter, Bias, dOutput, ddInput, ddFilter, ddBias, **attrs):
    """The gradient of the gradient with respect to what it read: a convolution is linear in image and in filter."""
    conv, back = get(type), get(f"{type}_grad")
    d_image = d_filter = d_output = None
    if ddInput is not None:
        d_output = conv.call(ddInput, Filter, **attrs)
        d_filter = back.call(ddInput, Filter, None, dOutput, need=(False, True, False), **attrs)[1]
    if ddFilter is not None:
        more = conv.call(Input, ddFilter, **attrs)
        d_output = more if d_output is None else elementwise.elementwise_add.call(d_output, more)
        d_image = back.call(Input, ddFilter, None, dOutput, need=(True, False, False), **attrs)[0]
    if ddBias is not None:
        d_output = math.scale.call(dOutput, scale=0.0) if d_output is None else d_output
        axis = 3 if channels_last(attrs["data_format"]) else 1
        d_output = elementwise.elementwise_add.call(d_output, ddBias, axis=axis)
    return d_image, d_filter, d_output


def _declare(type: str) -> OpDef:
    def infer(Input, Filter, Bias, ResidualData, **attrs):
        return infer_conv(type, Input, Filter, **attrs)

    double = Grad(
        "Input Filter Bias? Output@GRAD Input@GRAD@GRAD Filter@GRAD@GRAD Bias@GRAD@GRAD",
        "Input@GRAD Filter@GRAD Output@GRAD@GRAD",
        compose=partial(_twice, type),
    )
    gives = "Input@GRAD Filter@GRAD Bias@GRAD"
    body = SimpleNamespace(
        __module__=__name__,
        __doc__="Output = Input convolved with Filter (a correlation, as everywhere in deep learning) + Bias + ResidualData.",
        infer=infer,
        reference=reference,
        grad=Grad("Input Filter Bias? Output@GRAD", gives, gradient, grad=double),
    )
    return op(type, inputs="Input Filter Bias? ResidualData?", outputs="Output", attrs=ATTRS, checked=True)(body)


conv2d = _declare("conv2d")
depthwise_conv2d = _declare("depthwise_conv2d")
