"""Rearrangement and scaling of the channels of images."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.vision import channels as ops
from ..support.activation_by_name import activate
from ..support.arguments import check_int, check_number, check_variable

__all__ = ["affine_channel", "pixel_shuffle", "shuffle_channel", "space_to_depth", "temporal_shift"]


def pixel_shuffle(x: Variable, upscale_factor: int) -> Variable:
    """Rearrange channels to pixels: [N, C, H, W] to [N, C / factor**2, H * factor, W * factor].

    Source: Shi et al., "Real-Time Single Image and Video Super-Resolution Using an Efficient Sub-Pixel Convolutional
    Neural Network", 2016.

    Arguments:
        x: [N, C, H, W], float32 or float64; C is a multiple of upscale_factor**2.
        upscale_factor: the factor of the height and width, an int of at least 1.

    Returns:
        A Variable [N, C / factor**2, H * factor, W * factor].

    Raises:
        ArgumentTypeError: x is not a Variable, or upscale_factor is not an int.
        ArgumentValueError: upscale_factor is below 1.
        ShapeError: the rank of x is not 4, or C is not a multiple.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(4, dtype='float32').reshape(1, 4, 1, 1))
    ...     fluid.layers.pixel_shuffle(x, 2).numpy()
    array([[[[0., 1.],
             [2., 3.]]]], dtype=float32)
    """
    factor = check_int("pixel_shuffle", "upscale_factor", upscale_factor)
    return ops.pixel_shuffle.call(check_variable("pixel_shuffle", "x", x), upscale_factor=factor)


def space_to_depth(x: Variable, blocksize: int, name: str | None = None) -> Variable:
    """Rearrange blocks of pixels to channels, in the element order of the reorg layer of YOLO v2.

    Rearrange each blocksize**2 channels as the pixels of blocks of blocksize times blocksize, which gives an image of C
    / blocksize**2 channels; the result has the elements of this image in the same order.

    Arguments:
        x: [N, C, H, W]; C is a multiple of blocksize**2, H and W are multiples of blocksize.
        blocksize: an int of at least 2.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, C * blocksize**2, H / blocksize, W / blocksize].

    Raises:
        ArgumentTypeError: x is not a Variable, or blocksize is not an int.
        ArgumentValueError: blocksize is below 2.
        ShapeError: the rank of x is not 4, or a size is not a multiple.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(16).reshape(1, 4, 2, 2))
    ...     fluid.layers.space_to_depth(x, 2).numpy().ravel()
    array([ 0,  4,  1,  5,  8, 12,  9, 13,  2,  6,  3,  7, 10, 14, 11, 15])
    """
    size = check_int("space_to_depth", "blocksize", blocksize)
    return ops.space_to_depth.call(check_variable("space_to_depth", "x", x), blocksize=size)


def shuffle_channel(x: Variable, group: int, name: str | None = None) -> Variable:
    """Shuffle channels: take one channel of each group in turn.

    Source: Zhang et al., "ShuffleNet: An Extremely Efficient Convolutional Neural Network for Mobile Devices", 2017.

    Arguments:
        x: [N, C, H, W], float32 or float64.
        group: the number of groups, a divisor of C.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or group is not an int.
        ArgumentValueError: group is below 1.
        ShapeError: the rank of x is not 4, or C is not a multiple of group.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(6, dtype='float32').reshape(1, 6, 1, 1))
    ...     fluid.layers.shuffle_channel(x, group=2).numpy().ravel()
    array([0., 3., 1., 4., 2., 5.], dtype=float32)
    """
    groups = check_int("shuffle_channel", "group", group)
    return ops.shuffle_channel.call(check_variable("shuffle_channel", "x", x), group=groups)


def temporal_shift(x: Variable, seg_num: int, shift_ratio: float = 0.25, name: str | None = None) -> Variable:
    """Shift a fraction of the channels of videos to the next frame and another one to the previous frame; pad with 0.

    Source: Lin et al., "TSM: Temporal Shift Module for Efficient Video Understanding", 2019.

    Arguments:
        x: [N * seg_num, C, H, W], float32 or float64: the frames of each video in order.
        seg_num: the number of frames of a video.
        shift_ratio: the fraction of channels to shift in each direction, above 0 and below 0.5.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, seg_num is not an int, or shift_ratio is not a number.
        ArgumentValueError: seg_num is below 1, or shift_ratio is out of range.
        ShapeError: the rank of x is not 4, or its first size is not a multiple of seg_num.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(1, 9, dtype='float32').reshape(2, 4, 1, 1))
    ...     fluid.layers.temporal_shift(x, seg_num=2).numpy().reshape(2, 4)
    array([[0., 6., 3., 4.],
           [1., 0., 7., 8.]], dtype=float32)
    """
    frames = check_int("temporal_shift", "seg_num", seg_num)
    share = check_number("temporal_shift", "shift_ratio", shift_ratio)
    return ops.temporal_shift.call(check_variable("temporal_shift", "x", x), seg_num=frames, shift_ratio=share)


def affine_channel(
    x: Any,
    scale: Any = None,
    bias: Any = None,
    data_layout: str = "NCHW",
    name: str | None = None,
    act: Any = None,
) -> Variable:
    """Compute x * scale + bias, with one scale and one bias for each channel: a batch_norm with fixed statistics.

    Arguments:
        x: [N, C, H, W], or [N, H, W, C] with data_layout "NHWC", or [N, C]; float32 or float64.
        scale: [C], of the dtype of `x`.
        bias: [C], of the dtype of `x`.
        data_layout: "NCHW" or "NHWC".
        name: accepted for Fluid code, ignored.
        act: the name of an activation to apply to the result, or None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x, scale or bias is not a Variable.
        ArgumentValueError: data_layout is unknown.
        ShapeError: scale or bias is not [C], or the rank of x is 1.
        DtypeError: the dtypes differ.

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
