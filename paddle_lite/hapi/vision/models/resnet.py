"""ResNet of 18 to 152 layers."""

from __future__ import annotations

import math
from typing import Any

from ....core.errors import ArgumentValueError, describe, message
from ....imperative.container import Sequential
from ....imperative.layer import Layer
from ....layers.nn.activation import relu
from ....layers.shape.shape import reshape
from ....nn.conv import Conv2D
from ....nn.linear import Linear
from ....nn.norm import BatchNorm
from ....nn.pool import Pool2D
from ....params.attr import ParamAttr
from ....params.initializer import Uniform
from ...model import Model
from .pretrained import load_pretrained

__all__ = ["ResNet", "resnet18", "resnet34", "resnet50", "resnet101", "resnet152"]

WEIGHTS = {
    name: (f"https://paddle-hapi.bj.bcebos.com/models/{name}.pdparams", checksum)
    for name, checksum in (
        ("resnet18", "0ba53eea9bc970962d0ef96f7b94057e"),
        ("resnet34", "46bc9f7c3dd2e55b7866285bee91eff3"),
        ("resnet50", "5ce890a9ad386df17cf7fe2313dca0a1"),
        ("resnet101", "fb07a451df331e4b0bb861ed97c3a9b9"),
        ("resnet152", "f9c700f26d3644bb76ad2226ed5f5713"),
    )
}

STAGES = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}
"""depth -> the number of blocks of each stage."""

CHANNELS = (64, 128, 256, 512)


class ConvBNLayer(Layer):
    """A convolution without a bias, which keeps the size at stride 1, and batch normalisation."""

    def __init__(self, channels: int, filters: int, size: int, stride: int = 1, act: str | None = None) -> None:
        super().__init__()
        self._conv = Conv2D(
            num_channels=channels,
            num_filters=filters,
            filter_size=size,
            stride=stride,
            padding=(size - 1) // 2,
            bias_attr=False,
        )
        self._batch_norm = BatchNorm(filters, act=act)

    def forward(self, inputs: Any) -> Any:
        """Return the features."""
        return self._batch_norm(self._conv(inputs))


class BasicBlock(Layer):
    """Two convolutions, added to the inputs: the block of ResNet-18 and ResNet-34.

    Arguments:
        num_channels, num_filters, stride: of the convolutions.
        shortcut: whether inputs are added as they are; False: through a convolution.
    """

    expansion = 1

    def __init__(self, num_channels: int, num_filters: int, stride: int, shortcut: bool = True) -> None:
        super().__init__()
        self.conv0 = ConvBNLayer(num_channels, num_filters, 3, act="relu")
        self.conv1 = ConvBNLayer(num_filters, num_filters, 3, stride, act="relu")
        if not shortcut:
            self.short = ConvBNLayer(num_channels, num_filters, 1, stride)
        self.shortcut = shortcut

    def forward(self, inputs: Any) -> Any:
        """Return the features."""
        features = self.conv1(self.conv0(inputs))
        return relu((inputs if self.shortcut else self.short(inputs)) + features)


class BottleneckBlock(Layer):
    """Three convolutions, the middle one with fewer channels, added to the inputs: the block of the deeper networks.

    Arguments:
        num_channels, num_filters, stride: of the convolutions.
        shortcut: whether inputs are added as they are; False: through a convolution.
    """

    expansion = 4

    def __init__(self, num_channels: int, num_filters: int, stride: int, shortcut: bool = True) -> None:
        super().__init__()
        self.conv0 = ConvBNLayer(num_channels, num_filters, 1, act="relu")
        self.conv1 = ConvBNLayer(num_filters, num_filters, 3, stride, act="relu")
        self.conv2 = ConvBNLayer(num_filters, num_filters * self.expansion, 1)
        if not shortcut:
            self.short = ConvBNLayer(num_channels, num_filters * self.expansion, 1, stride)
        self.shortcut = shortcut

    def forward(self, inputs: Any) -> Any:
        """Return the features."""
        features = self.conv2(self.conv1(self.conv0(inputs)))
        return relu((inputs if self.shortcut else self.short(inputs)) + features)


class ResNet(Model):
    """ResNet for images [N, 3, rows, columns] (https://arxiv.org/abs/1512.03385).

    Arguments:
        Block: BasicBlock or BottleneckBlock.
        depth: 18, 34, 50, 101 or 152.
        num_classes: the number of classes; with 0 or less the network ends with its features.
        with_pool: whether to take the mean of each channel at the end.
        classifier_activation: the activation of the last layer; None for logits.

    Raises:
        ArgumentValueError: `depth` is something else.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> model = paddle.hapi.vision.models.resnet18(num_classes=5)
    >>> model(paddle.imperative.to_variable(np.zeros([1, 3, 32, 32], 'float32'))).shape
    [1, 5]
    """

    def __init__(
        self,
        Block: Any,
        depth: int = 50,
        num_classes: int = 1000,
        with_pool: bool = True,
        classifier_activation: str | None = "softmax",
    ) -> None:
        super().__init__()
        if depth not in STAGES:
            needs = f"one of {', '.join(map(str, STAGES))}"
            raise ArgumentValueError(message("ResNet", "depth", describe(depth), needs))
        self.num_classes, self.with_pool = num_classes, with_pool
        self.conv = ConvBNLayer(3, 64, 7, 2, act="relu")
        self.pool = Pool2D(pool_size=3, pool_stride=2, pool_padding=1, pool_type="max")
        self.layers = []
        channels = 64
        for stage, (count, filters) in enumerate(zip(STAGES[depth], CHANNELS, strict=True)):
            blocks = []
            for number in range(count):
                stride = 2 if number == 0 and stage > 0 else 1
                blocks.append(Block(channels, filters, stride, shortcut=number > 0))
                channels = filters * Block.expansion
            self.layers.append(self.add_sublayer(f"layer_{stage}", Sequential(*blocks)))
        if with_pool:
            self.global_pool = Pool2D(pool_size=7, pool_type="avg", global_pooling=True)
        self.fc_input_dim = channels
        if num_classes > 0:
            bound = 1.0 / math.sqrt(channels)
            start = ParamAttr(initializer=Uniform(-bound, bound))
            self.fc = Linear(channels, num_classes, act=classifier_activation, param_attr=start)

    def forward(self, inputs: Any) -> Any:
        """Return the probabilities of the classes, [N, num_classes]."""
        features = self.pool(self.conv(inputs))
        for stage in self.layers:
            features = stage(features)
        if self.with_pool:
            features = self.global_pool(features)
        return self.fc(reshape(features, shape=[-1, self.fc_input_dim])) if self.num_classes > 0 else features


def _resnet(block: Any, depth: int, pretrained: bool, options: dict[str, Any]) -> ResNet:
    model = ResNet(block, depth, **options)
    if pretrained:
        load_pretrained(model, f"resnet{depth}", WEIGHTS)
    return model


def resnet18(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """Return a ResNet of 18 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet.
        kwargs: arguments of ResNet.

    Returns:
        A Model.

    Raises:
        DownloadError: the weights are not on this machine and cannot be downloaded.
    """
    return _resnet(BasicBlock, 18, pretrained, kwargs)


def resnet34(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """Return a ResNet of 34 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet.
        kwargs: arguments of ResNet.

    Returns:
        A Model.

    Raises:
        DownloadError: the weights are not on this machine and cannot be downloaded.
    """
    return _resnet(BasicBlock, 34, pretrained, kwargs)


def resnet50(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """Return a ResNet of 50 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet.
        kwargs: arguments of ResNet.

    Returns:
        A Model.

    Raises:
        DownloadError: the weights are not on this machine and cannot be downloaded.
    """
    return _resnet(BottleneckBlock, 50, pretrained, kwargs)


def resnet101(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """Return a ResNet of 101 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet.
        kwargs: arguments of ResNet.

    Returns:
        A Model.

    Raises:
        DownloadError: the weights are not on this machine and cannot be downloaded.
    """
    return _resnet(BottleneckBlock, 101, pretrained, kwargs)


def resnet152(pretrained: bool = False, **kwargs: Any) -> ResNet:
    """Return a ResNet of 152 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet.
        kwargs: arguments of ResNet.

    Returns:
        A Model.

    Raises:
        DownloadError: the weights are not on this machine and cannot be downloaded.
    """
    return _resnet(BottleneckBlock, 152, pretrained, kwargs)
