"""GPU kernels of transposed convolutions: the gradient of a convolution's images, whose own gradient is that convolution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....ops.support.image_layout import to_channels_first
from ....ops.support.window_sizes import transposed_sizes
from ...registry import kernel
from ..conv.convolution import Place, convolve, filter_grad, image_grad
from ..support.shape import alike
from .conv_kernels import bias_grad, laid_out, with_bias


def _place(
    size: Any, window: Any, strides: Any, paddings: Any, padding_algorithm: str, dilations: Any, output_size: Any
) -> Place:
    """Return where the windows stand over the images that are the result."""
    pads, apart, out = transposed_sizes(size, window, strides, paddings, padding_algorithm, dilations)
    return Place([*output_size] or out, window, strides, pads, apart)


def _transposed(Input: Any, Filter: Any, Bias: Any, *, groups: int, data_format: str, **place: Any) -> Any:
    x = to_channels_first(Input, data_format)
    out = image_grad(x, Filter, _place(x.shape[2:], Filter.shape[2:], **place), groups)
    return laid_out(with_bias(out, Bias), data_format)


def _transposed_grad(
    Input: Any, Filter: Any, Bias: Any, dOutput: Any, *, groups: int, data_format: str, need: tuple, **place: Any
) -> tuple:
    x, dy = to_channels_first(Input, data_format), to_channels_first(dOutput, data_format)
    where = _place(x.shape[2:], Filter.shape[2:], **place)
    dx = dw = None
    if need[0]:
        dx = laid_out(convolve(dy, Filter, where, groups), data_format)
    if need[1]:
        dw = filter_grad(dy, x, Filter.shape, where, groups)
    return dx, dw, bias_grad(dy, Bias, need[2])


@kernel("conv2d_transpose", "depthwise_conv2d_transpose", device="gpu")
def conv2d_transpose(Input: Any, Filter: Any, Bias: Any, *, reference: Callable, **attrs: Any) -> Any:
    return (_transposed if alike(Input, Filter) else reference)(Input, Filter, Bias, **attrs)


@kernel("conv2d_transpose_grad", "depthwise_conv2d_transpose_grad", device="gpu")
def conv2d_transpose_grad(
    Input: Any,
    Filter: Any,
    Bias: Any,
    dOutput: Any,
    *,
    need: tuple = (True, True, True),
    reference: Callable,
    **attrs: Any,
) -> tuple:
    run = _transposed_grad if alike(Input, Filter, dOutput) else reference
    return run(Input, Filter, Bias, dOutput, need=need, **attrs)


@kernel("conv3d_transpose", device="gpu")
def conv3d_transpose(Input: Any, Filter: Any, *, reference: Callable, **attrs: Any) -> Any:
    return _transposed(Input, Filter, None, **attrs) if alike(Input, Filter) else reference(Input, Filter, **attrs)


@kernel("conv3d_transpose_grad", device="gpu")
def conv3d_transpose_grad(
    Input: Any, Filter: Any, dOutput: Any, *, need: tuple = (True, True), reference: Callable, **attrs: Any
) -> tuple:
    if not alike(Input, Filter, dOutput):
        return reference(Input, Filter, dOutput, need=need, **attrs)
    return _transposed_grad(Input, Filter, None, dOutput, need=(*need, False), **attrs)[:2]
