"""Transposed convolution layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import ArgumentValueError, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import Learned, also_before_1_7, size_of
from ..layers.nn.conv import check_flag, grouped
from ..layers.nn.conv_transpose import window_for
from ..layers.support.arguments import flag
from ..layers.support.window_arguments import padding_attrs, pair
from ..ops.nn import conv_transpose
from .conv import finish, unless_given


def _window(where: str, n: int) -> Learned:
    """Return what tells the size of the window that gives the output its `output_size`."""

    def tell(given: Mapping[str, Any], inputs: Sequence[Any]) -> list[int]:
        if given.get("output_size") is None:
            raise ArgumentValueError(message(where, "output_size", "None, and filter_size too", "one of them"))
        attrs = {
            "strides": pair(where, "stride", given.get("stride", 1), n),
            "dilations": pair(where, "dilation", given.get("dilation", 1), n),
            "paddings": padding_attrs(where, given.get("padding", 0), n=n)[0],
        }
        output = pair(where, "output_size", given["output_size"], n)
        return window_for(where, output, list(inputs[0].shape)[2:], attrs, n)

    return tell


@also_before_1_7(
    "num_filters / output_size filter_size padding stride dilation groups param_attr bias_attr use_cudnn act",
    num_channels=size_of(1),
    filter_size=_window("Conv2DTranspose", 2),
)
class Conv2DTranspose(Layer):
    """Apply a two-dimensional transposed convolution to [N, C, H, W]: the vjp of a convolution.

    Each side of the output has (n - 1) * stride - padding + dilation * (filter_size - 1) + 1 points, padding counted
    on both sides, or as many as `output_size` says, which may be larger by less than the stride.
    Source: Zeiler et al., "Deconvolutional Networks", 2010.

    Arguments:
        num_channels: channels of the input.
        num_filters: channels of the output.
        filter_size: height and width of the window, or one number for both.
        output_size: height and width of the output, or one number for both.
        padding: one number, [height, width], [top, bottom, left, right], "SAME" or "VALID".
        stride, dilation: one number or [height, width].
        groups: number of groups; channels and filters are divided by it.
        param_attr: of the filter, [num_channels, num_filters / groups, height, width]; by default Xavier's uniform.
        bias_attr: of the bias, [num_filters]; False for none.
        use_cudnn: kept for Fluid code; has no effect.
        act: name of an activation.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> up = paddle.fluid.dygraph.Conv2DTranspose(8, 4, 2, stride=2)
    >>> up(paddle.imperative.to_variable(np.ones([2, 8, 5, 6], 'float32'))).shape
    [2, 4, 10, 12]
    """

    _op: Any = conv_transpose.conv2d_transpose
    _unless_given = {**unless_given(2), "output_size": []}

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: int | Sequence[int],
        output_size: int | Sequence[int] | None = None,
        padding: Any = 0,
        stride: int | Sequence[int] = 1,
        dilation: int | Sequence[int] = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._num_channels, self._num_filters = num_channels, num_filters
        self._param_attr, self._bias_attr, self._use_cudnn = param_attr, bias_attr, use_cudnn
        where = "Conv2DTranspose"
        flag(where, "use_cudnn", use_cudnn)  # numbers, too, are taken, as in Paddle
        groups = grouped(where, num_channels, num_filters, groups)
        size = self._filter_size = pair(where, "filter_size", filter_size)
        paddings, algorithm = padding_attrs(where, padding)
        self._act = act
        self._attrs = {
            "output_size": [] if output_size is None else pair(where, "output_size", output_size),
            "strides": pair(where, "stride", stride),
            "dilations": pair(where, "dilation", dilation),
            "paddings": paddings,
            "padding_algorithm": algorithm,
            "groups": groups,
        }
        depthwise = num_channels == groups == num_filters and groups > 1 and not use_cudnn
        self._op = conv_transpose.depthwise_conv2d_transpose if depthwise else conv_transpose.conv2d_transpose
        self._op_type = "depthwise_conv2d_transpose" if depthwise else "conv2d_transpose"
        self.weight = self.create_parameter([num_channels, num_filters // groups, *size], param_attr, dtype=self._dtype)
        self.bias = self.create_parameter([num_filters], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        return finish(self._op.call(input, self.weight, **self._attrs), self.bias, self._act)


@also_before_1_7(
    "num_filters / output_size filter_size padding stride dilation groups param_attr bias_attr use_cudnn act name",
    num_channels=size_of(1),
    filter_size=_window("Conv3DTranspose", 3),
    bias_attr=lambda given, inputs: False,  # where none was asked for
)
class Conv3DTranspose(Layer):
    """Apply a three-dimensional transposed convolution to [N, C, D, H, W].

    Each side of the output has (n - 1) * stride - padding + dilation * (filter_size - 1) + 1 points, padding counted
    on both sides.

    Arguments:
        num_channels: channels of the input.
        num_filters: channels of the output.
        filter_size: depth, height and width of the window, or one number for all.
        padding: one number, [depth, height, width], [front, back, top, bottom, left, right], "SAME" or "VALID".
        stride, dilation: one number or [depth, height, width].
        groups: number of groups; channels and filters are divided by it.
        param_attr: of the filter, [num_channels, num_filters / groups, depth, height, width]; by default Xavier's uniform.
        bias_attr: of the bias, [num_filters]; False for none.
        use_cudnn: kept for Fluid code; has no effect.
        act: name of an activation.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> up = paddle.fluid.dygraph.Conv3DTranspose(3, 2, 2, stride=2, act='relu')
    >>> up(paddle.imperative.to_variable(np.ones([5, 3, 4, 5, 6], 'float32'))).shape
    [5, 2, 8, 10, 12]
    """

    _unless_given = unless_given(3)

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
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._num_channels, self._num_filters = num_channels, num_filters
        self._param_attr, self._bias_attr, self._use_cudnn = param_attr, bias_attr, use_cudnn
        where = "Conv3DTranspose"
        check_flag(where, use_cudnn)
        groups = grouped(where, num_channels, num_filters, groups)
        size = self._filter_size = pair(where, "filter_size", filter_size, 3)
        paddings, algorithm = padding_attrs(where, padding, n=3)
        self._act = act
        self._attrs = {
            "strides": pair(where, "stride", stride, 3),
            "dilations": pair(where, "dilation", dilation, 3),
            "paddings": paddings,
            "padding_algorithm": algorithm,
            "groups": groups,
        }
        self.weight = self.create_parameter([num_channels, num_filters // groups, *size], param_attr, dtype=self._dtype)
        self.bias = self.create_parameter([num_filters], bias_attr, is_bias=True, dtype=self._dtype)

    def forward(self, input: Variable) -> Variable:
        return finish(conv_transpose.conv3d_transpose.call(input, self.weight, **self._attrs), self.bias, self._act)
