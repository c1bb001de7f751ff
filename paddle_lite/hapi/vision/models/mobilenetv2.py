"""MobileNetV2."""

from __future__ import annotations

from typing import Any

from ....imperative.layer import Layer
from ....layers.nn.parametric_activation import relu6
from ....layers.shape.shape import reshape
from ....layers.support.arguments import check_number
from ....nn.conv import Conv2D
from ....nn.linear import Linear
from ....nn.norm import BatchNorm
from ....nn.pool import Pool2D
from ....params.attr import ParamAttr
from ...model import Model
from .pretrained import load_pretrained

__all__ = ["MobileNetV2", "mobilenet_v2"]

WEIGHTS = {
    "mobilenetv2_1.0": (
        "https://paddle-hapi.bj.bcebos.com/models/mobilenet_v2_x1.0.pdparams",
        "8ff74f291f72533f2a7956a4efff9d88",
    )
}

STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
"""(expansion, channels, number of units, stride of the first unit) of each stage."""


class ConvBNLayer(Layer):
    """A convolution without a bias, batch normalisation, and ReLU6 if it is asked for."""

    def __init__(self, channels: int, filters: int, size: int, stride: int, padding: int, groups: int = 1) -> None:
        super().__init__()
        name = self.full_name()
        self._conv = Conv2D(
            num_channels=channels,
            num_filters=filters,
            filter_size=size,
            stride=stride,
            padding=padding,
            groups=groups,
            param_attr=ParamAttr(name=f"{name}_weights"),
            bias_attr=False,
        )
        self._batch_norm = BatchNorm(
            filters,
            param_attr=ParamAttr(name=f"{name}_bn_scale"),
            bias_attr=ParamAttr(name=f"{name}_bn_offset"),
            moving_mean_name=f"{name}_bn_mean",
            moving_variance_name=f"{name}_bn_variance",
        )

    def forward(self, inputs: Any, if_act: bool = True) -> Any:
        """Return the features."""
        features = self._batch_norm(self._conv(inputs))
        return relu6(features) if if_act else features


class InvertedResidualUnit(Layer):
    """Expands the channels, filters each by itself, and reduces them."""

    def __init__(self, channels: int, filters: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = round(channels * expansion)
        self._expand_conv = ConvBNLayer(channels, wide, 1, 1, 0)
        self._bottleneck_conv = ConvBNLayer(wide, wide, 3, stride, 1, groups=wide)
        self._linear_conv = ConvBNLayer(wide, filters, 1, 1, 0)

    def forward(self, inputs: Any, ifshortcut: bool) -> Any:
        """Return the features, added to the inputs with `ifshortcut`."""
        features = self._linear_conv(self._bottleneck_conv(self._expand_conv(inputs)), if_act=False)
        return inputs + features if ifshortcut else features


class InvresiBlocks(Layer):
    """The units of a stage; all but the first have a shortcut."""

    def __init__(self, channels: int, expansion: int, filters: int, count: int, stride: int) -> None:
        super().__init__()
        self._first_block = InvertedResidualUnit(channels, filters, stride, expansion)
        self._inv_blocks = [
            self.add_sublayer(f"{self.full_name()}_{number}", InvertedResidualUnit(filters, filters, 1, expansion))
            for number in range(2, count + 1)
        ]

    def forward(self, inputs: Any) -> Any:
        """Return the features."""
        features = self._first_block(inputs, ifshortcut=False)
        for unit in self._inv_blocks:
            features = unit(features, ifshortcut=True)
        return features


class MobileNetV2(Model):
    """MobileNetV2 for images [N, 3, rows, columns] (https://arxiv.org/abs/1801.04381).

    Arguments:
        scale: the factor of the number of channels.
        num_classes: the number of classes; with 0 or less the network ends with its features.
        with_pool: whether to take the mean of each channel at the end.
        classifier_activation: the activation of the last layer; None for logits.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> model = paddle.hapi.vision.models.MobileNetV2(scale=0.25, num_classes=5)
    >>> model(paddle.imperative.to_variable(np.zeros([1, 3, 32, 32], 'float32'))).shape
    [1, 5]
    """

    def __init__(
        self,
        scale: float = 1.0,
        num_classes: int = 1000,
        with_pool: bool = True,
        classifier_activation: str | None = "softmax",
    ) -> None:
        super().__init__()
        scale = check_number("MobileNetV2", "scale", scale)
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        channels = int(32 * scale)
        self._conv1 = ConvBNLayer(3, channels, 3, 2, 1)
        self._invl = []
        for number, (expansion, wanted, count, stride) in enumerate(STAGES, start=2):
            filters = int(wanted * scale)
            stage = InvresiBlocks(channels, expansion, filters, count, stride)
            self._invl.append(self.add_sublayer(f"conv{number}", stage))
            channels = filters
        self._out_c = int(1280 * scale) if scale > 1.0 else 1280
        self._conv9 = ConvBNLayer(channels, self._out_c, 1, 1, 0)
        if with_pool:
            self._pool2d_avg = Pool2D(pool_type="avg", global_pooling=True)
        if num_classes > 0:
            self._fc = Linear(
                self._out_c,
                num_classes,
                act=classifier_activation,
                param_attr=ParamAttr(name=f"{self.full_name()}fc10_weights"),
                bias_attr=ParamAttr(name="fc10_offset"),
            )

    def forward(self, inputs: Any) -> Any:
        """Return the probabilities of the classes, [N, num_classes]."""
        features = self._conv1(inputs)
        for stage in self._invl:
            features = stage(features)
        features = self._conv9(features)
        if self.with_pool:
            features = self._pool2d_avg(features)
        return self._fc(reshape(features, shape=[-1, self._out_c])) if self.num_classes > 0 else features


def mobilenet_v2(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV2:
    """Return a MobileNetV2.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet; they were published for scale 1.
        scale: the factor of the number of channels.
        kwargs: the other arguments of MobileNetV2.

    Returns:
        A Model.

    Raises:
        ArgumentValueError: no weights were published.
        DownloadError: the weights are not on this machine and cannot be downloaded.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.hapi.vision.models.mobilenet_v2(scale=0.25).num_classes
    1000
    """
    model = MobileNetV2(scale=scale, **kwargs)
    if pretrained:
        load_pretrained(model, f"mobilenetv2_{scale}", WEIGHTS)
    return model
