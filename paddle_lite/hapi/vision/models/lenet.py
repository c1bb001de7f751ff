"""LeNet, for images of digits."""

from __future__ import annotations

from typing import Any

from ....imperative.container import Sequential
from ....layers.shape.shape import flatten
from ....nn.activation import ReLU
from ....nn.conv import Conv2D
from ....nn.linear import Linear
from ....nn.pool import Pool2D
from ...model import Model

__all__ = ["LeNet"]


class LeNet(Model):
    """LeNet for images [N, 1, 28, 28] ("Gradient-based learning applied to document recognition", LeCun et al. 1998).

    Arguments:
        num_classes: the number of classes; with 0 or less the network ends with its features [N, 16, 5, 5].
        classifier_activation: the activation of the last layer; None for logits.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> model = paddle.hapi.vision.models.LeNet()
    >>> model(paddle.imperative.to_variable(np.zeros([2, 1, 28, 28], 'float32'))).shape
    [2, 10]
    """

    def __init__(self, num_classes: int = 10, classifier_activation: str | None = "softmax") -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = Sequential(
            Conv2D(1, 6, 3, stride=1, padding=1),
            ReLU(),
            Pool2D(2, "max", 2),
            Conv2D(6, 16, 5, stride=1, padding=0),
            ReLU(),
            Pool2D(2, "max", 2),
        )
        if num_classes > 0:
            self.fc = Sequential(Linear(400, 120), Linear(120, 84), Linear(84, num_classes, act=classifier_activation))

    def forward(self, inputs: Any) -> Any:
        """Return the probabilities of the classes, [N, num_classes].

        Arguments:
            inputs: images, float32 [N, 1, 28, 28].
        """
        features = self.features(inputs)
        return self.fc(flatten(features, 1)) if self.num_classes > 0 else features
