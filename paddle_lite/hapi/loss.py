"""Losses of a Model: from its outputs and labels to the numbers that training reduces."""

from __future__ import annotations

from typing import Any

from ..core.mode import ByMode
from ..imperative.base import to_variable
from ..layers.loss.loss import cross_entropy, softmax_with_cross_entropy
from ..layers.math.reduce import reduce_mean, reduce_sum
from .utils import to_list

__all__ = ["CrossEntropy", "Loss", "SoftmaxWithCrossEntropy"]

_labels_of_mode = ByMode(
    imperative=lambda labels: [to_variable(label) for label in labels], static=lambda labels: labels
)


class Loss:
    """Base class of losses: a subclass defines `forward`, which returns a loss for each pair of output and label.

    Arguments:
        average: whether each loss is the mean of what `forward` returns; False: the sum.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> class Absolute(paddle.hapi.loss.Loss):
    ...     def forward(self, outputs, labels):
    ...         return [paddle.abs(o - l) for o, l in zip(outputs, labels)]
    >>> output, label = paddle.imperative.to_variable(np.float32([1, 3])), np.float32([0, 0])
    >>> [loss.numpy().tolist() for loss in Absolute(average=False)(output, label)]
    [[4.0]]
    """

    def __init__(self, average: bool = True) -> None:
        self.average = average

    def forward(self, outputs: list[Any], labels: list[Any]) -> Any:
        """Return the losses of a batch, of any shape: a list of Variables, or one.

        Arguments:
            outputs: the outputs of the Model.
            labels: the labels.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(
            f"{type(self).__name__}.forward is not defined: a Loss computes in its forward method"
        )

    def __call__(self, outputs: Any, labels: Any = None) -> list[Any]:
        """Return the means or sums of the losses, a list of Variables [1].

        Arguments:
            outputs: an output of the Model, or a list of them.
            labels: a label, or a list of them; arrays or Variables; None: there is none.
        """
        given = to_list(labels)
        given = _labels_of_mode(given) if given else given
        reduce = reduce_mean if self.average else reduce_sum
        return [reduce(loss) for loss in to_list(self.forward(to_list(outputs), given))]


class CrossEntropy(Loss):
    """The cross entropy of probabilities [N, ..., classes] and labels int64 [N, ..., 1].

    Arguments:
        average: whether to return the mean of the batch; False: the sum.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> output, label = paddle.imperative.to_variable(np.float32([[0.5, 0.5]])), np.array([[1]])
    >>> [round(float(loss.numpy()[0]), 4) for loss in paddle.hapi.loss.CrossEntropy()(output, label)]
    [0.6931]
    """

    def forward(self, outputs: list[Any], labels: list[Any]) -> list[Any]:
        """Return the cross entropy of each sample, for each pair of output and label."""
        return [cross_entropy(o, label) for o, label in zip(outputs, labels, strict=False)]


class SoftmaxWithCrossEntropy(Loss):
    """The cross entropy of logits [N, ..., classes], before softmax, and labels int64 [N, ..., 1].

    Arguments:
        average: whether to return the mean of the batch; False: the sum.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> output, label = paddle.imperative.to_variable(np.float32([[3.0, 3.0]])), np.array([[1]])
    >>> [round(float(loss.numpy()[0]), 4) for loss in paddle.hapi.loss.SoftmaxWithCrossEntropy()(output, label)]
    [0.6931]
    """

    def forward(self, outputs: list[Any], labels: list[Any]) -> list[Any]:
        """Return the cross entropy of each sample, for each pair of output and label."""
        return [
            softmax_with_cross_entropy(o, label, return_softmax=False)
            for o, label in zip(outputs, labels, strict=False)
        ]
