"""The channels of images: moved between places, groups and frames, or scaled."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...ops.vision import channels as ops
from ..support.activation_by_name import activate
from ..support.arguments import check_variable, number, whole

__all__ = ["affine_channel", "pixel_shuffle", "shuffle_channel", "space_to_depth", "temporal_shift"]


def pixel_shuffle(x: Any, upscale_factor: int) -> Any:
    """An image made larger by laying out its channels as pixels.

    Shi et al., "Real-Time Single Image and Video Super-Resolution Using an Efficient Sub-Pixel Convolutional Neural
    Network", 2016.

    Arguments:
        x: [N, C, H, W], float32 or float64; C a multiple of the factor's square.
        upscale_factor: how many times as high and wide the result is.

    Returns:
        A Variable [N, C / factor**2, H * factor, W * factor].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(4, dtype='float32').reshape(1, 4, 1, 1))
    ...     fluid.layers.pixel_shuffle(x, 2).numpy()
    array([[[[0., 1.],
             [2., 3.]]]], dtype=float32)
    """
    factor = whole("pixel_shuffle", "upscale_factor", upscale_factor)
    return ops.pixel_shuffle.call(check_variable("pixel_shuffle", "x", x), upscale_factor=factor)


def space_to_depth(x: Any, blocksize: int, name: str | None = None) -> Any:
    """An image made smaller, with more channels, in the order of YOLO v2's reorganising layer.

    That order lays out each blocksize**2 channels as the pixels of blocks of blocksize times blocksize, which makes an
    image of C / blocksize**2 channels; its elements, one after another, are those of the result.

    Arguments:
        x: [N, C, H, W]; C a multiple of blocksize**2, H and W of blocksize.
        blocksize: an int, 2 or more.
        name: kept for Fluid code.

    Returns:
        A Variable [N, C * blocksize**2, H / blocksize, W / blocksize].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(16).reshape(1, 4, 2, 2))
    ...     fluid.layers.space_to_depth(x, 2).numpy().ravel()
    array([ 0,  4,  1,  5,  8, 12,  9, 13,  2,  6,  3,  7, 10, 14, 11, 15])
    """
    size = whole("space_to_depth", "blocksize", blocksize)
    return ops.space_to_depth.call(check_variable("space_to_depth", "x", x), blocksize=size)


def shuffle_channel(x: Any, group: int, name: str | None = None) -> Any:
    """An image whose channels are taken from each of several groups in turn.

    Zhang et al., "ShuffleNet: An Extremely Efficient Convolutional Neural Network for Mobile Devices", 2017.

    Arguments:
        x: [N, C, H, W], float32 or float64.
        group: how many groups there are; divides C.
        name: kept for Fluid code.

    Returns:
        A Variable of the shape of `x`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(6, dtype='float32').reshape(1, 6, 1, 1))
    ...     fluid.layers.shuffle_channel(x, group=2).numpy().ravel()
    array([0., 3., 1., 4., 2., 5.], dtype=float32)
    """
    groups = whole("shuffle_channel", "group", group)
    return ops.shuffle_channel.call(check_variable("shuffle_channel", "x", x), group=groups)


def temporal_shift(x: Any, seg_num: int, shift_ratio: float = 0.25, name: str | None = None) -> Any:
    """Videos with a share of the channels moved to the next frame, and as many to the one before; zeros come in.

    Lin et al., "TSM: Temporal Shift Module for Efficient Video Understanding", 2019.

    Arguments:
        x: [N * seg_num, C, H, W], float32 or float64: the frames of each video one after another.
        seg_num: how many frames a video has.
        shift_ratio: the share moved each way, above 0 and below 0.5.
        name: kept for Fluid code.

    Returns:
        A Variable of the shape of `x`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(1, 9, dtype='float32').reshape(2, 4, 1, 1))
    ...     fluid.layers.temporal_shift(x, seg_num=2).numpy().reshape(2, 4)
    array([[0., 6., 3., 4.],
           [1., 0., 7., 8.]], dtype=float32)
    """
    frames = whole("temporal_shift", "seg_num", seg_num)
    share = number("temporal_shift", "shift_ratio", shift_ratio)
    return ops.temporal_shift.call(check_variable("temporal_shift", "x", x), seg_num=frames, shift_ratio=share)


def affine_channel(
    x: Any,
    scale: Any = None,
    bias: Any = None,
    data_layout: str = "NCHW",
    name: str | None = None,
    act: Any = None,
) -> Any:
    """x * scale + bias, with one scale and one bias for each channel: a batch_norm whose statistics are fixed.

    Arguments:
        x: [N, C, H, W], or [N, H, W, C] with data_layout "NHWC", or [N, C]; float32 or float64.
        scale: [C], of the dtype of `x`.
        bias: [C], of the dtype of `x`.
        data_layout: "NCHW" or "NHWC".
        name: kept for Fluid code.
        act: the name of an activation for the result.

    Returns:
        A Variable of the shape of `x`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     variable = fluid.dygraph.to_variable
    ...     x, scale, bias = np.ones([1, 2, 1, 2]), np.array([2.0, 3.0]), np.array([0.5, 0.0])
    ...     fluid.layers.affine_channel(variable(x), variable(scale), variable(bias)).numpy()
    array([[[[2.5, 2.5]],
    <BLANKLINE>
            [[3. , 3. ]]]])
    """
    if data_layout not in ("NCHW", "NHWC"):
        raise ArgumentValueError(message("affine_channel", "data_layout", repr(data_layout), '"NCHW" or "NHWC"'))
    named = (("x", x), ("scale", scale), ("bias", bias))
    inputs = [check_variable("affine_channel", key, value) for key, value in named]
    return activate(ops.affine_channel.call(*inputs, data_layout=data_layout), act)
