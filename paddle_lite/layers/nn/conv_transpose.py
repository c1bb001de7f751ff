"""Transposed convolutions that own their filters: conv2d_transpose and conv3d_transpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...ops.nn import conv_transpose as ops
from ..support.helper import LayerHelper
from ..support.window_arguments import padding_attrs, pair
from .conv import channels_of, check_flag, grouped

__all__ = ["conv2d_transpose", "conv3d_transpose"]


def _window(where: str, output_size: list[int], dims: list[int], given: dict[str, Any], n: int) -> list[int]:
    """The size of the window that makes an output of this size."""
    if min(dims) < 1:
        needs = "a filter_size, or known sizes of the image"
        raise ShapeError(message(where, "input", f"sizes {dims} of the image and no filter_size", needs))
    paddings = given["paddings"] if len(given["paddings"]) == 2 * n else [p for p in given["paddings"] for _ in (0, 1)]
    window = [
        (out - (size - 1) * stride + paddings[2 * i] + paddings[2 * i + 1] - 1) // dilation + 1
        for i, (out, size, stride, dilation) in enumerate(
            zip(output_size, dims, given["strides"], given["dilations"], strict=True)
        )
    ]
    if min(window) < 1:
        raise ShapeError(message(where, "output_size", output_size, f"more: the window would be {window}"))
    return window


def _transposed(where: str, op: Any, input: Any, channels: int, axis: int, n: int, given: dict[str, Any]) -> Any:
    """What both functions do."""
    num_filters, output_size, filter_size = given["num_filters"], given["output_size"], given["filter_size"]
    groups = grouped(where, channels, num_filters, given["groups"])
    paddings, algorithm = padding_attrs(where, given["padding"], axis != 1, n)
    attrs: dict[str, Any] = {
        "strides": pair(where, "stride", given["stride"], n),
        "dilations": pair(where, "dilation", given["dilation"], n),
        "paddings": paddings,
        "padding_algorithm": algorithm,
        "groups": groups,
        "output_size": [] if output_size is None else pair(where, "output_size", output_size, n),
        "data_format": "NCHW" if axis == 1 else "NHWC",  # of volumes too, as Paddle writes it
    }
    if filter_size is not None:
        size = pair(where, "filter_size", filter_size, n)
    elif output_size is None:
        raise ArgumentValueError(message(where, "output_size", "None, and filter_size too", "one of them"))
    else:
        dims = list(input.shape)[2:] if axis == 1 else list(input.shape)[1:-1]
        size = _window(where, attrs["output_size"], dims, attrs, n)
    helper = LayerHelper(op.type, bias_attr=given["bias_attr"], act=given["act"], name=given["name"])
    weight = helper.create_parameter(given["param_attr"], [channels, num_filters // groups, *size], input.dtype)
    out = helper.run(op, input, weight, carried={"use_cudnn": given["use_cudnn"]}, **attrs)
    return helper.append_activation(helper.append_bias_op(out, dim_start=axis, dim_end=axis + 1))


def conv2d_transpose(
    input: Any,
    num_filters: int,
    output_size: int | Sequence[int] | None = None,
    filter_size: int | Sequence[int] | None = None,
    padding: Any = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """Transposed convolution over images, with new parameters: what a convolution does to its result's gradient.

    Each side of the output has (n - 1) * stride - padding + dilation * (filter_size - 1) + 1 points, padding counted
    on both sides, or as many as `output_size` says, which may be larger by less than the stride.
    Source: Zeiler et al., "Deconvolutional Networks", 2010.

    Arguments:
        input: [N, C, H, W], or with the channels last.
        num_filters: channels of the output.
        output_size: height and width of the output, or one number for both.
        filter_size: height and width of the window, or one number for both; worked out from output_size where it is None.
        padding: one number, [height, width], [top, bottom, left, right], "SAME" or "VALID".
        stride, dilation: one number or [height, width].
        groups: number of groups; channels and filters are divided by it.
        param_attr: of the filter, [channels, num_filters / groups, height, width]; by default Xavier's uniform.
        bias_attr: of the bias, [num_filters]; False for none.
        use_cudnn: kept for Fluid code; where it is False, as many groups as channels make a depthwise operator.
        act: name of an activation.
        name: the parameters' names start with it.
        data_format: "NCHW" or "NHWC".

    Raises:
        ArgumentValueError: neither output_size nor filter_size is given.
        ShapeError: the number of channels is not known, or the window does not fit.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     image = fluid.data('image', [None, 3, 16, 16])
    ...     fluid.layers.conv2d_transpose(image, num_filters=2, output_size=32, stride=2).shape
    (-1, 2, 32, 32)
    """
    check_flag("conv2d_transpose", use_cudnn)
    channels, axis = channels_of("conv2d_transpose", input, data_format, ("NCHW", "NHWC"), param_attr)
    given = {
        "num_filters": num_filters, "output_size": output_size, "filter_size": filter_size, "padding": padding, "stride": stride,
        "dilation": dilation, "groups": groups, "param_attr": param_attr, "bias_attr": bias_attr, "act": act, "name": name,
        "use_cudnn": use_cudnn,
    }  # fmt: skip
    depthwise = groups == channels == num_filters and not use_cudnn
    op = ops.depthwise_conv2d_transpose if depthwise else ops.conv2d_transpose
    return _transposed("conv2d_transpose", op, input, channels, axis, 2, given)


def conv3d_transpose(
    input: Any,
    num_filters: int,
    output_size: int | Sequence[int] | None = None,
    filter_size: int | Sequence[int] | None = None,
    padding: Any = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCDHW",
) -> Any:
    """Transposed convolution over volumes, with new parameters: what a convolution does to its result's gradient.

    Each side of the output has (n - 1) * stride - padding + dilation * (filter_size - 1) + 1 points, padding counted
    on both sides, or as many as `output_size` says, which may be larger by less than the stride.
    Source: Zeiler et al., "Deconvolutional Networks", 2010.

    Arguments:
        input: [N, C, D, H, W], or with the channels last.
        num_filters: channels of the output.
        output_size: depth, height and width of the output, or one number for all.
        filter_size: depth, height and width of the window, or one number for all; worked out from output_size where it is None.
        padding: one number, [depth, height, width], [front, back, top, bottom, left, right], "SAME" or "VALID".
        stride, dilation: one number or [depth, height, width].
        groups: number of groups; channels and filters are divided by it.
        param_attr: of the filter, [channels, num_filters / groups, depth, height, width]; by default Xavier's uniform.
        bias_attr: of the bias, [num_filters]; False for none.
        use_cudnn: kept for Fluid code.
        act: name of an activation.
        name: the parameters' names start with it.
        data_format: "NCDHW" or "NDHWC".

    Raises:
        ArgumentValueError: neither output_size nor filter_size is given.
        ShapeError: the number of channels is not known, or the window does not fit.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     volume = fluid.data('volume', [None, 3, 4, 8, 8])
    ...     fluid.layers.conv3d_transpose(volume, num_filters=2, filter_size=2, stride=2).shape
    (-1, 2, 8, 16, 16)
    """
    check_flag("conv3d_transpose", use_cudnn)
    channels, axis = channels_of("conv3d_transpose", input, data_format, ("NCDHW", "NDHWC"), param_attr)
    given = {
        "num_filters": num_filters, "output_size": output_size, "filter_size": filter_size, "padding": padding, "stride": stride,
        "dilation": dilation, "groups": groups, "param_attr": param_attr, "bias_attr": bias_attr, "act": act, "name": name,
        "use_cudnn": use_cudnn,
    }  # fmt: skip
    return _transposed("conv3d_transpose", ops.conv3d_transpose, input, channels, axis, 3, given)
