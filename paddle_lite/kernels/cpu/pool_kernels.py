"""The CPU kernels of the pooling operators: Paddle's attributes on one side, the plain functions of pool.py on the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import geometry
from ..registry import kernel
from . import pool


def _windows(size, ksize, global_pooling, strides, paddings, exclusive, adaptive, ceil_mode, padding_algorithm):
    """The windows of a pooling over an image of `size`."""
    if adaptive and not global_pooling:
        return pool.adaptive_windows(size, ksize)
    window, pads, out = geometry.pooling(
        size, ksize, global_pooling, strides, paddings, adaptive, ceil_mode, padding_algorithm
    )
    return pool.strided_windows(size, window, strides, (*pads[0], *pads[1]), out, exclusive)


def _nchw(x: np.ndarray, data_format: str) -> np.ndarray:
    return x.transpose(0, 3, 1, 2) if data_format == "NHWC" else x


def _back(x: np.ndarray, data_format: str) -> np.ndarray:
    return np.ascontiguousarray(x.transpose(0, 2, 3, 1)) if data_format == "NHWC" else x


@kernel("pool2d")
def pool2d(X: np.ndarray, *, pooling_type: str, data_format: str, reference: Callable, **place: Any) -> np.ndarray:
    if X.dtype.char not in "fd":
        return reference(X, pooling_type=pooling_type, data_format=data_format, **place)
    x = _nchw(X, data_format)
    windows = _windows(x.shape[2:], **place)
    return _back((pool.max_pool2d if pooling_type == "max" else pool.avg_pool2d)(x, windows), data_format)


@kernel("pool2d_grad")
def pool2d_grad(
    X: np.ndarray, Out: np.ndarray, dOut: np.ndarray,
    *, pooling_type: str, data_format: str, reference: Callable, **place: Any,
) -> np.ndarray:  # fmt: skip
    if X.dtype.char not in "fd":
        return reference(X, Out, dOut, pooling_type=pooling_type, data_format=data_format, **place)
    x, y, dy = (_nchw(a, data_format) for a in (X, Out, dOut))
    windows = _windows(x.shape[2:], **place)
    if pooling_type == "max":
        return _back(pool.max_pool2d_grad(x, y, dy, windows), data_format)
    return _back(pool.avg_pool2d_grad(dy, x.shape, windows), data_format)


def _index_windows(size, ksize, global_pooling, adaptive, strides, paddings):
    """The windows of a pooling without the attributes that only pool2d has."""
    return _windows(size, ksize, global_pooling, strides, paddings, True, adaptive, False, "EXPLICIT")


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
