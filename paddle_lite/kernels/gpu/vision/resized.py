"""Axes of images at another size, by interpolation: one launch an axis, forward and backward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....ops.support.interpolation_points import Axis, interpolation_taps
from ..support.axis_maps import AxisMap, along_axis, axis_map
from ..support.caches import kept_on_device
from ..support.shape import current_device


@kept_on_device(128)
def _map(
    n: int, m: int, dtype: str, how: str, align_corners: bool, align_mode: int, scale: float, back: bool, device: int
) -> AxisMap:
    taps = interpolation_taps(np, n, m, np.dtype(dtype), how, align_corners, align_mode, scale)
    ones = np.ones(m, dtype)
    return axis_map([(places, ones if weights is None else weights) for places, weights in taps], n, back)


def resized(x: Any, axes: Sequence[Axis], how: str, align_corners: bool, align_mode: int, back: bool) -> Any:
    """Return x with its axes resized one after the other; with `back` the gradient of that, for the gradient x of the result."""
    for axis, n, m, scale in axes:
        if n != m:
            by = _map(n, m, x.dtype.name, how, align_corners, align_mode, scale, back, current_device())
            x = along_axis(x, axis, by)
    return x
