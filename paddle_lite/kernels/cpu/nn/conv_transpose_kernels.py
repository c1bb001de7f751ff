"""CPU kernels of transposed convolutions.

A transposed convolution is the gradient of a convolution with respect to its images; its own gradient is that convolution.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....ops.support import window_sizes
from ....ops.support.image_layout import from_channels_first, to_channels_first
from ...registry import kernel
from .conv_kernels import FUNCTIONS, bias_grad, flat


def _placement(
    size: Any, window: Any, strides: Any, paddings: Any, padding_algorithm: str, dilations: Any, output_size: Any
) -> tuple[tuple[int, ...], tuple[Any, Any, Any]]:
    """Return (size of the output, (strides, flat paddings, dilations))."""
    pads, dilations, out = window_sizes.transposed_sizes(size, window, strides, paddings, padding_algorithm, dilations)
    return tuple(output_size) or tuple(out), (tuple(strides), flat(pads), tuple(dilations))


@kernel("conv2d_transpose", "depthwise_conv2d_transpose")
def conv2d_transpose(
    Input: np.ndarray, Filter: np.ndarray, Bias: Any,
    *, groups: int, data_format: str, reference: Callable, **place: Any,
) -> np.ndarray:  # fmt: skip
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, Bias, groups=groups, data_format=data_format, **place)
    x = to_channels_first(Input, data_format)
    size, where = _placement(x.shape[2:], Filter.shape[2:], **place)
    out = FUNCTIONS[x.ndim].input_grad(x, Filter, (x.shape[0], Filter.shape[1] * groups, *size), *where, groups)
    if Bias is not None:
        out += Bias.reshape(1, -1, 1, 1)
    return np.ascontiguousarray(from_channels_first(out, data_format))


@kernel("conv2d_transpose_grad", "depthwise_conv2d_transpose_grad")
def conv2d_transpose_grad(
    Input: np.ndarray, Filter: np.ndarray, Bias: Any, dOutput: np.ndarray,
    *, groups: int, data_format: str, need: tuple = (True, True, True), reference: Callable, **place: Any,
) -> tuple:  # fmt: skip
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, Bias, dOutput, groups=groups, data_format=data_format, need=need, **place)
    x, dy = to_channels_first(Input, data_format), to_channels_first(dOutput, data_format)
    _, where = _placement(x.shape[2:], Filter.shape[2:], **place)
    functions = FUNCTIONS[x.ndim]
    dx = (
        np.ascontiguousarray(from_channels_first(functions.forward(dy, Filter, *where, groups), data_format))
        if need[0]
        else None
    )
    dw = functions.filter_grad(dy, x, Filter.shape, *where, groups) if need[1] else None
    return dx, dw, bias_grad(dy, Bias, need[2])


@kernel("conv3d_transpose")
def conv3d_transpose(Input: np.ndarray, Filter: np.ndarray, *, reference: Callable, **attrs: Any) -> np.ndarray:
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, **attrs)
    return conv2d_transpose(Input, Filter, None, reference=reference, **attrs)


@kernel("conv3d_transpose_grad")
def conv3d_transpose_grad(
    Input: np.ndarray, Filter: np.ndarray, dOutput: np.ndarray,
    *, need: tuple = (True, True), reference: Callable, **attrs: Any,
) -> tuple:  # fmt: skip
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, dOutput, need=need, **attrs)
    return conv2d_transpose_grad(Input, Filter, None, dOutput, need=(*need, False), reference=reference, **attrs)[:2]
