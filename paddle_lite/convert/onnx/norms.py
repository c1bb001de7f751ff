"""Normalization with known or with computed means; scaling of channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import OnnxCall, converts
from .windows import channels_back, channels_first


@converts("batch_norm", "inplace_abn")
def batch_norm(call: OnnxCall) -> None:
    """Convert batch_norm with the statistics of training."""
    fixed = call.attr("use_global_stats") or (call.attr("is_test") and not call.attr("trainable_statistics"))
    call.need(fixed, "it uses the statistics of the batch, as in training")
    x, _size, last = channels_first(call, "X") if call.rank() > 2 else (call.x(), (), False)
    inputs = [x, *[call.x(slot) for slot in ("Scale", "Bias", "Mean", "Variance")]]
    y = call.node("BatchNormalization", *inputs, epsilon=float(call.attr("epsilon")))
    y = channels_back(call, y, last, call.rank() - 2)
    if call.op.type == "inplace_abn":
        kind, alpha = call.attr("activation"), float(call.attr("alpha"))
        call.need(kind in ("", "identity", "leakyrelu", "elu", "leaky_relu"), f"its activation is {kind!r}")
        if kind == "elu":
            y = call.node("Elu", y, alpha=alpha)
        elif kind.startswith("leaky"):
            y = call.node("LeakyRelu", y, alpha=alpha)
    call.out(y, "Y")


@converts("layer_norm")
def layer_norm(call: OnnxCall) -> None:
    """Convert the normalization over the axes from `begin_norm_axis` on."""
    axis, shape = int(call.attr("begin_norm_axis")), call.shape()
    inside = list(shape[axis:])
    call.need(all(n > 0 for n in inside), "the sizes that are normalized are not known")
    scale = (
        call.reshape(call.x("Scale"), *inside) if call.has("Scale") else call.constant(np.ones(inside), call.dtype())
    )
    inputs = [call.x(), scale] + ([call.reshape(call.x("Bias"), *inside)] if call.has("Bias") else [])
    call.out(call.node("LayerNormalization", *inputs, axis=axis, epsilon=float(call.attr("epsilon"))), "Y")


@converts("instance_norm")
def instance_norm(call: OnnxCall) -> None:
    """Convert the normalization of each image and channel."""
    epsilon = float(call.attr("epsilon"))
    call.out(call.node("InstanceNormalization", call.x(), call.x("Scale"), call.x("Bias"), epsilon=epsilon), "Y")


@converts("group_norm")
def group_norm(call: OnnxCall) -> None:
    """Convert the normalization of each image and group of channels."""
    x, size, last = channels_first(call, "X")
    groups, dims = int(call.attr("groups")), len(size)
    flat = call.node("Reshape", x, call.ints(0, groups, -1))
    ones, zeros = (call.constant(np.full(groups, n), call.dtype()) for n in (1, 0))
    y = call.node("InstanceNormalization", flat, ones, zeros, epsilon=float(call.attr("epsilon")))
    y = call.node("Reshape", y, call.dims(x))
    if call.has("Scale"):
        y = call.node("Mul", y, call.reshape(call.x("Scale"), 1, -1, *[1] * dims))
    if call.has("Bias"):
        y = call.node("Add", y, call.reshape(call.x("Bias"), 1, -1, *[1] * dims))
    call.out(channels_back(call, y, last, dims), "Y")


@converts("affine_channel")
def affine_channel(call: OnnxCall) -> None:
    """x * scale + bias of each channel."""
    last = call.attr("data_layout") != "NCHW"
    shape = [-1] if last or call.rank() == 2 else [1, -1, *[1] * (call.rank() - 2)]
    scale, bias = (call.reshape(call.x(slot), *shape) for slot in ("Scale", "Bias"))
    call.out(call.node("Add", call.node("Mul", call.x(), scale), bias))


@converts("lrn")
def lrn(call: OnnxCall) -> None:
    """Convert the division by the squares of the channels around."""
    n = int(call.attr("n"))
    call.need(n % 2 == 1, "n is even")
    x, _size, last = channels_first(call, "X")
    attrs: dict[str, Any] = {"alpha": float(call.attr("alpha")) * n, "beta": float(call.attr("beta"))}
    call.out(channels_back(call, call.node("LRN", x, size=n, bias=float(call.attr("k")), **attrs), last, 2))


@converts("data_norm")
def data_norm(call: OnnxCall) -> None:
    """(x - mean) * sqrt(count / squares), of sums that training kept."""
    call.need(int(call.attr("slot_dim")) <= 0, "slot_dim is set")
    count = call.x("BatchSize")
    means = call.node("Div", call.x("BatchSum"), count)
    scales = call.node("Sqrt", call.node("Div", count, call.x("BatchSquareSum")))
    y = call.node("Mul", call.node("Sub", call.x(), means), scales)
    if call.attr("enable_scale_and_shift"):
        y = call.node("Add", call.node("Mul", y, call.x("scale_w")), call.x("bias"))
    call.out(y, "Y")
