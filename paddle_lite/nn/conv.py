"""Convolution layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7, size_of
from ..layers.nn.conv import check_flag, grouped
from ..layers.support.activation_by_name import activate
from ..layers.support.window_arguments import padding_attrs, pair
from ..ops.math import elementwise
from ..ops.nn import conv
from ..params.initializer import Normal


def finish(out: Any, bias: Any, act: str | None, channel: int = 1) -> Variable:
    """Return the activation of `out` plus the bias of each channel, which is axis `channel`."""
    return activate(out if bias is None else elementwise.elementwise_add.call(out, bias, axis=channel), act)


def unless_given(dimensions: int) -> dict[str, Any]:
    """Return the attributes of a convolution that has one group, strides and dilations of 1, and no padding."""
    ones, zeros = [1] * dimensions, [0] * dimensions
    return {"strides": ones, "dilations": ones, "paddings": zeros, "padding_algorithm": "EXPLICIT", "groups": 1}


class _Convolution(Layer):
    """The implementation that both spellings of the layer share."""

    _op: Any = conv.conv2d
    _channel = 1

    _unless_given = {**unless_given(2), "data_format": "NCHW"}

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: int | Sequence[int],
        stride: int | Sequence[int],
        padding: Any,
        dilation: int | Sequence[int],
        groups: int | None,
        param_attr: Any,
        bias_attr: Any,
        use_cudnn: bool,
        act: str | None,
        dtype: Any,
        data_format: str,
    ) -> None:
        super().__init__(dtype=dtype)
        self._num_channels, self._num_filters, self._filter_size = num_channels, num_filters, filter_size
        self._param_attr, self._bias_attr, self._use_cudnn = param_attr, bias_attr, use_cudnn
        check_flag("Conv2D", use_cudnn)
        groups = grouped("Conv2D", num_channels, num_filters, groups)
        size = pair("Conv2D", "filter_size", filter_size)
        paddings, algorithm = padding_attrs("Conv2D", padding, data_format == "NHWC")
        self._act = act
        self._channel = 3 if data_format == "NHWC" else 1
        self._attrs = {
            "strides": pair("Conv2D", "stride", stride),
            "dilations": pair("Conv2D", "dilation", dilation),
            "paddings": paddings,
            "padding_algorithm": algorithm,
            "groups": groups,
            "data_format": data_format,
        }
        depthwise = groups == num_channels and num_filters % num_channels == 0 and groups > 1 and not use_cudnn
        self._op = conv.depthwise_conv2d if depthwise else conv.conv2d
        self._l_type = "depthwise_conv2d" if depthwise else "conv2d"
        deviation = math.sqrt(2.0 / (size[0] * size[1] * num_channels))
        self.weight = self.create_parameter(
            [num_filters, num_channels // groups, *size],
            param_attr,
            default_initializer=Normal(0.0, deviation),
            dtype=self._dtype,
        )
        self.bias = self.create_parameter([num_filters], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        return finish(self._op.call(input, self.weight, **self._attrs), self.bias, self._act, self._channel)


@also_before_1_7(num_channels=size_of(1))
class Conv2D(_Convolution):
    """Apply a two-dimensional convolution to [N, C, H, W].

    Arguments:
        num_channels: channels of the input.
        num_filters: channels of the output.
        filter_size: height and width of the window, or one number for both.
        stride, dilation: one number or [height, width].
        padding: one number, [height, width], [top, bottom, left, right], "SAME" or "VALID".
        groups: number of groups; channels and filters are divided by it.
        param_attr: of the filter, [num_filters, num_channels / groups, height, width]; by default
            normal with deviation sqrt(2 / (height * width * num_channels)).
        bias_attr: of the bias, [num_filters]; False for none.
        use_cudnn: kept for Fluid code; where it is False, as many groups as channels make an operator depthwise_conv2d.
        act: name of an activation.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> conv = paddle.fluid.dygraph.Conv2D(1, 20, 5, act='relu')
    >>> conv(paddle.imperative.to_variable(np.ones([2, 1, 28, 28], 'float32'))).shape
    [2, 20, 24, 24]
    """

    def __init__(
        self,
        num_channels: int,
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
        dtype: Any = "float32",
    ) -> None:
        super().__init__(
            num_channels,
            num_filters,
            filter_size,
            stride,
            padding,
            dilation,
            groups,
            param_attr,
            bias_attr,
            use_cudnn,
            act,
            dtype,
            "NCHW",
        )


class Conv2d(_Convolution):
    """Apply a two-dimensional convolution: `Conv2D` with the argument order of the 2.0-alpha.

    Arguments: as of fluid.dygraph.Conv2D, and
        name: kept for Paddle code.
        data_format: "NCHW" or "NHWC".

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> conv = paddle.nn.Conv2D(1, 20, 5, padding=2, data_format='NHWC')
    >>> conv(paddle.imperative.to_variable(np.ones([2, 28, 28, 1], 'float32'))).shape
    [2, 28, 28, 20]
    """

    _public_name = "Conv2D"

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: int | Sequence[int],
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
        dtype: Any = "float32",
    ) -> None:
        super().__init__(
            num_channels,
            num_filters,
            filter_size,
            stride,
            padding,
            dilation,
            groups,
            param_attr,
            bias_attr,
            use_cudnn,
            act,
            dtype,
            data_format,
        )
