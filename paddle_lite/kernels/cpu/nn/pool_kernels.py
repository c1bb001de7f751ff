"""CPU kernels of the pooling operators: adapters from Paddle's attributes to the functions of pool.py."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ....ops.support import window_sizes
from ....ops.support.image_layout import from_channels_first, to_channels_first
from ...registry import kernel
from . import pool


def windows_of(size, ksize, global_pooling, strides, paddings, exclusive, adaptive, ceil_mode, padding_algorithm):
    """Return the windows of a pooling over an image of `size`."""
    if adaptive and not global_pooling:
        return pool.adaptive_windows(size, ksize)
    window, pads, out = window_sizes.pooling_sizes(
        size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
    )
    return pool.strided_windows(size, window, strides, (*pads[0], *pads[1]), out, exclusive)


@kernel("pool2d")
def pool2d(
    X: np.ndarray, *, pooling_type: str, data_format: str, reference: Callable, act: str | None = None, **place: Any
) -> np.ndarray:
    """Compute pool2d; Plans pass `act`, an activation that is fused into poolings of images [N, C, H, W]."""
    if X.dtype.char not in "fd":
        return reference(X, pooling_type=pooling_type, data_format=data_format, **place)
    x = to_channels_first(X, data_format)
    windows = windows_of(x.shape[2:], **place)
    out = (pool.max_pool2d if pooling_type == "max" else pool.avg_pool2d)(x, windows, act)
    return np.ascontiguousarray(from_channels_first(out, data_format))


@kernel("pool2d_grad")
def pool2d_grad(
    X: np.ndarray, Out: np.ndarray, dOut: np.ndarray,
    *, pooling_type: str, data_format: str, reference: Callable, **place: Any,
) -> np.ndarray:  # fmt: skip
    if X.dtype.char not in "fd":
        return reference(X, Out, dOut, pooling_type=pooling_type, data_format=data_format, **place)
    x, y, dy = (to_channels_first(a, data_format) for a in (X, Out, dOut))
    windows = windows_of(x.shape[2:], **place)
    if pooling_type == "max":
        return np.ascontiguousarray(from_channels_first(pool.max_pool2d_grad(x, y, dy, windows), data_format))
    return np.ascontiguousarray(from_channels_first(pool.avg_pool2d_grad(dy, x.shape, windows), data_format))


def _index_windows(size, ksize, global_pooling, adaptive, strides, paddings):
    """Return the windows of a pooling without the attributes that only pool2d has."""
    return windows_of(size, ksize, global_pooling, strides, paddings, True, adaptive, False, "EXPLICIT")


@kernel("max_pool2d_with_index")
def max_pool2d_with_index(X: np.ndarray, *, reference: Callable, **place: Any) -> tuple[np.ndarray, np.ndarray]:
    if X.dtype.char not in "fd":
        return reference(X, **place)
    return pool.max_pool2d_with_index(X, _index_windows(X.shape[2:], **place))


@kernel("max_pool2d_with_index_grad")
def max_pool2d_with_index_grad(
    X: Any, Mask: np.ndarray, dOut: np.ndarray, *, reference: Callable, **place: Any
) -> np.ndarray:
    if dOut.dtype.char not in "fd":
        return reference(X, Mask, dOut, **place)
    return pool.max_pool2d_index_grad(Mask, dOut, X.shape)


def _volume_windows(size, ksize, global_pooling, strides, paddings, exclusive, adaptive, ceil_mode, padding_algorithm):
    """Return the windows of a 3-D pooling in two steps: over each plane, then over the depth with planes as rows."""
    window, pads, out = window_sizes.pooling_sizes(
        size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
    )
    points = out[1] * out[2]
    if adaptive and not global_pooling:
        return pool.adaptive_windows(size[1:], out[1:]), pool.adaptive_windows((size[0], points), (out[0], points))
    planes = pool.strided_windows(size[1:], window[1:], strides[1:], (*pads[1], *pads[2]), out[1:], exclusive)
    depth = (size[0], points), (window[0], 1), (strides[0], 1), (*pads[0], 0, 0), (out[0], points)
    return planes, pool.strided_windows(*depth, exclusive)


def _ndhwc(x: np.ndarray, data_format: str) -> np.ndarray:
    return np.moveaxis(x, -1, 1) if data_format == "NDHWC" else x


def _volume(x: np.ndarray, shape: tuple[int, ...], data_format: str) -> np.ndarray:
    x = x.reshape(shape)
    return np.ascontiguousarray(np.moveaxis(x, 1, -1)) if data_format == "NDHWC" else x


@kernel("pool3d")
def pool3d(X: np.ndarray, *, pooling_type: str, data_format: str, reference: Callable, **place: Any) -> np.ndarray:
    if X.dtype.char not in "fd":
        return reference(X, pooling_type=pooling_type, data_format=data_format, **place)
    x = _ndhwc(X, data_format)
    n, c, d, *size = x.shape
    planes, depth = _volume_windows(x.shape[2:], **place)
    points = prod(planes.out_size)
    step = pool.max_pool2d if pooling_type == "max" else pool.avg_pool2d
    y = step(step(x.reshape(n, c * d, *size), planes).reshape(n, c, d, points), depth)
    if pooling_type == "avg" and planes.area == 0:  # empty windows give NaN at every depth
        tops, bottoms, lefts, rights = planes.bounds
        y[..., np.outer(bottoms - tops, rights - lefts).ravel() == 0] = np.nan
    return _volume(y, (n, c, y.shape[2], *planes.out_size), data_format)


@kernel("pool3d_grad")
def pool3d_grad(
    X: np.ndarray, Out: np.ndarray, dOut: np.ndarray,
    *, pooling_type: str, data_format: str, reference: Callable, **place: Any,
) -> np.ndarray:  # fmt: skip
    if X.dtype.char not in "fd":
        return reference(X, Out, dOut, pooling_type=pooling_type, data_format=data_format, **place)
    x, y, dy = (_ndhwc(a, data_format) for a in (X, Out, dOut))
    n, c, d, *size = x.shape
    planes, depth = _volume_windows(x.shape[2:], **place)
    points = prod(planes.out_size)
    x, y, dy = x.reshape(n, c * d, *size), y.reshape(*y.shape[:3], points), dy.reshape(*dy.shape[:3], points)
    if pooling_type == "max":
        each = pool.max_pool2d(x, planes)
        dplanes = pool.max_pool2d_grad(each.reshape(n, c, d, points), y, dy, depth)
        dx = pool.max_pool2d_grad(x, each, dplanes.reshape(each.shape), planes)
    else:
        dplanes = pool.avg_pool2d_grad(dy, (n, c, d, dy.shape[3]), depth)
        dx = pool.avg_pool2d_grad(dplanes.reshape(n, c * d, *planes.out_size), x.shape, planes)
    return _volume(dx, (n, c, d, *size), data_format)
