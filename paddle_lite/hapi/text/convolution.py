"""Convolution over the steps of sequences."""

from __future__ import annotations

from typing import Any

from ...imperative.container import LayerList
from ...imperative.layer import Layer
from ...layers.shape.shape import concat, squeeze, unsqueeze
from ...nn.conv import Conv2D
from ...nn.pool import Pool2D

__all__ = ["CNNEncoder", "Conv1dPoolLayer"]


class Conv1dPoolLayer(Layer):
    """A convolution over steps [N, channels, steps], and a pool over windows of its result.

    Arguments:
        num_channels, num_filters: the channels of the input and of the result.
        filter_size, conv_stride, conv_padding, dilation, groups, param_attr, bias_attr: of the convolution.
        pool_size, pool_stride, pool_padding, pool_type, global_pooling, ceil_mode, exclusive: of the pool.
        act: the activation of the convolution.
        use_cudnn: accepted for Fluid code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> layer = paddle.hapi.text.Conv1dPoolLayer(3, 5, filter_size=2, pool_size=2)
    >>> layer(paddle.imperative.to_variable(np.zeros([2, 3, 8], 'float32'))).shape
    [2, 5, 6]
    """

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: int,
        pool_size: int,
        conv_stride: int = 1,
        pool_stride: int = 1,
        conv_padding: int = 0,
        pool_padding: int = 0,
        act: str | None = None,
        pool_type: str = "max",
        global_pooling: bool = False,
        dilation: int = 1,
        groups: int | None = None,
        ceil_mode: bool = False,
        exclusive: bool = True,
        use_cudnn: bool = False,
        param_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        self._conv2d = Conv2D(
            num_channels=num_channels,
            num_filters=num_filters,
            filter_size=[filter_size, 1],
            stride=[conv_stride, 1],
            padding=[conv_padding, 0],
            dilation=[dilation, 1],
            groups=groups,
            param_attr=param_attr,
            bias_attr=bias_attr,
            use_cudnn=use_cudnn,
            act=act,
        )
        self._pool2d = Pool2D(
            pool_size=[pool_size, 1],
            pool_type=pool_type,
            pool_stride=[pool_stride, 1],
            pool_padding=[pool_padding, 0],
            global_pooling=global_pooling,
            use_cudnn=use_cudnn,
            ceil_mode=ceil_mode,
            exclusive=exclusive,
        )

    def forward(self, input: Any) -> Any:
        """Return [N, num_filters, windows]."""
        return squeeze(self._pool2d(self._conv2d(unsqueeze(input, axes=[-1]))), axes=[-1])


class CNNEncoder(Layer):
    """Several convolutions with pools over the same steps, whose results are concatenated along the channels.

    Arguments:
        num_channels, num_filters, filter_size, pool_size, conv_stride, pool_stride, conv_padding, pool_padding, act: as
            for Conv1dPoolLayer; or a list with one for each.
        num_layers: the number of convolutions.
        pool_type, global_pooling, use_cudnn: as for Conv1dPoolLayer.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> layer = paddle.hapi.text.CNNEncoder(3, 5, filter_size=[2, 3], pool_size=[7, 6], num_layers=2)
    >>> layer(paddle.imperative.to_variable(np.zeros([2, 3, 8], 'float32'))).shape
    [2, 10, 1]
    """

    def __init__(
        self,
        num_channels: Any,
        num_filters: Any,
        filter_size: Any,
        pool_size: Any,
        num_layers: int = 1,
        conv_stride: Any = 1,
        pool_stride: Any = 1,
        conv_padding: Any = 0,
        pool_padding: Any = 0,
        act: Any = None,
        pool_type: str = "max",
        global_pooling: bool = False,
        use_cudnn: bool = False,
    ) -> None:
        super().__init__()
        settings = {
            "num_channels": num_channels,
            "num_filters": num_filters,
            "filter_size": filter_size,
            "pool_size": pool_size,
            "conv_stride": conv_stride,
            "pool_stride": pool_stride,
            "conv_padding": conv_padding,
            "pool_padding": pool_padding,
            "act": act,
        }
        self.num_layers = num_layers
        made = []
        for number in range(num_layers):
            own = {name: each[number] if isinstance(each, (list, tuple)) else each for name, each in settings.items()}
            own.update(pool_type=pool_type, global_pooling=global_pooling, use_cudnn=use_cudnn)
            made.append(Conv1dPoolLayer(**own))
        self.conv1d_pool_layers = LayerList(made)

    def forward(self, input: Any) -> Any:
        """Return [N, all filters, windows].

        Arguments:
            input: [N, num_channels, steps].
        """
        return concat([layer(input) for layer in self.conv1d_pool_layers], axis=1)
