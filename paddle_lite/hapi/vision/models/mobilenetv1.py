"""MobileNetV1."""

from __future__ import annotations

from typing import Any

from ....imperative.layer import Layer
from ....layers.shape.shape import reshape
from ....layers.support.arguments import check_number
from ....nn.conv import Conv2D
from ....nn.linear import Linear
from ....nn.norm import BatchNorm
from ....nn.pool import Pool2D
from ....params.attr import ParamAttr
from ....params.initializer import MSRA
from ...model import Model
from .pretrained import load_pretrained

__all__ = ["MobileNetV1", "mobilenet_v1"]

WEIGHTS = {
    "mobilenetv1_1.0": (
        "https://paddle-hapi.bj.bcebos.com/models/mobilenet_v1_x1.0.pdparams",
        "bf0d25cb0bed1114d9dac9384ce2b4a6",
    )
}

BLOCKS = [
    ("conv2_1", 32, 64, 1),
    ("conv2_2", 64, 128, 2),
    ("conv3_1", 128, 128, 1),
    ("conv3_2", 128, 256, 2),
    ("conv4_1", 256, 256, 1),
    ("conv4_2", 256, 512, 2),
    *((f"conv5_{number}", 512, 512, 1) for number in range(1, 6)),
    ("conv5_6", 512, 1024, 2),
    ("conv6", 1024, 1024, 1),
]
"""(name, channels of the input, channels of the result, stride) of each block."""


class ConvBNLayer(Layer):
    """A convolution without a bias, batch normalisation, and ReLU."""

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
            param_attr=ParamAttr(initializer=MSRA(), name=f"{name}_weights"),
            bias_attr=False,
        )
        self._batch_norm = BatchNorm(
            filters,
            act="relu",
            param_attr=ParamAttr(name=f"{name}_bn_scale"),
            bias_attr=ParamAttr(name=f"{name}_bn_offset"),
            moving_mean_name=f"{name}_bn_mean",
            moving_variance_name=f"{name}_bn_variance",
        )

    def forward(self, inputs: Any) -> Any:
        """Return the features."""
        return self._batch_norm(self._conv(inputs))


class DepthwiseSeparable(Layer):
    """A convolution of each channel by itself, then one that mixes channels."""

    def __init__(self, channels: int, filters: int, stride: int) -> None:
        super().__init__()
        self._depthwise_conv = ConvBNLayer(channels, channels, 3, stride, 1, groups=channels)
        self._pointwise_conv = ConvBNLayer(channels, filters, 1, 1, 0)

    def forward(self, inputs: Any) -> Any:
        """Return the features."""
        return self._pointwise_conv(self._depthwise_conv(inputs))


class MobileNetV1(Model):
    """MobileNetV1 for images [N, 3, rows, columns] (https://arxiv.org/abs/1704.04861).

    Arguments:
        scale: the factor of the number of channels.
        num_classes: the number of classes; with 0 or less the network ends with its features.
        with_pool: whether to take the mean of each channel at the end.
        classifier_activation: the activation of the last layer; None for logits.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> model = paddle.hapi.vision.models.MobileNetV1(scale=0.25, num_classes=5)
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
        scale = check_number("MobileNetV1", "scale", scale)
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        self.conv1 = ConvBNLayer(3, int(32 * scale), 3, 2, 1)
        self.dwsl = [
            self.add_sublayer(name, DepthwiseSeparable(int(channels * scale), int(filters * scale), stride))
            for name, channels, filters, stride in BLOCKS
        ]
        if with_pool:
            self.pool2d_avg = Pool2D(pool_type="avg", global_pooling=True)
        if num_classes > 0:
            self.out = Linear(
                int(1024 * scale),
                num_classes,
                act=classifier_activation,
                param_attr=ParamAttr(initializer=MSRA(), name=f"{self.full_name()}fc7_weights"),
                bias_attr=ParamAttr(name="fc7_offset"),
            )

    def forward(self, inputs: Any) -> Any:
        """Return the probabilities of the classes, [N, num_classes]."""
        features = self.conv1(inputs)
        for block in self.dwsl:
            features = block(features)
        if self.with_pool:
            features = self.pool2d_avg(features)
        if self.num_classes <= 0:
            return features
        return self.out(reshape(features, shape=[-1, int(1024 * self.scale)]))


def mobilenet_v1(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV1:
    """Return a MobileNetV1.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet; they were published for scale 1.
        scale: the factor of the number of channels.
        kwargs: the other arguments of MobileNetV1.

    Returns:
        A Model.

    Raises:
        ArgumentValueError: no weights were published.
        DownloadError: the weights are not on this machine and cannot be downloaded.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.hapi.vision.models.mobilenet_v1(scale=0.25).num_classes
    1000
    """
    model = MobileNetV1(scale=scale, **kwargs)
    if pretrained:
        load_pretrained(model, f"mobilenetv1_{scale}", WEIGHTS)
    return model
