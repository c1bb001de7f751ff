"""Normalisation operators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ..framework.call import Call
from ..framework.costs import Amount, PerElement
from ..framework.spec import MKLDNN, Declaration, Grad, op
from ..framework.traits import Normalizes
from ..support.attributes import passes_through, uses_running_statistics
from ..support.meta import Meta
from ..support.require import require_elements
from .fused_norms import BATCH_NORM, LAYER_NORM, LAYER_NORM_GRADIENT, takes_batch_statistics, trains


def channel_axes(x, data_layout: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (the axes to average over, the shape of a channel vector for broadcasting)."""
    channel = x.ndim - 1 if data_layout == "NHWC" else 1
    return tuple(i for i in range(x.ndim) if i != channel), tuple(-1 if i == channel else 1 for i in range(x.ndim))


def check_epsilon(type: str, epsilon: float) -> None:
    if not 0 <= epsilon <= 1.0000001e-3:  # files store 0.001 as a float32, which is slightly larger
        raise ArgumentValueError(message(type, "attribute 'epsilon'", epsilon, "0 to 0.001"))


def check_vectors(type: str, x: Meta, vectors: dict[str, Meta], size: int, which: str) -> None:
    """Raise unless all are vectors of `size` elements in the floating dtype of x; -1: of any size.

    With an x of float16 the vectors may be of float32, all of them.
    """
    if x.dtype.kind != "f":
        raise DtypeError(message(type, "Input(X)", f"dtype {x.dtype}", "float32 or float64"))
    require_elements(type, "X", x)
    first = next(iter(vectors), "")
    wide = x.dtype == "float16" and first and vectors[first].dtype == "float32"
    dtype, whose = (vectors[first].dtype, f"the dtype of {first}") if wide else (x.dtype, "the dtype of X")
    for name, value in vectors.items():
        if len(value.shape) != 1 or (-1 not in (size, value.shape[0]) and value.shape[0] != size):
            got = f"shape {list(value.shape)}"
            raise ShapeError(message(type, f"Input({name})", got, f"[{size}], {which}"))
        if value.dtype != dtype:
            raise DtypeError(message(type, f"Input({name})", f"dtype {value.dtype}", f"{dtype}, {whose}"))


def of_result(lods: tuple, ins: tuple, outs: tuple, attrs: dict) -> tuple:
    """Return the LoD of X for the result, and none for the statistics."""
    return (lods[0], *(None for _ in outs[1:]))


def infer_batch_norm(
    type: str, X: Meta, vectors: dict[str, Meta], momentum: Meta | None, epsilon: float, data_layout: str
) -> tuple[Meta, Meta, Meta, Meta, Meta, None]:
    """Return the Metas of a batch normalisation by these vectors; raise if they do not fit."""
    if not 2 <= len(X.shape) <= 5:
        raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", "2 to 5 dimensions"))
    if data_layout not in ("NCHW", "NHWC"):
        needs = '"NCHW" or "NHWC"'
        raise ArgumentValueError(message(type, "attribute 'data_layout'", repr(data_layout), needs))
    check_epsilon(type, epsilon)
    c = X.shape[-1] if data_layout == "NHWC" else X.shape[1]
    check_vectors(type, X, vectors, c, "the channels of X")
    if momentum is not None:
        check_vectors(type, X, {"MomentumTensor": momentum}, 1, "one number")
    vector = Meta(vectors["Scale"].shape, vectors["Scale"].dtype)
    return X, vector, vector, vector, vector, None


def _batch_norm_flops(call: Call) -> Amount | None:
    x = call.one("X")
    return None if x is None else Amount.of(x.shape) * (7 if takes_batch_statistics(call.attrs) else 2)


def _of_channels_with_fixed_statistics(attrs: Mapping[str, Any]) -> bool:
    return attrs["data_layout"] == "NCHW" and not takes_batch_statistics(attrs)


@op(
    "batch_norm",
    inputs="X Scale Bias Mean Variance MomentumTensor?",
    outputs="Y MeanOut VarianceOut SavedMean~ SavedVariance~ ReserveSpace?",
    attrs={
        "is_test": False,
        "momentum": 0.9,
        "epsilon": 1e-5,
        "data_layout": "NCHW",
        **MKLDNN,
        "fuse_with_relu": False,
        "use_global_stats": False,
        "trainable_statistics": False,
    },
    lod=of_result,
    flops=_batch_norm_flops,
    fresh=True,
    fuses=BATCH_NORM,
    images=Normalizes(_of_channels_with_fixed_statistics),
    repeatable=True,
    training=trains,
    stopped="SavedMean SavedVariance",
)
class batch_norm(Declaration):
    """Y = (X - mean) / sqrt(variance + epsilon) * Scale + Bias for each channel.

    The statistics are those of the batch in training, the running ones (Mean, Variance) in tests; the variance is biased.
    SavedVariance is 1 / sqrt(variance + epsilon), as in Paddle. An X of float16 is computed in the dtype of the vectors.
    In training, where each channel has one element, Y is X and the running statistics stay, as in Paddle.
    """

    def infer(X, Scale, Bias, Mean, Variance, MomentumTensor, *, epsilon, data_layout, **_):
        vectors = {"Scale": Scale, "Bias": Bias, "Mean": Mean, "Variance": Variance}
        return infer_batch_norm("batch_norm", X, vectors, MomentumTensor, epsilon, data_layout)

    def reference(
        xp,
        X,
        Scale,
        Bias,
        Mean,
        Variance,
        MomentumTensor,
        *,
        is_test,
        momentum,
        epsilon,
        data_layout,
        use_global_stats,
        trainable_statistics,
    ):
        axes, shape = channel_axes(X, data_layout)
        running = uses_running_statistics(is_test, use_global_stats, trainable_statistics)
        if passes_through(X, Scale, running):
            return X.copy(), Mean.copy(), Variance.copy(), xp.zeros_like(Scale), xp.zeros_like(Scale), None
        dtype, X = X.dtype, X.astype(Scale.dtype, copy=False)
        if running:
            mean, variance = Mean.copy(), Variance
            mean_out, variance_out = Mean.copy(), Variance.copy()
        else:
            mean, variance = X.mean(axis=axes), X.var(axis=axes)
            m = MomentumTensor if MomentumTensor is not None else xp.asarray(momentum, dtype=X.dtype)
            mean_out, variance_out = Mean * m + mean * (1 - m), Variance * m + variance * (1 - m)
        inverse = 1 / xp.sqrt(variance + xp.asarray(epsilon, dtype=variance.dtype))
        y = X - mean.reshape(shape)
        y *= (inverse * Scale).reshape(shape)
        y += Bias.reshape(shape)
        return y.astype(dtype, copy=False), mean_out, variance_out, mean, inverse, None

    def gradient(
        xp,
        X,
        Scale,
        Bias,
        SavedMean,
        SavedVariance,
        dY,
        *,
        is_test,
        data_layout,
        use_global_stats,
        trainable_statistics,
        need=(True, True, True),
    ):
        axes, shape = channel_axes(X, data_layout)
        running = uses_running_statistics(is_test, use_global_stats, trainable_statistics)
        if passes_through(X, Scale, running):
            return dY.copy(), xp.zeros_like(Scale), xp.zeros_like(Scale)
        dtype, dY = X.dtype, dY.astype(Scale.dtype, copy=False)
        normal = X - SavedMean.reshape(shape)
        normal *= SavedVariance.reshape(shape)
        d_scale, d_bias = (dY * normal).sum(axis=axes), dY.sum(axis=axes)
        dx = None
        if need[0]:
            factor = (Scale * SavedVariance).reshape(shape)
            if running:
                dx = dY * factor
            else:
                n = X.size // Scale.size
                normal *= (d_scale / -n).reshape(shape)
                normal += dY
                normal -= (d_bias / n).reshape(shape)
                dx = normal * factor
            dx = dx.astype(dtype, copy=False)
        return dx, d_scale, d_bias

    grad = Grad(
        "X Scale Bias# SavedMean SavedVariance Y@GRAD",
        "X@GRAD Scale@GRAD Bias@GRAD",
        gradient,
        flops=PerElement(9),
        fresh=True,
    )


@op(
    "layer_norm",
    inputs="X Scale? Bias?",
    outputs="Y Mean~ Variance~",
    attrs={"epsilon": 1e-5, "begin_norm_axis": 1},
    lod=of_result,
    flops=PerElement(7),
    fuses=LAYER_NORM,
    stopped="Mean Variance",
)
class layer_norm(Declaration):
    """Y = (X - mean) / sqrt(variance + epsilon) * Scale + Bias over the dimensions from begin_norm_axis on."""

    def infer(X, Scale, Bias, *, epsilon, begin_norm_axis):
        if not 0 < begin_norm_axis < len(X.shape):
            needs = f"1 to {len(X.shape) - 1} for X {list(X.shape)}"
            raise ArgumentValueError(message("layer_norm", "attribute 'begin_norm_axis'", begin_norm_axis, needs))
        check_epsilon("layer_norm", epsilon)
        tail, head = X.shape[begin_norm_axis:], X.shape[:begin_norm_axis]
        size = -1 if -1 in tail else math.prod(tail)
        vectors = {name: value for name, value in (("Scale", Scale), ("Bias", Bias)) if value is not None}
        check_vectors("layer_norm", X, vectors, size, f"one for each of {list(tail)}")
        rows = Meta((-1 if -1 in head else math.prod(head),), X.dtype)
        return X, rows, rows

    def reference(xp, X, Scale, Bias, *, epsilon, begin_norm_axis):
        rows = X.reshape(math.prod(X.shape[:begin_norm_axis]), -1)
        mean, variance = rows.mean(axis=1), rows.var(axis=1)
        y = rows - mean[:, None]
        y /= xp.sqrt(variance + xp.asarray(epsilon, dtype=X.dtype))[:, None]
        if Scale is not None:
            y *= Scale
        if Bias is not None:
            y += Bias
        return y.reshape(X.shape), mean, variance

    def gradient(xp, X, Scale, Bias, Mean, Variance, dY, *, epsilon, begin_norm_axis, need=(True, True, True)):
        rows = X.reshape(Mean.shape[0], -1)
        dy = dY.reshape(rows.shape)
        inverse = 1 / xp.sqrt(Variance + xp.asarray(epsilon, dtype=X.dtype))[:, None]
        normal = rows - Mean[:, None]
        normal *= inverse
        dx = d_scale = d_bias = None
        if Scale is not None and need[1]:
            d_scale = (dy * normal).sum(axis=0)
        if Bias is not None and need[2]:
            d_bias = dy.sum(axis=0)
        if need[0]:
            g = dy if Scale is None else dy * Scale
            mean_g, mean_gn = g.mean(axis=1, keepdims=True), (g * normal).mean(axis=1, keepdims=True)
            normal *= -mean_gn
            normal += g
            normal -= mean_g
            dx = (normal * inverse).reshape(X.shape)
        return dx, d_scale, d_bias

    grad = Grad(
        "X Scale Bias# Mean Variance Y@GRAD",
        "X@GRAD Scale@GRAD Bias@GRAD",
        gradient,
        flops=PerElement(13),
        fuses=LAYER_NORM_GRADIENT,
    )
