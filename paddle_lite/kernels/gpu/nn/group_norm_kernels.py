"""GPU kernels of instance_norm and group_norm."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....ops.support.image_layout import from_channels_first, to_channels_first
from ...registry import array_module, kernel
from ..device.kernel import launch
from ..support.shape import alike, threads_for
from .groups import group_channels_grad, normalized_groups, normalized_groups_grad


def _normalized(x: Any, scale: Any, bias: Any, groups: int, epsilon: float, inverted: bool) -> tuple[Any, Any, Any]:
    """Return (the result, the means, the variances or 1 / their roots), for x [N, C, ...]."""
    xp, (n, channels), plane = array_module("gpu"), x.shape[:2], math.prod(x.shape[2:])
    x, each = xp.ascontiguousarray(x), channels // groups
    y, means, spreads = xp.empty_like(x), xp.empty((n, groups), x.dtype), xp.empty((n, groups), x.dtype)
    vectors = (x if one is None else one for one in (scale, bias))
    given = plane, each, groups, epsilon, int(scale is not None), int(bias is not None), int(inverted)
    launch(normalized_groups, n * groups, threads_for(each * plane), x, *vectors, y, means, spreads, *given)
    return y, means, spreads


def _normalized_grad(
    values: Any,
    scale: Any,
    bias: Any,
    means: Any,
    spreads: Any,
    dy: Any,
    groups: int,
    epsilon: float,
    of_result: bool,
    need: tuple,
) -> tuple:
    """Return the gradients of x, scale and bias; `values` are those of x, or the results."""
    xp, (n, channels), plane = array_module("gpu"), values.shape[:2], math.prod(values.shape[2:])
    values, dy, each = xp.ascontiguousarray(values), xp.ascontiguousarray(dy), channels // groups
    vectors = [values if one is None else one for one in (scale, bias)]
    flags = int(scale is not None), int(bias is not None and of_result), int(of_result)
    given = values, *vectors, means, spreads, dy
    dx = d_scale = d_bias = None
    if need[0]:
        dx = xp.empty_like(values)
        numbers = plane, each, groups, epsilon, *flags
        launch(normalized_groups_grad, n * groups, threads_for(each * plane), *given, dx, *numbers)
    if need[1] or need[2]:
        d_scale, d_bias = xp.empty(channels, values.dtype), xp.empty(channels, values.dtype)
        sizes = plane, each, groups, n
        launch(group_channels_grad, channels, threads_for(plane), *given, d_scale, d_bias, *sizes, epsilon, *flags)
    return dx, d_scale, d_bias


@kernel("instance_norm", device="gpu")
def instance_norm(X: Any, Scale: Any, Bias: Any, *, epsilon: float, reference: Callable) -> tuple:
    if not alike(X, Scale, Bias):
        return reference(X, Scale, Bias, epsilon=epsilon)
    y, means, inverses = _normalized(X, Scale, Bias, X.shape[1], epsilon, True)
    return y, means.reshape(-1), inverses.reshape(-1)


@kernel("instance_norm_grad", device="gpu")
def instance_norm_grad(
    X: Any,
    Scale: Any,
    SavedMean: Any,
    SavedVariance: Any,
    dY: Any,
    *,
    need: tuple = (True, True, True),
    reference: Callable,
) -> tuple:
    if not alike(X, Scale, dY):
        return reference(X, Scale, SavedMean, SavedVariance, dY, need=need)
    saved = SavedMean, SavedVariance, dY
    return _normalized_grad(X, Scale, None, *saved, X.shape[1], 0.0, False, (need[0], True, True))


@kernel("group_norm", device="gpu")
def group_norm(X: Any, Scale: Any, Bias: Any, *, data_layout: str, reference: Callable, **attrs: Any) -> tuple:
    if not alike(X, *(each for each in (Scale, Bias) if each is not None)):
        return reference(X, Scale, Bias, data_layout=data_layout, **attrs)
    x = to_channels_first(X, data_layout)
    y, means, variances = _normalized(x, Scale, Bias, attrs["groups"], attrs["epsilon"], False)
    return array_module("gpu").ascontiguousarray(from_channels_first(y, data_layout)), means, variances


@kernel("group_norm_grad", device="gpu")
def group_norm_grad(
    Scale: Any, Bias: Any, Variance: Any, Y: Any, dY: Any,
    *, data_layout: str, need: tuple = (True, True, True), reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    if not alike(Y, dY, *(each for each in (Scale, Bias) if each is not None)):
        return reference(Scale, Bias, Variance, Y, dY, data_layout=data_layout, need=need, **attrs)
    y, dy = to_channels_first(Y, data_layout), to_channels_first(dY, data_layout)
    wanted = need[0], Scale is not None and need[1], Bias is not None and need[2]
    given = y, Scale, Bias, Variance, Variance, dy, attrs["groups"], attrs["epsilon"]
    dx, d_scale, d_bias = _normalized_grad(*given, True, wanted)
    if dx is not None:
        dx = array_module("gpu").ascontiguousarray(from_channels_first(dx, data_layout))
    return dx, d_scale if wanted[1] else None, d_bias if wanted[2] else None
