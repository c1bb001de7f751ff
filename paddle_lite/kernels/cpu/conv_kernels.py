"""The CPU kernels of the convolution operators: Paddle's attributes on one side, the plain functions of conv.py on the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import geometry
from ..registry import kernel
from . import conv


def _nchw(x: np.ndarray, data_format: str) -> np.ndarray:
    return x.transpose(0, 3, 1, 2) if data_format == "NHWC" else x


def _back(x: np.ndarray, data_format: str) -> np.ndarray:
    return np.ascontiguousarray(x.transpose(0, 2, 3, 1)) if data_format == "NHWC" else x


def _placement(
    size: Any, window: Any, strides: Any, paddings: Any, padding_algorithm: str, dilations: Any
) -> tuple[Any, Any, Any]:
    """(strides, the four pads, dilations) as conv.py takes them."""
    pads, dilations = geometry.resolve(size, window, strides, paddings, padding_algorithm, dilations)
    return tuple(strides), (*pads[0], *pads[1]), tuple(dilations)


@kernel("conv2d", "depthwise_conv2d")
def conv2d(
    Input: np.ndarray, Filter: np.ndarray, Bias: Any, ResidualData: Any,
    *, groups: int, data_format: str, reference: Callable, **place: Any,
) -> np.ndarray:  # fmt: skip
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, Bias, ResidualData, groups=groups, data_format=data_format, **place)
    x = _nchw(Input, data_format)
    out = conv.conv2d(x, Filter, *_placement(x.shape[2:], Filter.shape[2:], **place), groups)
    if Bias is not None:
        out += Bias.reshape(1, -1, 1, 1)
    out = _back(out, data_format)
    return out if ResidualData is None else out + ResidualData


@kernel("conv2d_grad", "depthwise_conv2d_grad")
def conv2d_grad(
    Input: np.ndarray, Filter: np.ndarray, Bias: Any, dOutput: np.ndarray,
    *, groups: int, data_format: str, need: tuple = (True, True, True), reference: Callable, **place: Any,
) -> tuple:  # fmt: skip
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, Bias, dOutput, groups=groups, data_format=data_format, need=need, **place)
    x, dy = _nchw(Input, data_format), _nchw(dOutput, data_format)
    where = _placement(x.shape[2:], Filter.shape[2:], **place)
    dx = _back(conv.conv2d_input_grad(dy, Filter, x.shape, *where, groups), data_format) if need[0] else None
    dw = conv.conv2d_filter_grad(x, dy, Filter.shape, *where, groups) if need[1] else None
    db = dy.sum(axis=(0, 2, 3)).reshape(Bias.shape) if Bias is not None and need[2] else None
    return dx, dw, db
