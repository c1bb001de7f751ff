"""Convolutions with their own filters: conv2d and conv3d."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ...core.typing import Variable
from ...ops.nn import conv as ops
from ...ops.nn import conv3d as volume_ops
from ...params.initializer import Normal
from ..support.arguments import check_variable
from ..support.helper import LayerHelper
from ..support.window_arguments import padding_attrs, pair

__all__ = ["conv2d", "conv3d"]


def grouped(where: str, num_channels: int, num_filters: int, groups: int | None) -> int:
    """Return the number of groups; raise unless it divides the numbers of channels and filters, neither of them 0."""
    for name, count in (("num_channels", num_channels), ("num_filters", num_filters)):
        if count == 0:
            raise ArgumentValueError(message(where, name, describe(count), "1 or more"))
    groups = 1 if groups is None else groups
    if groups < 1 or num_channels % groups or num_filters % groups:
        needs = f"a divisor of num_channels {num_channels} and num_filters {num_filters}"
        raise ArgumentValueError(message(where, "groups", groups, needs))
    return groups


def check_flag(where: str, use_cudnn: Any) -> None:
    """Raise unless `use_cudnn` is a bool."""
    if not isinstance(use_cudnn, bool):
        raise ArgumentTypeError(message(where, "use_cudnn", describe(use_cudnn), "True or False"))


def channels_of(where: str, input: Any, data_format: Any, formats: tuple[str, str], param_attr: Any) -> tuple[int, int]:
    """Return (the number of channels of an image or volume, their axis); raise if the call is wrong."""
    if data_format not in formats:
        raise ArgumentValueError(message(where, "data_format", repr(data_format), " or ".join(map(repr, formats))))
    dims, rank = list(check_variable(where, "input", input).shape), len(formats[0])
    if len(dims) != rank:
        raise ShapeError(message(where, "input", f"shape {dims}", f"{rank} dimensions, {data_format}"))
    if param_attr is False:
        raise ArgumentValueError(message(where, "param_attr", "False", "a filter, which it cannot do without"))
    axis = rank - 1 if data_format == formats[1] else 1
    if dims[axis] < 1:
        raise ShapeError(message(where, "input", f"shape {dims}", "a known number of channels"))
    return dims[axis], axis


def _convolved(where: str, op: Any, input: Any, channels: int, axis: int, n: int, given: dict[str, Any]) -> Any:
    """Create the filter, append the convolution, then add the bias and apply the activation."""
    num_filters = given["num_filters"]
    groups = grouped(where, channels, num_filters, given["groups"])
    size = pair(where, "filter_size", given["filter_size"], n)
    paddings, algorithm = padding_attrs(where, given["padding"], axis != 1, n)
    helper = LayerHelper(op.type, bias_attr=given["bias_attr"], act=given["act"], name=given["name"])
    deviation = math.sqrt(2.0 / (math.prod(size) * channels))
    shape = [num_filters, channels // groups, *size]
    weight = helper.create_parameter(
        given["param_attr"], shape, input.dtype, default_initializer=Normal(0.0, deviation)
    )
    attrs = {
        "strides": pair(where, "stride", given["stride"], n),
        "dilations": pair(where, "dilation", given["dilation"], n),
        "paddings": paddings,
        "padding_algorithm": algorithm,
        "groups": groups,
        "data_format": given["data_format"],
    }
    out = helper.run(op, input, weight, recorded={"use_cudnn": given["use_cudnn"]}, **attrs)
    return helper.append_activation(helper.append_bias_op(out, dim_start=axis, dim_end=axis + 1))


def conv2d(
    input: Any,
    num_filters: int,
    filter_size: int | Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: Any = 0,
    dilation: int | Sequence[int] = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Compute a convolution over images with new parameters: act(conv(input, filter) + bias).

    Arguments:
        input: [N, C, H, W], or [N, H, W, C] for data_format "NHWC"; float32 or float64.
        num_filters: the number of channels of the output.
        filter_size: [height, width] of the window, or one int for both.
        stride, dilation: [height, width], or one int for both.
        padding: one int, [height, width], [top, bottom, left, right], "SAME" or "VALID".
        groups: the number of groups that channels and filters are divided into; 1 where it is None.
        param_attr: the ParamAttr of the filter [num_filters, channels / groups, height, width]; by default normally
            distributed with standard deviation sqrt(2 / (window size * channels)).
        bias_attr: the ParamAttr of the bias [num_filters]; False for no bias.
        use_cudnn: accepted for Fluid code. False makes the operator depthwise_conv2d if there are as many groups as
            channels.
        act: the name of an activation to apply to the result, or None.
        name: the prefix of the parameters' names.
        data_format: "NCHW" or "NHWC".

    Returns:
        A Variable [N, num_filters, height, width], or with the channels last, as data_format says.

    Raises:
        ArgumentTypeError: input is not a Variable, use_cudnn is not a bool, or a size, stride, padding or dilation has
            another form.
        ArgumentValueError: groups does not divide the channels and filters, data_format or padding is unknown, or
            param_attr is False.
        ShapeError: input has another rank, its number of channels is unknown, or the window is larger than the padded
            input.
        DtypeError: input is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     image = fluid.data('image', [None, 3, 32, 32])
    ...     fluid.layers.conv2d(image, num_filters=8, filter_size=3, act='relu').shape
    (-1, 8, 30, 30)
    """
    check_flag("conv2d", use_cudnn)
    channels, axis = channels_of("conv2d", input, data_format, ("NCHW", "NHWC"), param_attr)
    given = {
        "num_filters": num_filters, "filter_size": filter_size, "stride": stride, "padding": padding, "dilation": dilation,
        "groups": groups, "param_attr": param_attr, "bias_attr": bias_attr, "act": act, "name": name, "data_format": data_format,
        "use_cudnn": use_cudnn,
    }  # fmt: skip
    depthwise = groups == channels and num_filters % channels == 0 and not use_cudnn
    op = ops.depthwise_conv2d if depthwise else ops.conv2d
    return _convolved("conv2d", op, input, channels, axis, 2, given)


def conv3d(
    input: Any,
    num_filters: int,
    filter_size: int | Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: Any = 0,
    dilation: int | Sequence[int] = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCDHW",
) -> Variable:
    """Compute a convolution over volumes with new parameters: act(conv(input, filter) + bias).

    Arguments:
        input: [N, C, D, H, W], or [N, D, H, W, C] for data_format "NDHWC"; float32 or float64.
        num_filters: the number of channels of the output.
        filter_size: [depth, height, width] of the window, or one int for all.
        stride, dilation: [depth, height, width], or one int for all.
        padding: one int, [depth, height, width], [front, back, top, bottom, left, right], "SAME" or "VALID".
        groups: the number of groups that channels and filters are divided into; 1 where it is None.
        param_attr: the ParamAttr of the filter [num_filters, channels / groups, depth, height, width]; by default
            normally distributed with standard deviation sqrt(2 / (window size * channels)).
        bias_attr: the ParamAttr of the bias [num_filters]; False for no bias.
        use_cudnn: accepted for Fluid code, ignored.
        act: the name of an activation to apply to the result, or None.
        name: the prefix of the parameters' names.
        data_format: "NCDHW" or "NDHWC".

    Returns:
        A Variable [N, num_filters, depth, height, width], or with the channels last, as data_format says.

    Raises:
        ArgumentTypeError: input is not a Variable, use_cudnn is not a bool, or a size, stride, padding or dilation has
            another form.
        ArgumentValueError: groups does not divide the channels and filters, data_format or padding is unknown, or
            param_attr is False.
        ShapeError: input has another rank, its number of channels is unknown, or the window is larger than the padded
            input.
        DtypeError: input is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     volume = fluid.data('volume', [None, 3, 12, 32, 32])
    ...     fluid.layers.conv3d(volume, num_filters=2, filter_size=3, act='relu').shape
    (-1, 2, 10, 30, 30)
    """
    check_flag("conv3d", use_cudnn)
    channels, axis = channels_of("conv3d", input, data_format, ("NCDHW", "NDHWC"), param_attr)
    given = {
        "num_filters": num_filters, "filter_size": filter_size, "stride": stride, "padding": padding, "dilation": dilation,
        "groups": groups, "param_attr": param_attr, "bias_attr": bias_attr, "act": act, "name": name, "data_format": data_format,
        "use_cudnn": use_cudnn,
    }  # fmt: skip
    return _convolved("conv3d", volume_ops.conv3d, input, channels, axis, 3, given)
