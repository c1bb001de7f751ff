"""VGG of 11 to 19 layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....imperative.container import Sequential
from ....imperative.layer import Layer
from ....layers.nn.activation import relu
from ....layers.random.random import dropout
from ....layers.shape.shape import flatten
from ....nn.conv import Conv2D
from ....nn.linear import Linear
from ....nn.norm import BatchNorm
from ....nn.pool import Pool2D
from ...model import Model
from .pretrained import load_pretrained

__all__ = ["VGG", "vgg11", "vgg13", "vgg16", "vgg19"]

WEIGHTS = {
    "vgg16": ("https://paddle-hapi.bj.bcebos.com/models/vgg16.pdparams", "c788f453a3b999063e8da043456281ee"),
}

STAGES = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
"""depth -> the number of convolutions of each stage."""

CHANNELS = (64, 128, 256, 512, 512)


class Classifier(Layer):
    """Three layers with dropout, from features [N, 25088] to classes."""

    def __init__(self, num_classes: int, classifier_activation: str | None = "softmax") -> None:
        super().__init__()
        self.linear1 = Linear(512 * 7 * 7, 4096)
        self.linear2 = Linear(4096, 4096)
        self.linear3 = Linear(4096, num_classes, act=classifier_activation)

    def forward(self, x: Any) -> Any:
        """Return the probabilities of the classes."""
        hidden = dropout(relu(self.linear1(x)), 0.5)
        return self.linear3(dropout(relu(self.linear2(hidden)), 0.5))


class VGG(Model):
    """VGG for images [N, 3, 224, 224] (https://arxiv.org/abs/1409.1556).

    Arguments:
        features: the layers before the classifier, whose result is [N, 512, 7, 7].
        num_classes: the number of classes; with 0 or less the network ends with its features.
        classifier_activation: the activation of the last layer; None for logits.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> features = paddle.nn.Sequential(paddle.fluid.dygraph.Conv2D(3, 2, 3), paddle.nn.ReLU())
    >>> model = paddle.hapi.vision.models.VGG(features, num_classes=0)
    >>> model(paddle.imperative.to_variable(np.zeros([1, 3, 8, 8], 'float32'))).shape
    [1, 2, 6, 6]
    """

    def __init__(self, features: Layer, num_classes: int = 1000, classifier_activation: str | None = "softmax") -> None:
        super().__init__()
        self.features, self.num_classes = features, num_classes
        if num_classes > 0:
            self.classifier = Sequential(Classifier(num_classes, classifier_activation))

    def forward(self, x: Any) -> Any:
        """Return the probabilities of the classes, [N, num_classes]."""
        features = self.features(x)
        return self.classifier(flatten(features, 1)) if self.num_classes > 0 else features


def _features(counts: Sequence[int], batch_norm: bool) -> Sequential:
    """Return the stages: convolutions, each followed by ReLU, and a maximum over squares of four pixels."""
    layers: list[Layer] = []
    channels = 3
    for count, filters in zip(counts, CHANNELS, strict=True):
        for _ in range(count):
            conv = Conv2D(channels, filters, filter_size=3, padding=1, act=None if batch_norm else "relu")
            layers += [conv, BatchNorm(filters, act="relu")] if batch_norm else [conv]
            channels = filters
        layers.append(Pool2D(pool_size=2, pool_stride=2))
    return Sequential(*layers)


def _vgg(depth: int, batch_norm: bool, pretrained: bool, options: dict[str, Any]) -> VGG:
    model = VGG(_features(STAGES[depth], batch_norm), **options)
    if pretrained:
        load_pretrained(model, f"vgg{depth}" + ("_bn" if batch_norm else ""), WEIGHTS)
    return model


def vgg11(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG of 11 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet; none were published.
        batch_norm: whether batch normalisation follows each convolution.
        kwargs: arguments of VGG.

    Returns:
        A Model.

    Raises:
        ArgumentValueError: `pretrained` is set.
    """
    return _vgg(11, batch_norm, pretrained, kwargs)


def vgg13(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG of 13 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet; none were published.
        batch_norm: whether batch normalisation follows each convolution.
        kwargs: arguments of VGG.

    Returns:
        A Model.

    Raises:
        ArgumentValueError: `pretrained` is set.
    """
    return _vgg(13, batch_norm, pretrained, kwargs)


def vgg16(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG of 16 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet; they were published without batch_norm.
        batch_norm: whether batch normalisation follows each convolution.
        kwargs: arguments of VGG.

    Returns:
        A Model.

    Raises:
        ArgumentValueError: no weights were published.
        DownloadError: the weights are not on this machine and cannot be downloaded.
    """
    return _vgg(16, batch_norm, pretrained, kwargs)


def vgg19(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG of 19 layers.

    Arguments:
        pretrained: whether to load weights that were trained on ImageNet; none were published.
        batch_norm: whether batch normalisation follows each convolution.
        kwargs: arguments of VGG.

    Returns:
        A Model.

    Raises:
        ArgumentValueError: `pretrained` is set.
    """
    return _vgg(19, batch_norm, pretrained, kwargs)
