"""GPU kernels of margins that repeat the image: one launch an axis. The reference takes margins of one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....ops.support.image_layout import image_axes, sides, sources
from ....ops.support.shape_rules import requested
from ...registry import kernel
from ..support.axis_maps import AxisMap, along_axis, axis_map
from ..support.caches import kept_on_device
from ..support.shape import current_device


@kept_on_device(128)
def _map(size: int, before: int, after: int, mode: str, dtype: str, back: bool, device: int) -> AxisMap:
    places = np.array(sources(size, before, after, mode))
    return axis_map([(places, np.ones(len(places), dtype))], size, back)


def _margins(x: Any, shape: Any, Paddings: Any, paddings: Any, mode: str, data_format: str, back: bool) -> Any:
    pairs = sides(requested(paddings, Paddings), data_format)
    for axis in image_axes(data_format):
        x = along_axis(x, axis, _map(shape[axis], *pairs[axis], mode, x.dtype.name, back, current_device()))
    return x


@kernel("pad2d", device="gpu")
def pad2d(X: Any, Paddings: Any, *, pad_value: float, mode: str, reference: Callable, **attrs: Any) -> Any:
    if mode == "constant" or not X.size:
        return reference(X, Paddings, pad_value=pad_value, mode=mode, **attrs)
    return _margins(X, X.shape, Paddings, mode=mode, **attrs, back=False)


@kernel("pad2d_grad", device="gpu")
def pad2d_grad(X: Any, Paddings: Any, dOut: Any, *, mode: str, reference: Callable, **attrs: Any) -> Any:
    if mode == "constant" or not dOut.size:
        return reference(X, Paddings, dOut, mode=mode, **attrs)
    return _margins(dOut, X.shape, Paddings, mode=mode, **attrs, back=True)
