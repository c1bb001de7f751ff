"""Batch normalisation with an invertible activation, whose gradient is computed from the output."""

from __future__ import annotations

from ...core.errors import ArgumentValueError, message
from ..framework.spec import MKLDNN, Declaration, Grad, op
from ..support.attributes import passes_through, uses_running_statistics
from .fused_norms import trains
from .norm import batch_norm, channel_axes, infer_batch_norm, of_result

ACTIVATIONS = ("", "identity", "leaky_relu", "elu")


def _activated(xp, x, activation, alpha):
    if activation == "leaky_relu":
        return xp.maximum(x, x * alpha)
    return xp.where(x > 0, x, alpha * xp.expm1(xp.minimum(x, 0))) if activation == "elu" else x


def _before(xp, y, dy, activation, alpha):
    """Return (the input of the activation, its gradient) from the output and its gradient."""
    if activation == "leaky_relu":
        one = xp.ones_like(alpha)
        slope = xp.where(y > 0, xp.maximum(alpha, one), xp.minimum(alpha, one))
        return y / slope, dy * slope
    if activation == "elu":
        below = xp.minimum(y, 0)
        return xp.where(y > 0, y, xp.log1p(below / alpha)), xp.where(y > 0, dy, dy * (below + alpha))
    return y, dy


@op(
    "inplace_abn",
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
        "activation": "",
        "alpha": 0.1,
        "use_sync_bn": False,
    },
    lod=of_result,
    training=trains,
    stopped="SavedMean SavedVariance",
)
class inplace_abn(Declaration):
    """Y = activation(batch_norm(X)), the activation "leaky_relu" (max(x, alpha * x)), "elu", "identity" or "".

    The gradient needs Y only, not X. Source: Rota Bulo, Porzi and Kontschieder, "In-Place Activated BatchNorm", 2018.
    """

    def infer(X, Scale, Bias, Mean, Variance, MomentumTensor, *, epsilon, data_layout, activation, alpha, **_):
        if activation not in ACTIVATIONS:
            needs = '"identity", "leaky_relu", "elu" or ""'
            raise ArgumentValueError(message("inplace_abn", "attribute 'activation'", repr(activation), needs))
        if activation in ACTIVATIONS[2:] and alpha <= 0:
            raise ArgumentValueError(message("inplace_abn", "attribute 'alpha'", alpha, f"above 0, for {activation}"))
        vectors = {"Scale": Scale, "Bias": Bias, "Mean": Mean, "Variance": Variance}
        return infer_batch_norm("inplace_abn", X, vectors, MomentumTensor, epsilon, data_layout)

    def reference(
        xp, X, Scale, Bias, Mean, Variance, MomentumTensor, *,
        is_test, momentum, epsilon, data_layout, use_global_stats, trainable_statistics, activation, alpha,
    ):  # fmt: skip
        y, *others = batch_norm.reference(
            xp, X, Scale, Bias, Mean, Variance, MomentumTensor, is_test=is_test, momentum=momentum, epsilon=epsilon,
            data_layout=data_layout, use_global_stats=use_global_stats, trainable_statistics=trainable_statistics,
        )  # fmt: skip
        return (_activated(xp, y, activation, xp.asarray(alpha, dtype=X.dtype)), *others)

    def gradient(
        xp, Scale, Bias, SavedMean, SavedVariance, Y, dY, *,
        is_test, data_layout, use_global_stats, trainable_statistics, activation, alpha,
    ):  # fmt: skip
        y, dy = _before(xp, Y, dY, activation, xp.asarray(alpha, dtype=Y.dtype))
        running = uses_running_statistics(is_test, use_global_stats, trainable_statistics)
        if passes_through(Y, Scale, running):
            return dy, xp.zeros_like(Scale), xp.zeros_like(Scale)
        axes, shape = channel_axes(Y, data_layout)
        normal = (y - Bias.reshape(shape)) / Scale.reshape(shape)
        d_scale, d_bias = (dy * normal).sum(axis=axes), dy.sum(axis=axes)
        factor = (SavedVariance * Scale).reshape(shape)
        if running:
            return dy * factor, d_scale, d_bias
        count = xp.asarray(Y.size // Y.shape[1 if data_layout == "NCHW" else -1], dtype=Y.dtype)
        inner = dy - (d_bias.reshape(shape) + normal * d_scale.reshape(shape)) / count
        return inner * factor, d_scale, d_bias

    grad = Grad("Scale Bias SavedMean SavedVariance Y Y@GRAD", "X@GRAD Scale@GRAD Bias@GRAD", gradient)
