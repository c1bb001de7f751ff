"""Transposed convolutions with their own filters: conv2d_transpose and conv3d_transpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.typing import Variable
from ...ops.nn import conv_transpose as ops
from ..support.helper import LayerHelper
from ..support.window_arguments import padding_attrs, pair
from .conv import channels_of, check_flag, grouped

__all__ = ["conv2d_transpose", "conv3d_transpose"]


def window_for(where: str, output_size: list[int], dims: list[int], given: dict[str, Any], n: int) -> list[int]:
    """Compute the size of the window that gives an output of this size."""
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
    """Create the filter, append the transposed convolution, then add the bias and apply the activation."""
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
        size = window_for(where, attrs["output_size"], dims, attrs, n)
    helper = LayerHelper(op.type, bias_attr=given["bias_attr"], act=given["act"], name=given["name"])
    weight = helper.create_parameter(given["param_attr"], [channels, num_filters // groups, *size], input.dtype)
    out = helper.run(op, input, weight, recorded={"use_cudnn": given["use_cudnn"]}, **attrs)
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
) -> Variable:
    """Compute a transposed convolution over images with new parameters: the gradient of a convolution with respect to
    its input.

    Each side of the output has size (n - 1) * stride - padding + dilation * (filter_size - 1) + 1, where padding is the
    sum of both sides. `output_size` may ask for up to stride - 1 more.

    Source: Zeiler et al., "Deconvolutional Networks", 2010.

    Arguments:
        input: [N, C, H, W], or [N, H, W, C] for data_format "NHWC"; float32 or float64.
        num_filters: the number of channels of the output.
        output_size: [height, width] of the output, or one int for both; computed from filter_size where it is None.
        filter_size: [height, width] of the window, or one int for both; computed from output_size where it is None.
        padding: one int, [height, width], [top, bottom, left, right], "SAME" or "VALID".
        stride, dilation: [height, width], or one int for both.
        groups: the number of groups that channels and filters are divided into; 1 where it is None.
        param_attr: the ParamAttr of the filter [channels, num_filters / groups, height, width]; by default Xavier
            uniform.
        bias_attr: the ParamAttr of the bias [num_filters]; False for no bias.
        use_cudnn: accepted for Fluid code. False makes the operator depthwise_conv2d_transpose if there are as many
            groups and filters as channels.
        act: the name of an activation to apply to the result, or None.
        name: the prefix of the parameters' names.
        data_format: "NCHW" or "NHWC".

    Returns:
        A Variable [N, num_filters, height, width], or with the channels last, as data_format says.

    Raises:
        ArgumentTypeError: input is not a Variable, use_cudnn is not a bool, or a size, stride, padding or dilation has
            another form.
        ArgumentValueError: neither output_size nor filter_size is given, no such output_size is possible, groups does
            not divide the channels and filters, data_format or padding is unknown, or param_attr is False.
        ShapeError: input has another rank, its number of channels is unknown, or the output would be empty.
        DtypeError: input is not float32 or float64.

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
) -> Variable:
    """Compute a transposed convolution over volumes with new parameters: the gradient of a convolution with respect to
    its input.

    Each side of the output has size (n - 1) * stride - padding + dilation * (filter_size - 1) + 1, where padding is the
    sum of both sides. `output_size` may ask for up to stride - 1 more.

    Source: Zeiler et al., "Deconvolutional Networks", 2010.

    Arguments:
        input: [N, C, D, H, W], or [N, D, H, W, C] for data_format "NDHWC"; float32 or float64.
        num_filters: the number of channels of the output.
        output_size: [depth, height, width] of the output, or one int for all; computed from filter_size where it is
            None.
        filter_size: [depth, height, width] of the window, or one int for all; computed from output_size where it is
            None.
        padding: one int, [depth, height, width], [front, back, top, bottom, left, right], "SAME" or "VALID".
        stride, dilation: [depth, height, width], or one int for all.
        groups: the number of groups that channels and filters are divided into; 1 where it is None.
        param_attr: the ParamAttr of the filter [channels, num_filters / groups, depth, height, width]; by default
            Xavier uniform.
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
        ArgumentValueError: neither output_size nor filter_size is given, no such output_size is possible, groups does
            not divide the channels and filters, data_format or padding is unknown, or param_attr is False.
        ShapeError: input has another rank, its number of channels is unknown, or the output would be empty.
        DtypeError: input is not float32 or float64.

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
