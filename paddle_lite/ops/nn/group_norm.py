"""Normalisation of each image on its own: by channel (instance_norm) or by group of channels (group_norm)."""

from __future__ import annotations

import math

from ...core.errors import ArgumentValueError, ShapeError, message
from ..framework.costs import PerElement
from ..framework.spec import Declaration, Grad, Required, op
from ..support.image_layout import channels_last, from_channels_first, to_channels_first
from ..support.meta import Meta
from ..support.windows import check_layout
from .norm import check_epsilon, check_vectors, of_result


def _check_rank(type: str, X: Meta) -> None:
    if not 2 <= len(X.shape) <= 5:
        raise ShapeError(message(type, "Input(X)", f"shape {list(X.shape)}", "2 to 5 dimensions"))


def _normalised(xp, rows, epsilon):
    """Return (rows with mean 0 and variance 1, their means, their variances)."""
    mean, variance = rows.mean(axis=-1), rows.var(axis=-1)
    inverse = 1 / xp.sqrt(variance + xp.asarray(epsilon, dtype=rows.dtype))
    return (rows - mean[..., None]) * inverse[..., None], mean, variance


def _through(g, normal, inverse):
    """Return the gradient of rows whose normalised values `normal` have the gradient `g`."""
    projected = (g * normal).mean(axis=-1, keepdims=True)
    return (g - g.mean(axis=-1, keepdims=True) - normal * projected) * inverse[..., None]


@op(
    "instance_norm",
    inputs="X Scale Bias",
    outputs="Y SavedMean~ SavedVariance~",
    attrs={"epsilon": 1e-5},
    lod=of_result,
    flops=PerElement(7),
    stopped="SavedMean SavedVariance",
)
class instance_norm(Declaration):
    """Y = (X - mean) / sqrt(variance + epsilon) * Scale + Bias, the statistics those of one channel of one image.

    SavedVariance is 1 / sqrt(variance + epsilon), as in Paddle. Source: Ulyanov et al., "Instance Normalization", 2016.
    """

    def infer(X, Scale, Bias, *, epsilon):
        _check_rank("instance_norm", X)
        check_epsilon("instance_norm", epsilon)
        check_vectors("instance_norm", X, {"Scale": Scale, "Bias": Bias}, X.shape[1], "the channels of X")
        planes = Meta((-1 if -1 in X.shape[:2] else math.prod(X.shape[:2]),), X.dtype)
        return X, planes, planes

    def reference(xp, X, Scale, Bias, *, epsilon):
        normal, mean, variance = _normalised(xp, X.reshape(*X.shape[:2], -1), epsilon)
        inverse = 1 / xp.sqrt(variance + xp.asarray(epsilon, dtype=X.dtype))
        y = normal * Scale[:, None] + Bias[:, None]
        return y.reshape(X.shape), mean.reshape(-1), inverse.reshape(-1)

    def gradient(xp, X, Scale, SavedMean, SavedVariance, dY, *, need=(True, True, True)):
        x, dy = X.reshape(*X.shape[:2], -1), dY.reshape(*X.shape[:2], -1)
        mean, inverse = SavedMean.reshape(X.shape[:2]), SavedVariance.reshape(X.shape[:2])
        normal = (x - mean[..., None]) * inverse[..., None]
        dx = _through(dy * Scale[:, None], normal, inverse).reshape(X.shape) if need[0] else None
        return dx, (dy * normal).sum(axis=(0, 2)), dy.sum(axis=(0, 2))

    grad = Grad("X Scale SavedMean SavedVariance Y@GRAD", "X@GRAD Scale@GRAD Bias@GRAD", gradient, flops=PerElement(13))


@op(
    "group_norm",
    inputs="X Scale? Bias?",
    outputs="Y Mean~ Variance~",
    attrs={"epsilon": 1e-5, "groups": Required("INT"), "data_layout": "NCHW"},
    lod=of_result,
    flops=PerElement(7),
    stopped="Mean Variance",
)
class group_norm(Declaration):
    """Y = (X - mean) / sqrt(variance + epsilon) * Scale + Bias, the statistics those of a group of channels of one image.

    The gradient computes the normalised values from Y, as in Paddle; where Scale is 0 they are taken as 0.
    Source: Wu and He, "Group Normalization", 2018.
    """

    def infer(X, Scale, Bias, *, epsilon, groups, data_layout):
        _check_rank("group_norm", X)
        check_layout("group_norm", data_layout, ("NCHW", "NHWC"), "data_layout")
        if not 0 <= epsilon <= 1:
            raise ArgumentValueError(message("group_norm", "attribute 'epsilon'", epsilon, "0 to 1"))
        channels = X.shape[-1] if channels_last(data_layout) else X.shape[1]
        if groups < 1 or (channels >= 0 and channels % groups):
            needs = f"a divisor of the {channels} channels"
            raise ArgumentValueError(message("group_norm", "attribute 'groups'", groups, needs))
        vectors = {name: value for name, value in (("Scale", Scale), ("Bias", Bias)) if value is not None}
        check_vectors("group_norm", X, vectors, channels, "the channels of X")
        statistics = Meta((X.shape[0], groups), X.dtype)
        return X, statistics, statistics

    def reference(xp, X, Scale, Bias, *, epsilon, groups, data_layout):
        x = to_channels_first(X, data_layout)
        normal, mean, variance = _normalised(xp, x.reshape(x.shape[0], groups, -1), epsilon)
        y = normal.reshape(*x.shape[:2], -1)
        if Scale is not None:
            y = y * Scale[:, None]
        if Bias is not None:
            y = y + Bias[:, None]
        return xp.ascontiguousarray(from_channels_first(y.reshape(x.shape), data_layout)), mean, variance

    def gradient(xp, Scale, Bias, Variance, Y, dY, *, epsilon, groups, data_layout, need=(True, True, True)):
        y, dy = to_channels_first(Y, data_layout), to_channels_first(dY, data_layout)
        shape = y.shape
        normal, dy = y.reshape(*shape[:2], -1), dy.reshape(*shape[:2], -1)
        g = dy
        if Bias is not None:
            normal = normal - Bias[:, None]
        if Scale is not None:
            safe = xp.where(Scale == 0, xp.asarray(xp.inf, dtype=Scale.dtype), Scale)
            normal, g = normal / safe[:, None], dy * Scale[:, None]
        dx = d_scale = d_bias = None
        if need[0]:
            rows = (shape[0], groups, -1)
            inverse = 1 / xp.sqrt(Variance + xp.asarray(epsilon, dtype=Variance.dtype))
            dx = _through(g.reshape(rows), normal.reshape(rows), inverse).reshape(shape)
            dx = xp.ascontiguousarray(from_channels_first(dx, data_layout))
        if Scale is not None and need[1]:
            d_scale = (dy * normal).sum(axis=(0, 2))
        if Bias is not None and need[2]:
            d_bias = dy.sum(axis=(0, 2))
        return dx, d_scale, d_bias

    grad = Grad("Scale Bias Variance Y Y@GRAD", "X@GRAD Scale@GRAD Bias@GRAD", gradient, flops=PerElement(13, "Y"))
