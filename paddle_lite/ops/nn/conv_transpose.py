"""Transposed convolutions: the gradient of a convolution with respect to its image, as an operator."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.costs import TRANSPOSED_CONVOLUTION
from ..framework.spec import CUDNN, MKLDNN, Grad, Ints, OpDef, op
from ..support import window_sizes
from ..support.image_layout import channels_last, from_channels_first, to_channels_first
from ..support.meta import Meta
from ..support.windows import check_layout, check_paddings, check_steps, with_attributes
from . import conv

ATTRS: dict[str, Any] = {
    "is_test": False,
    "output_size": Ints([]),
    "groups": 1,
    "dilations": Ints([1, 1]),
    "strides": Ints([1, 1]),
    "paddings": Ints([0, 0]),
    **CUDNN,
    **MKLDNN,
    "fuse_relu": False,
    "fuse_activation": "",
    "fuse_alpha": 0.0,
    "fuse_beta": 0.0,
    "data_format": "NCHW",
    "padding_algorithm": "EXPLICIT",
    "workspace_size_MB": 512,
}
VOLUME_ATTRS: dict[str, Any] = {
    **{name: ATTRS[name] for name in ATTRS if name != "is_test" and not name.startswith("fuse")},
    **{name: Ints([value] * 3) for name, value in (("dilations", 1), ("strides", 1), ("paddings", 0))},
}
PLACE = (*conv.PLACE, "output_size")


def infer_transposed(
    type: str, x: Meta, w: Meta, *, strides, paddings, padding_algorithm, groups, dilations, data_format, output_size
) -> Meta:
    """Return the shape of a transposed convolution's result; raise if input, filter and attributes do not fit."""
    conv.check_operands(type, x, w, groups)
    check_layout(type, data_format)
    check_steps(type, len(x.shape) - 2, strides=strides, dilations=dilations)
    check_paddings(type, len(x.shape) - 2, paddings, padding_algorithm)
    last = channels_last(data_format)
    n, c, *size = (x.shape[0], x.shape[-1], *x.shape[1:-1]) if last else x.shape
    channels, filters, *window = w.shape
    if c >= 0 and c % groups:
        raise ShapeError(message(type, "attribute 'groups'", groups, f"a divisor of the {c} channels"))
    if c != channels and min(c, channels) >= 0:
        got = f"{c} channels (shape {list(x.shape)}, {data_format})"
        raise ShapeError(
            message(type, "Input(Input)", got, f"{channels}, the first dimension of Filter {list(w.shape)}")
        )
    _, _, out = window_sizes.transposed_sizes(size, window, strides, paddings, padding_algorithm, dilations)
    known = [min(n, k) >= 0 for n, k in zip(size, window)]
    out = _enlarged(type, out, known, strides, output_size)
    if any(o < 1 for o, sure in zip(out, known) if sure):
        raise ShapeError(message(type, "attribute 'paddings'", list(paddings), f"less: the result would be {out}"))
    filters = filters * groups if filters >= 0 else -1
    return Meta((n, *out, filters) if last else (n, filters, *out), x.dtype)


def _enlarged(type: str, out: list[int], known: list[bool], strides, output_size) -> list[int]:
    """Return the requested output size; raise if it is impossible."""
    if not len(output_size):
        return out
    fits = len(output_size) == len(out) and all(
        not sure or o <= wanted < o + s for o, sure, wanted, s in zip(out, known, output_size, strides)
    )
    if not fits:
        needs = f"{out}, or larger by less than the strides {list(strides)}"
        raise ArgumentValueError(message(type, "attribute 'output_size'", list(output_size), needs))
    return list(output_size)


def _placement(size, window, strides, paddings, padding_algorithm, dilations, output_size) -> tuple[list[int], tuple]:
    """Return (size of the output, (strides, paddings on both sides, dilations))."""
    pads, dilations, out = window_sizes.transposed_sizes(size, window, strides, paddings, padding_algorithm, dilations)
    return list(output_size) or out, (strides, pads, dilations)


def _forward(xp, x, w, bias, groups, data_format, place):
    x = to_channels_first(x, data_format)
    size, where = _placement(x.shape[2:], w.shape[2:], **place)
    out = conv.image_grad(xp, x, w, size, *where, groups)
    if bias is not None:
        out = out + bias.reshape(-1, *[1] * len(size))
    return xp.ascontiguousarray(from_channels_first(out, data_format))


def _backward(xp, x, w, bias, dy, groups, data_format, need, place):
    x, dy = to_channels_first(x, data_format), to_channels_first(dy, data_format)
    _, where = _placement(x.shape[2:], w.shape[2:], **place)
    dx = dw = db = None
    if need[0]:
        dx = conv.convolve(xp, dy, w, *where, groups)
        dx = xp.ascontiguousarray(from_channels_first(dx, data_format))
    if need[1]:
        dw = conv.filter_grad(xp, dy, x, w.shape, *where, groups)
    if bias is not None and need[2]:
        db = dy.sum(axis=(0, *range(2, dy.ndim))).reshape(bias.shape)
    return dx, dw, db


@with_attributes(PLACE)
def reference(xp, Input, Filter, Bias, *, groups, data_format, **place):
    return _forward(xp, Input, Filter, Bias, groups, data_format, place)


@with_attributes(PLACE)
def gradient(xp, Input, Filter, Bias, dOutput, *, groups, data_format, need=(True, True, True), **place):
    return _backward(xp, Input, Filter, Bias, dOutput, groups, data_format, need, place)


@with_attributes(PLACE)
def volume_reference(xp, Input, Filter, *, groups, data_format, **place):
    return _forward(xp, Input, Filter, None, groups, data_format, place)


@with_attributes(PLACE)
def volume_gradient(xp, Input, Filter, dOutput, *, groups, data_format, need=(True, True), **place):
    return _backward(xp, Input, Filter, None, dOutput, groups, data_format, need, place)[:2]


def _declare(type: str) -> OpDef:
    def infer(Input, Filter, Bias, **attrs):
        out = infer_transposed(type, Input, Filter, **attrs)
        filters = -1 if Filter.shape[1] < 0 else Filter.shape[1] * attrs["groups"]
        return conv.check_added(type, out, filters, Bias)

    body = SimpleNamespace(
        __module__=__name__,
        __doc__="Output = the sum of Filter [C, K / groups, KH, KW] over all places, weighted by Input, + Bias.",
        infer=infer,
        reference=reference,
        grad=Grad("Input Filter Bias? Output@GRAD", "Input@GRAD Filter@GRAD Bias@GRAD", gradient),
    )
    return op(
        type,
        inputs="Input Filter Bias?",
        outputs="Output",
        attrs=ATTRS,
        lod=None,
        flops=TRANSPOSED_CONVOLUTION,
        captured=True,
    )(body)


conv2d_transpose = _declare("conv2d_transpose")
depthwise_conv2d_transpose = _declare("depthwise_conv2d_transpose")


def _infer_volume(Input, Filter, **attrs):
    return infer_transposed("conv3d_transpose", Input, Filter, **attrs)


conv3d_transpose: OpDef = op(
    "conv3d_transpose",
    inputs="Input Filter",
    outputs="Output",
    attrs=VOLUME_ATTRS,
    lod=None,
    flops=TRANSPOSED_CONVOLUTION,
)(
    SimpleNamespace(
        __module__=__name__,
        __doc__="Output = the sum of Filter [C, K / groups, KD, KH, KW] over all places, weighted by Input.",
        infer=_infer_volume,
        reference=volume_reference,
        grad=Grad("Input Filter Output@GRAD", "Input@GRAD Filter@GRAD", volume_gradient),
    )
)
