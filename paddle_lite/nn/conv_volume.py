"""Convolution over volumes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7, size_of
from ..layers.nn.conv import grouped
from ..layers.support.arguments import flag
from ..layers.support.window_arguments import padding_attrs, pair
from ..ops.nn import conv3d
from ..params.initializer import Normal
from .conv import finish, unless_given


@also_before_1_7(num_channels=size_of(1))
class Conv3D(Layer):
    """Apply a three-dimensional convolution to [N, C, D, H, W].

    Arguments:
        num_channels: channels of the input.
        num_filters: channels of the output.
        filter_size: depth, height and width of the window, or one number for all.
        stride, dilation: one number or [depth, height, width].
        padding: one number, [depth, height, width], [front, back, top, bottom, left, right], "SAME" or "VALID".
        groups: number of groups; channels and filters are divided by it.
        param_attr: of the filter, [num_filters, num_channels / groups, depth, height, width]; by default
            normal with deviation sqrt(2 / (depth * height * width * num_channels)).
        bias_attr: of the bias, [num_filters]; False for none.
        use_cudnn: kept for Fluid code; has no effect.
        act: name of an activation.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> conv = paddle.fluid.dygraph.Conv3D(3, 2, 3, stride=2, act='relu')
    >>> conv(paddle.imperative.to_variable(np.ones([5, 3, 7, 9, 9], 'float32'))).shape
    [5, 2, 3, 4, 4]
    """

    _unless_given = unless_given(3)

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
        super().__init__(dtype=dtype)
        self._num_channels, self._num_filters, self._filter_size = num_channels, num_filters, filter_size
        self._param_attr, self._bias_attr, self._use_cudnn = param_attr, bias_attr, use_cudnn
        flag("Conv3D", "use_cudnn", use_cudnn)  # numbers, too, are taken, as in Paddle
        groups = grouped("Conv3D", num_channels, num_filters, groups)
        size = pair("Conv3D", "filter_size", filter_size, 3)
        paddings, algorithm = padding_attrs("Conv3D", padding, n=3)
        self._act = act
        self._attrs = {
            "strides": pair("Conv3D", "stride", stride, 3),
            "dilations": pair("Conv3D", "dilation", dilation, 3),
            "paddings": paddings,
            "padding_algorithm": algorithm,
            "groups": groups,
        }
        deviation = math.sqrt(2.0 / (math.prod(size) * num_channels))
        self.weight = self.create_parameter(
            [num_filters, num_channels // groups, *size],
            param_attr,
            default_initializer=Normal(0.0, deviation),
            dtype=self._dtype,
        )
        self.bias = self.create_parameter([num_filters], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        return finish(conv3d.conv3d.call(input, self.weight, **self._attrs), self.bias, self._act)
