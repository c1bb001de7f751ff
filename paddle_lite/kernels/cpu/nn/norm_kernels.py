"""CPU kernels of normalisation: adapters from Paddle's attributes to the functions of norm.py."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....ops.support.attributes import passes_through, uses_running_statistics
from ...registry import kernel
from ..support.kernel_applies import kernel_applies
from . import norm


def _channels(x: np.ndarray, data_layout: str) -> np.ndarray:
    """Return x as planes [N, C, M], or as rows [R, C] if channels are last."""
    if data_layout == "NHWC" or math.prod(x.shape[2:]) == 1:
        return x.reshape(-1, x.shape[-1] if data_layout == "NHWC" else x.shape[1])
    return x.reshape(*x.shape[:2], -1)


@kernel("batch_norm")
def batch_norm(
    X: np.ndarray, Scale: np.ndarray, Bias: np.ndarray, Mean: np.ndarray, Variance: np.ndarray, MomentumTensor: Any,
    *, reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    if X.dtype != Scale.dtype:  # float16 images, float32 vectors
        wide = X.astype(Scale.dtype), Scale, Bias, Mean, Variance, MomentumTensor
        y, *statistics = batch_norm(*wide, reference=reference, **attrs)
        return y.astype(X.dtype), *statistics
    running = uses_running_statistics(**attrs)
    if not kernel_applies(X) or passes_through(X, Scale, running):
        return reference(X, Scale, Bias, Mean, Variance, MomentumTensor, **attrs)
    x, epsilon = _channels(X, attrs["data_layout"]), attrs["epsilon"]
    if running:
        inverse = 1 / np.sqrt(Variance + X.dtype.type(epsilon))
        y = norm.scale_channels(x, Mean, inverse * Scale, Bias)
        return y.reshape(X.shape), Mean.copy(), Variance.copy(), Mean.copy(), inverse, None
    y, mean, variance, inverse = norm.batch_norm(x, Scale, Bias, epsilon)
    m = X.dtype.type(attrs["momentum"]) if MomentumTensor is None else MomentumTensor
    return y.reshape(X.shape), Mean * m + mean * (1 - m), Variance * m + variance * (1 - m), mean, inverse, None


@kernel("batch_norm_grad")
def batch_norm_grad(
    X: np.ndarray, Scale: np.ndarray, Bias: Any, SavedMean: np.ndarray, SavedVariance: np.ndarray, dY: np.ndarray,
    *, need: tuple = (True, True, True), reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    if X.dtype != Scale.dtype:
        wide = X.astype(Scale.dtype), Scale, Bias, SavedMean, SavedVariance, dY.astype(Scale.dtype)
        dx, *vectors = batch_norm_grad(*wide, need=need, reference=reference, **attrs)
        return None if dx is None else dx.astype(X.dtype), *vectors
    running = uses_running_statistics(**attrs)
    if not kernel_applies(X) or passes_through(X, Scale, running):
        return reference(X, Scale, Bias, SavedMean, SavedVariance, dY, need=need, **attrs)
    x, dy = _channels(X, attrs["data_layout"]), _channels(dY, attrs["data_layout"])
    dx, d_scale, d_bias = norm.batch_norm_grad(x, dy, Scale, SavedMean, SavedVariance, running)
    return dx.reshape(X.shape), d_scale, d_bias


@kernel("layer_norm")
def layer_norm(
    X: np.ndarray, Scale: Any, Bias: Any, *, epsilon: float, begin_norm_axis: int, reference: Callable
) -> tuple:
    if not kernel_applies(X):
        return reference(X, Scale, Bias, epsilon=epsilon, begin_norm_axis=begin_norm_axis)
    rows = X.reshape(math.prod(X.shape[:begin_norm_axis]), -1)
    scale = np.ones(rows.shape[1], X.dtype) if Scale is None else Scale
    bias = np.zeros(rows.shape[1], X.dtype) if Bias is None else Bias
    y, mean, variance = norm.layer_norm(rows, scale, bias, epsilon)
    return y.reshape(X.shape), mean, variance


@kernel("layer_norm_grad")
def layer_norm_grad(
    X: np.ndarray, Scale: Any, Bias: Any, Mean: np.ndarray, Variance: np.ndarray, dY: np.ndarray,
    *, epsilon: float, need: tuple = (True, True, True), reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    if not kernel_applies(X):
        return reference(X, Scale, Bias, Mean, Variance, dY, epsilon=epsilon, need=need, **attrs)
    rows = X.reshape(len(Mean), -1)
    scale = np.ones(rows.shape[1], X.dtype) if Scale is None else Scale
    dx, d_scale, d_bias = norm.layer_norm_grad(rows, dY.reshape(rows.shape), scale, Mean, Variance, epsilon)
    return dx.reshape(X.shape), None if Scale is None else d_scale, None if Bias is None else d_bias
