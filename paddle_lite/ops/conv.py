"""Convolutions over images."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ..core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..kernels import geometry
from . import math as math_ops
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


def infer_conv(
    type: str, x: Meta, w: Meta, strides, paddings, padding_algorithm, groups, dilations, data_format
) -> Meta:
    """The shape of a convolution's result; raises where input, filter and attributes do not fit."""
    if data_format not in ("NCHW", "AnyLayout", "NHWC"):
        raise ArgumentValueError(message(type, "attribute 'data_format'", repr(data_format), '"NCHW" or "NHWC"'))
    if len(x.shape) != 4 or len(w.shape) != 4:
        slot, got = ("Input", x) if len(x.shape) != 4 else ("Filter", w)
        raise ShapeError(message(type, f"Input({slot})", f"shape {list(got.shape)}", "4 dimensions"))
    if x.dtype != w.dtype:
        raise DtypeError(message(type, "Input(Filter)", f"dtype {w.dtype}", f"{x.dtype}, the dtype of Input"))
    n, c, h, v = (x.shape[0], x.shape[3], *x.shape[1:3]) if channels_last(data_format) else x.shape
    if c >= 0 and c != w.shape[1] * groups:
        raise ShapeError(
            message(
                type,
                "Input(Input)",
                f"{c} channels (shape {list(x.shape)}, {data_format})",
                f"{w.shape[1]} * {groups}: channels of Filter {list(w.shape)} times groups",
            )
        )
    if groups < 1 or w.shape[0] % groups:
        raise ShapeError(message(type, "attribute 'groups'", groups, f"a divisor of the {w.shape[0]} filters"))
    for name, values in (("strides", strides), ("dilations", dilations)):
        if len(values) != 2 or any(v < 1 for v in values):
            raise ArgumentValueError(message(type, f"attribute '{name}'", list(values), "two numbers of 1 or more"))
    if len(paddings) not in (2, 4) or padding_algorithm not in ("EXPLICIT", "SAME", "VALID"):
        raise ArgumentValueError(
            message(
                type,
                "padding",
                f"{list(paddings)}, {padding_algorithm!r}",
                "2 or 4 numbers with EXPLICIT, or SAME, or VALID",
            )
        )
    pads, dilations = geometry.resolve((h, v), w.shape[2:], strides, paddings, padding_algorithm, dilations)
    out = [geometry.count(m, k, s, p, d) for m, k, s, p, d in zip((h, v), w.shape[2:], strides, pads, dilations)]
    if any(o == 0 or o < -1 for o in out):
        raise ShapeError(
            message(
                type,
                "Input(Input)",
                f"an image of {h} x {v}",
                f"room for the window {list(w.shape[2:])}",
                "Add padding.",
            )
        )
    shape = (n, *out, w.shape[0]) if channels_last(data_format) else (n, w.shape[0], *out)
    return Meta(shape, x.dtype, x.lod_level)


def windows(xp: Any, x: Any, window, strides, pads, dilations, fill: float = 0.0) -> Any:
    """A view [N, C, out_h, out_w, kh, kw] of the windows over a padded [N, C, H, W] image."""
    x = xp.pad(x, ((0, 0), (0, 0), *pads), constant_values=fill)
    out = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], window, strides, dilations)]
    n, c, h, w = x.strides
    step = (h * strides[0], w * strides[1], h * dilations[0], w * dilations[1])
    return xp.lib.stride_tricks.as_strided(x, (*x.shape[:2], *out, *window), (n, c, *step))


def scatter_windows(xp: Any, values: Any, size, strides, pads, dilations) -> Any:
    """The transpose of `windows`: values [N, C, out_h, out_w, kh, kw] added up into an [N, C, H, W] image."""
    n, c, out_h, out_w, kh, kw = values.shape
    (top, bottom), (left, right) = pads
    x = xp.zeros((n, c, size[0] + top + bottom, size[1] + left + right), values.dtype)
    for i in range(kh):
        for j in range(kw):
            rows = slice(i * dilations[0], i * dilations[0] + out_h * strides[0], strides[0])
            columns = slice(j * dilations[1], j * dilations[1] + out_w * strides[1], strides[1])
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


def _twice(Input, Filter, Bias, dOutput, ddInput, ddFilter, ddBias, **attrs):
    """The gradient of conv2d_grad with respect to what it read: a convolution is linear in image and in filter."""
    conv = get("conv2d")
    d_image = d_filter = None
    terms = []
    if ddInput is not None:
        terms.append(conv.call(ddInput, Filter, **attrs))
        d_filter = get("conv2d_grad").call(ddInput, Filter, None, dOutput, need=(False, True, False), **attrs)[1]
    if ddFilter is not None:
        terms.append(conv.call(Input, ddFilter, **attrs))
        d_image = get("conv2d_grad").call(Input, ddFilter, None, dOutput, need=(True, False, False), **attrs)[0]
    d_output = terms[0] if len(terms) == 1 else math_ops.sum.call(terms) if terms else None
    return d_image, d_filter, d_output


def _declare(type: str, double: Grad | None = None) -> OpDef:
    def infer(Input, Filter, Bias, ResidualData, **attrs):
        return infer_conv(type, Input, Filter, **attrs)

    gives = "Input@GRAD Filter@GRAD Bias@GRAD"
    body = SimpleNamespace(
        __module__=__name__,
        __doc__="Output = Input convolved with Filter (a correlation, as everywhere in deep learning).",
        infer=infer,
        reference=reference,
        grad=Grad("Input Filter Bias? Output@GRAD", gives, gradient, grad=double),
    )
    return op(type, inputs="Input Filter Bias? ResidualData?", outputs="Output", attrs=ATTRS, checked=True)(body)


conv2d = _declare(
    "conv2d",
    Grad(
        "Input Filter Bias? Output@GRAD Input@GRAD@GRAD Filter@GRAD@GRAD Bias@GRAD@GRAD",
        "Input@GRAD Filter@GRAD Output@GRAD@GRAD",
        compose=_twice,
    ),
)
depthwise_conv2d = _declare("depthwise_conv2d")
