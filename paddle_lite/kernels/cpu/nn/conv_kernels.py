"""CPU kernels of the convolution operators: adapters from Paddle's attributes to the functions of conv.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ....ops.support import window_sizes
from ....ops.support.image_layout import from_channels_first, to_channels_first
from ...registry import kernel
from ..conv import conv, conv3d


class Functions(NamedTuple):
    """A convolution and its gradients."""

    forward: Callable[..., np.ndarray]
    input_grad: Callable[..., np.ndarray]
    filter_grad: Callable[..., np.ndarray]


FUNCTIONS = {
    4: Functions(conv.conv2d, conv.conv2d_input_grad, conv.conv2d_filter_grad),
    5: Functions(conv3d.conv3d, conv3d.conv3d_input_grad, conv3d.conv3d_filter_grad),
}


def _placement(
    size: Any, window: Any, strides: Any, paddings: Any, padding_algorithm: str, dilations: Any
) -> tuple[Any, Any, Any]:
    """Return (strides, flat paddings, dilations) for conv.py."""
    pads, dilations = window_sizes.resolve_paddings(size, window, strides, paddings, padding_algorithm, dilations)
    return tuple(strides), flat(pads), tuple(dilations)


def flat(pads: list[tuple[int, int]]) -> tuple[int, ...]:
    """Return paddings as the flat tuple that conv.py takes."""
    return tuple(p for sides in pads for p in sides)


def bias_grad(dy: np.ndarray, bias: Any, wanted: bool) -> np.ndarray | None:
    return dy.sum(axis=(0, *range(2, dy.ndim))).reshape(bias.shape) if bias is not None and wanted else None


@kernel("conv2d", "depthwise_conv2d")
def conv2d(
    Input: np.ndarray, Filter: np.ndarray, Bias: Any, ResidualData: Any,
    *, groups: int, data_format: str, reference: Callable, act: str | None = None, **place: Any,
) -> np.ndarray:  # fmt: skip
    """Compute conv2d; Plans pass `act`, an activation that is fused into convolutions of images [N, C, H, W]."""
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, Bias, ResidualData, groups=groups, data_format=data_format, **place)
    x = to_channels_first(Input, data_format)
    where = (*_placement(x.shape[2:], Filter.shape[2:], **place), groups)
    if x.ndim == 4:
        out = conv.conv2d(x, Filter, *where, bias=Bias, act=act)
    else:
        out = FUNCTIONS[x.ndim].forward(x, Filter, *where)
    out = np.ascontiguousarray(from_channels_first(out, data_format))
    return out if ResidualData is None else out + ResidualData


@kernel("conv2d_grad", "depthwise_conv2d_grad")
def conv2d_grad(
    Input: np.ndarray, Filter: np.ndarray, Bias: Any, dOutput: np.ndarray,
    *, groups: int, data_format: str, need: tuple = (True, True, True), reference: Callable, **place: Any,
) -> tuple:  # fmt: skip
    if Input.dtype.char not in "fd":
        return reference(Input, Filter, Bias, dOutput, groups=groups, data_format=data_format, need=need, **place)
    x, dy = to_channels_first(Input, data_format), to_channels_first(dOutput, data_format)
    where = (*_placement(x.shape[2:], Filter.shape[2:], **place), groups)
    functions = FUNCTIONS[x.ndim]
    dw = (
        functions.filter_grad(x, dy, Filter.shape, *where) if need[1] else None
    )  # takes working memory before dx is there
    dx = (
        np.ascontiguousarray(from_channels_first(functions.input_grad(dy, Filter, x.shape, *where), data_format))
        if need[0]
        else None
    )
    return dx, dw, bias_grad(dy, Bias, need[2])
