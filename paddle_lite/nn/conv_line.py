"""Convolution along one dimension."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.errors import ArgumentValueError, ShapeError, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.nn.conv import check_flag, grouped
from ..layers.shape.shape import squeeze, unsqueeze
from ..layers.support.arguments import check_variable
from ..layers.support.window_arguments import padding_attrs, pair
from ..ops.nn import conv
from ..params.initializer import Normal
from .conv import finish


class Conv1D(Layer):
    """Apply a convolution along the one dimension of sequences of equal length.

    It is computed as a two-dimensional convolution of images of height 1.

    Arguments:
        num_channels: channels of the input.
        num_filters: channels of the output.
        filter_size, stride, dilation: ints.
        padding: an int, [before, after], "SAME" or "VALID".
        groups: number of groups; channels and filters are divided by it.
        param_attr: of the filter, [num_filters, num_channels / groups, filter_size]; by default normal with deviation
            sqrt(2 / (filter_size * num_channels)).
        bias_attr: of the bias, [num_filters]; False for none.
        use_cudnn: kept for Paddle code.
        act: name of an activation.
        name: kept for Paddle code.
        data_format: "NCL" or "NLC".
        dtype: "float32" or "float64".

    Shapes:
        input [N, C, L] (NCL) or [N, L, C] (NLC) -> the same with the filters in place of C, and the length of the output.

    Raises:
        ArgumentValueError: groups, data_format or padding is wrong.
        ShapeError: the input is not of rank 3.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> conv = paddle.nn.Conv1D(4, 8, 3, padding=1, act='relu')
    >>> conv(paddle.imperative.to_variable(np.ones([2, 4, 10], 'float32'))).shape
    [2, 8, 10]
    """

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: int,
        padding: int | Sequence[int] | str = 0,
        stride: int = 1,
        dilation: int = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: str | None = None,
        name: str | None = None,
        data_format: str = "NCL",
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        if data_format not in ("NCL", "NLC"):
            raise ArgumentValueError(message("Conv1D", "data_format", repr(data_format), '"NCL" or "NLC"'))
        check_flag("Conv1D", use_cudnn)
        groups = grouped("Conv1D", num_channels, num_filters, groups)
        size, step, distance = (
            pair("Conv1D", name, value, 1)[0]
            for name, value in (("filter_size", filter_size), ("stride", stride), ("dilation", dilation))
        )
        paddings, algorithm = padding_attrs("Conv1D", padding, n=1)
        self._act = act
        self._data_format = data_format
        self._attrs = {
            "strides": [1, step],
            "dilations": [1, distance],
            "paddings": [0, *paddings] if len(paddings) == 1 else [0, 0, *paddings],
            "padding_algorithm": algorithm,
            "groups": groups,
            "data_format": "NCHW" if data_format == "NCL" else "NHWC",
        }
        deviation = math.sqrt(2.0 / (size * num_channels))
        self.weight = self.create_parameter(
            [num_filters, num_channels // groups, size],
            param_attr,
            default_initializer=Normal(0.0, deviation),
            dtype=self._dtype,
        )
        self.bias = self.create_parameter([num_filters], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        shape = list(check_variable("Conv1D", "input", input).shape)
        if len(shape) != 3:
            raise ShapeError(message("Conv1D", "input", f"shape {shape}", f"3 dimensions, {self._data_format}"))
        height, channel = (2, 1) if self._data_format == "NCL" else (1, 3)
        out = conv.conv2d.call(unsqueeze(input, [height]), unsqueeze(self.weight, [2]), **self._attrs)
        return squeeze(finish(out, self.bias, self._act, channel), [height])
