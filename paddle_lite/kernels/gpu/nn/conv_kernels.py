"""GPU kernels of convolutions: adapters from Paddle's attributes to the functions of conv/convolution.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.support.image_layout import from_channels_first, to_channels_first
from ....ops.support.window_sizes import resolve_paddings
from ...registry import array_module, kernel
from ..conv.convolution import Place, convolve, filter_grad, image_grad
from ..support.shape import alike


def place_of(
    size: Any, window: Any, strides: Any, paddings: Any, padding_algorithm: str, dilations: Any
) -> Place:  # fmt: skip
    pads, apart = resolve_paddings(size, window, strides, paddings, padding_algorithm, dilations)
    return Place(size, window, strides, pads, apart)


def laid_out(image: Any, data_format: str) -> Any:
    """Return images [N, C, ...] in the order of a data_format, without gaps."""
    return array_module("gpu").ascontiguousarray(from_channels_first(image, data_format))


def with_bias(out: Any, bias: Any) -> Any:
    """Return a result [N, C, ...] plus the bias of each filter, if there is one."""
    return out if bias is None else out + bias.reshape(-1, *[1] * (out.ndim - 2))


def bias_grad(dy: Any, bias: Any, wanted: bool) -> Any:
    """Return the gradient of a bias for each filter."""
    return dy.sum(axis=(0, *range(2, dy.ndim))).reshape(bias.shape) if bias is not None and wanted else None


@kernel("conv2d", "depthwise_conv2d", device="gpu")
def conv2d(
    Input: Any,
    Filter: Any,
    Bias: Any,
    ResidualData: Any,
    *,
    groups: int,
    data_format: str,
    reference: Callable,
    **place: Any,
) -> Any:
    if not alike(Input, Filter):
        return reference(Input, Filter, Bias, ResidualData, groups=groups, data_format=data_format, **place)
    x = to_channels_first(Input, data_format)
    out = convolve(x, Filter, place_of(x.shape[2:], Filter.shape[2:], **place), groups)
    out = laid_out(with_bias(out, Bias), data_format)
    return out if ResidualData is None else out + ResidualData


@kernel("conv2d_grad", "depthwise_conv2d_grad", device="gpu")
def conv2d_grad(
    Input: Any, Filter: Any, Bias: Any, dOutput: Any,
    *, groups: int, data_format: str, need: tuple = (True, True, True), reference: Callable, **place: Any,
) -> tuple:  # fmt: skip
    if not alike(Input, Filter, dOutput):
        return reference(Input, Filter, Bias, dOutput, groups=groups, data_format=data_format, need=need, **place)
    x, dy = to_channels_first(Input, data_format), to_channels_first(dOutput, data_format)
    where = place_of(x.shape[2:], Filter.shape[2:], **place)
    dx = dw = None
    if need[0]:
        dx = laid_out(image_grad(dy, Filter, where, groups), data_format)
    if need[1]:
        dw = filter_grad(x, dy, Filter.shape, where, groups)
    return dx, dw, bias_grad(dy, Bias, need[2])
