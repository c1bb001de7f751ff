"""Metrics of predicted classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, IndexRangeError, ShapeError, describe, message
from .base import MetricBase, array, no_data, number

__all__ = ["Accuracy", "Auc", "Precision", "Recall"]


class Accuracy(MetricBase):
    """The mean of accuracies, weighted.

    Arguments:
        name: of the metric.

    >>> import paddle_lite.fluid as fluid
    >>> accuracy = fluid.metrics.Accuracy()
    >>> accuracy.update(value=0.5, weight=2)
    >>> accuracy.update(value=1.0, weight=6)
    >>> accuracy.eval()
    0.875
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.value: Any = 0.0
        self.weight: Any = 0.0

    def update(self, value: Any, weight: Any) -> None:
        """Add the accuracy of a batch.

        Arguments:
            value: the accuracy, a number or an ndarray of one element.
            weight: how many samples the batch has; not negative.
        """
        number("Accuracy.update", "value", value)
        if np.any(number("Accuracy.update", "weight", weight) < 0):
            raise ArgumentValueError(message("Accuracy.update", "weight", describe(weight), "0 or more"))
        self.value = self.value + value * weight
        self.weight = self.weight + weight

    def eval(self) -> Any:
        """The mean accuracy, of the type of the values."""
        if np.all(self.weight == 0):
            raise no_data("Accuracy", "accuracies")
        return self.value / self.weight


def _binary(where: str, preds: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Which elements are predicted to be 1, and which are."""
    predicted, actual = array(where, "preds", preds), array(where, "labels", labels)
    if predicted.size != actual.size:
        needs = f"as many elements as labels, {actual.size}"
        raise ShapeError(message(where, "preds", describe(predicted), needs))
    return np.rint(predicted).ravel() == 1, actual.ravel() == 1


class Precision(MetricBase):
    """The share of the predicted ones that are ones.

    Arguments:
        name: of the metric.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> precision = fluid.metrics.Precision()
    >>> precision.update(preds=np.array([0.1, 0.7, 0.8]), labels=np.array([0, 1, 0]))
    >>> precision.eval()
    0.5
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.tp = 0  # true positives
        self.fp = 0  # false positives

    def update(self, preds: Any, labels: Any) -> None:
        """Add a batch.

        Arguments:
            preds: an ndarray of N probabilities of class 1; those above 0.5 predict it.
            labels: an ndarray of N classes, 0 or 1.
        """
        predicted, actual = _binary("Precision.update", preds, labels)
        self.tp += int(np.sum(predicted & actual))
        self.fp += int(np.sum(predicted & ~actual))

    def eval(self) -> float:
        """The precision; 0.0 where no one is predicted."""
        found = self.tp + self.fp
        return self.tp / found if found else 0.0


class Recall(MetricBase):
    """The share of the ones that are predicted.

    Arguments:
        name: of the metric.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> recall = fluid.metrics.Recall()
    >>> recall.update(preds=np.array([0.1, 0.7, 0.8]), labels=np.array([1, 1, 0]))
    >>> recall.eval()
    0.5
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self.tp = 0  # true positives
        self.fn = 0  # false negatives

    def update(self, preds: Any, labels: Any) -> None:
        """Add a batch.

        Arguments:
            preds: an ndarray of N probabilities of class 1; those above 0.5 predict it.
            labels: an ndarray of N classes, 0 or 1.
        """
        predicted, actual = _binary("Recall.update", preds, labels)
        self.tp += int(np.sum(predicted & actual))
        self.fn += int(np.sum(~predicted & actual))

    def eval(self) -> float:
        """The recall; 0.0 where there is no one."""
        ones = self.tp + self.fn
        return self.tp / ones if ones else 0.0


class Auc(MetricBase):
    """The area under the receiver operating characteristic, from a histogram of the predictions.

    Arguments:
        name: of the metric.
        curve: kept for Fluid code: "PR", too, gives the area under the receiver operating characteristic there.
        num_thresholds: the bins of the histogram less one.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> auc = fluid.metrics.Auc("auc")
    >>> ones = np.array([0.1, 0.4, 0.35, 0.8])
    >>> auc.update(preds=np.stack([1 - ones, ones], 1), labels=np.array([[0], [0], [1], [1]]))
    >>> auc.eval()
    0.75
    """

    def __init__(self, name: str, curve: str = "ROC", num_thresholds: int = 4095) -> None:
        super().__init__(name)
        self._curve = curve
        self._num_thresholds = num_thresholds
        self.reset()

    def reset(self) -> None:
        """Forget all batches. (PaddlePaddle 1.8.5 forgets to.)"""
        self._stat_pos = np.zeros(self._num_thresholds + 1)
        self._stat_neg = np.zeros(self._num_thresholds + 1)

    def update(self, preds: Any, labels: Any) -> None:
        """Add a batch.

        Arguments:
            preds: an ndarray [N, 2]: the probabilities of class 0 and of class 1.
            labels: an ndarray of N classes, 0 or 1.
        """
        where = "Auc.update"
        actual = array(where, "labels", labels).ravel() != 0
        if array(where, "preds", preds).shape != (len(actual), 2):
            raise ShapeError(message(where, "preds", describe(preds), f"shape [{len(actual)}, 2]: two for each label"))
        scores = preds[:, 1]
        if not np.all((scores >= 0) & (scores <= 1)):
            raise IndexRangeError(message(where, "preds", f"values up to {np.max(scores)}", "probabilities, 0 to 1"))
        bins = (scores * self._num_thresholds).astype("int64")
        self._stat_pos += np.bincount(bins[actual], minlength=self._num_thresholds + 1)
        self._stat_neg += np.bincount(bins[~actual], minlength=self._num_thresholds + 1)

    def eval(self) -> float:
        """The area; 0.0 where there are no ones, or no zeros."""
        hits = np.cumsum(np.r_[0, self._stat_pos[::-1]])  # how many of each class each threshold lets through
        false_alarms = np.cumsum(np.r_[0, self._stat_neg[::-1]])
        area = np.sum(np.diff(false_alarms) * (hits[1:] + hits[:-1]) / 2)
        whole = hits[-1] * false_alarms[-1]
        return float(area / whole) if whole else 0.0
