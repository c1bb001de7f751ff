"""GPU kernels of normalisation: two passes over memory for the statistics, one for the result."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....ops.support.attributes import passes_through, uses_running_statistics
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import MOST_THREADS, blocks_for, threads_for
from .rows import (
    channel_statistics,
    channel_sums_grad,
    layer_norm_columns_grad,
    layer_norm_rows,
    layer_norm_rows_grad,
    normalized_channels,
    normalized_channels_grad,
)  # fmt: skip


def _planes(x: Any, data_layout: str) -> tuple[int, int, int]:
    """Return the numbers of images, channels and elements of a plane."""
    if data_layout == "NHWC":
        return math.prod(x.shape[:-1]), x.shape[-1], 1
    return x.shape[0], x.shape[1], math.prod(x.shape[2:])


@kernel("batch_norm", device="gpu")
def batch_norm(
    X: Any, Scale: Any, Bias: Any, Mean: Any, Variance: Any, MomentumTensor: Any, *, momentum: float, epsilon: float,
    data_layout: str, is_test: bool, use_global_stats: bool, trainable_statistics: bool, reference: Callable,
) -> tuple:  # fmt: skip
    which = {"is_test": is_test, "use_global_stats": use_global_stats, "trainable_statistics": trainable_statistics}
    running = uses_running_statistics(**which)
    if not X.size or passes_through(X, Scale, running):
        attrs = {"momentum": momentum, "epsilon": epsilon, "data_layout": data_layout}
        return reference(X, Scale, Bias, Mean, Variance, MomentumTensor, **attrs, **which)
    xp = array_module("gpu")
    x, (images, channels, plane) = xp.ascontiguousarray(X), _planes(X, data_layout)
    if running:
        mean, variance = Mean.copy(), Variance
        mean_out, variance_out = Mean.copy(), Variance.copy()
    else:
        mean, variance = xp.empty_like(Scale), xp.empty_like(Scale)
        launch(channel_statistics, channels, threads_for(images * plane), x, mean, variance, images, channels, plane)
        m = MomentumTensor if MomentumTensor is not None else Scale.dtype.type(momentum)
        mean_out, variance_out = Mean * m + mean * (1 - m), Variance * m + variance * (1 - m)
    inverse = 1 / xp.sqrt(variance + Scale.dtype.type(epsilon))
    y = xp.empty_like(x)
    given = mean, inverse, Scale, Bias
    launch(normalized_channels, blocks_for(x.size), MOST_THREADS, x, *given, y, channels, plane, x.size)
    return y, mean_out, variance_out, mean, inverse, None


@kernel("batch_norm_grad", device="gpu")
def batch_norm_grad(
    X: Any, Scale: Any, Bias: Any, SavedMean: Any, SavedVariance: Any, dY: Any, *, data_layout: str, is_test: bool,
    use_global_stats: bool, trainable_statistics: bool, need: tuple = (True, True, True), reference: Callable,
) -> tuple:  # fmt: skip
    which = {"is_test": is_test, "use_global_stats": use_global_stats, "trainable_statistics": trainable_statistics}
    running = uses_running_statistics(**which)
    if not X.size or passes_through(X, Scale, running):
        return reference(X, Scale, Bias, SavedMean, SavedVariance, dY, data_layout=data_layout, **which, need=need)
    xp = array_module("gpu")
    x, dy, (images, channels, plane) = xp.ascontiguousarray(X), xp.ascontiguousarray(dY), _planes(X, data_layout)
    d_scale, d_bias = xp.empty_like(Scale), xp.empty_like(Scale)
    sums = x, SavedMean, SavedVariance, dy, d_scale, d_bias, images, channels, plane
    launch(channel_sums_grad, channels, threads_for(images * plane), *sums)
    if not need[0]:
        return None, d_scale, d_bias
    dx = xp.empty_like(x)
    given = x, SavedMean, SavedVariance, Scale, dy, d_scale, d_bias
    launch(
        normalized_channels_grad, blocks_for(x.size), MOST_THREADS, *given, dx, channels, plane, x.size, int(running)
    )
    return dx, d_scale, d_bias


@kernel("layer_norm", device="gpu")
def layer_norm(X: Any, Scale: Any, Bias: Any, *, epsilon: float, begin_norm_axis: int, reference: Callable) -> tuple:
    if not X.size:
        return reference(X, Scale, Bias, epsilon=epsilon, begin_norm_axis=begin_norm_axis)
    xp = array_module("gpu")
    x, rows = xp.ascontiguousarray(X), math.prod(X.shape[:begin_norm_axis])
    width = x.size // rows
    y, mean, variance = xp.empty_like(x), xp.empty(rows, x.dtype), xp.empty(rows, x.dtype)
    vectors = x if Scale is None else Scale, x if Bias is None else Bias
    given = int(Scale is not None), int(Bias is not None)
    launch(layer_norm_rows, rows, threads_for(width), x, *vectors, y, mean, variance, width, epsilon, *given)
    return y, mean, variance


@kernel("layer_norm_grad", device="gpu")
def layer_norm_grad(
    X: Any, Scale: Any, Bias: Any, Mean: Any, Variance: Any, dY: Any, *, epsilon: float, begin_norm_axis: int,
    need: tuple = (True, True, True), reference: Callable,
) -> tuple:  # fmt: skip
    if not X.size:
        attrs = {"epsilon": epsilon, "begin_norm_axis": begin_norm_axis}
        return reference(X, Scale, Bias, Mean, Variance, dY, **attrs, need=need)
    xp = array_module("gpu")
    x, dy, rows = xp.ascontiguousarray(X), xp.ascontiguousarray(dY), Mean.shape[0]
    width = x.size // rows
    dx = d_scale = d_bias = None
    if need[0]:
        dx = xp.empty_like(x)
        scale, scaled = (x, 0) if Scale is None else (Scale, 1)
        launch(layer_norm_rows_grad, rows, threads_for(width), x, scale, Mean, Variance, dy, dx, width, epsilon, scaled)
    if (Scale is not None and need[1]) or (Bias is not None and need[2]):
        d_scale, d_bias = xp.empty(width, x.dtype), xp.empty(width, x.dtype)
        sums = x, Mean, Variance, dy, d_scale, d_bias, rows, width, epsilon
        launch(layer_norm_columns_grad, blocks_for(width), MOST_THREADS, *sums)
    return dx, d_scale if Scale is not None and need[1] else None, d_bias if Bias is not None and need[2] else None
