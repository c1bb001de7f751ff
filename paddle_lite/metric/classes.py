"""Metrics of predicted classes: accuracy, precision, recall, area under the ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, IndexRangeError, ShapeError, describe, message
from .base import MetricBase, array, no_data, number

__all__ = ["Accuracy", "Auc", "Precision", "Recall"]


class Accuracy(MetricBase):
    """Accumulates the weighted average of accuracies.

    Arguments:
        name: the name of the metric; the name of the class where it is None.

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
            weight: the number of samples in the batch; not negative.

        Raises:
            ArgumentTypeError: value or weight is not a number or an ndarray.
            ArgumentValueError: weight is negative.
        """
        number("Accuracy.update", "value", value)
        if np.any(number("Accuracy.update", "weight", weight) < 0):
            raise ArgumentValueError(message("Accuracy.update", "weight", describe(weight), "0 or more"))
        self.value = self.value + value * weight
        self.weight = self.weight + weight

    def eval(self) -> Any:
        """Return the average accuracy, of the type of the values.

        Raises:
            ArgumentValueError: there was no batch.
        """
        if np.all(self.weight == 0):
            raise no_data("Accuracy", "accuracies")
        return self.value / self.weight


def _binary(where: str, preds: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return two bool arrays: which elements are predicted to be 1, and which are 1."""
    predicted, actual = array(where, "preds", preds), array(where, "labels", labels)
    if predicted.size != actual.size:
        needs = f"as many elements as labels, {actual.size}"
        raise ShapeError(message(where, "preds", describe(predicted), needs))
    return np.rint(predicted).ravel() == 1, actual.ravel() == 1


class Precision(MetricBase):
    """Accumulates the precision of binary predictions: true positives / predicted positives.

    Arguments:
        name: the name of the metric; the name of the class where it is None.

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

        Raises:
            ArgumentTypeError: preds or labels is not an ndarray.
            ShapeError: they have different numbers of elements.
        """
        predicted, actual = _binary("Precision.update", preds, labels)
        self.tp += int(np.sum(predicted & actual))
        self.fp += int(np.sum(predicted & ~actual))

    def eval(self) -> float:
        """Return the precision; 0.0 where nothing is predicted to be 1."""
        found = self.tp + self.fp
        return self.tp / found if found else 0.0


class Recall(MetricBase):
    """Accumulates the recall of binary predictions: true positives / actual positives.

    Arguments:
        name: the name of the metric; the name of the class where it is None.

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

        Raises:
            ArgumentTypeError: preds or labels is not an ndarray.
            ShapeError: they have different numbers of elements.
        """
        predicted, actual = _binary("Recall.update", preds, labels)
        self.tp += int(np.sum(predicted & actual))
        self.fn += int(np.sum(~predicted & actual))

    def eval(self) -> float:
        """Return the recall; 0.0 where no label is 1."""
        ones = self.tp + self.fn
        return self.tp / ones if ones else 0.0


class Auc(MetricBase):
    """Accumulates the area under the ROC curve (receiver operating characteristic), from a histogram of the
    predictions.

    Arguments:
        name: the name of the metric.
        curve: accepted for Fluid code, ignored: as in Fluid, "PR" gives the area under the ROC curve, too.
        num_thresholds: the number of bins of the histogram, minus 1.

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
        """Discard all batches. (In PaddlePaddle 1.8.5 this has no effect.)"""
        self._stat_pos = [0] * (self._num_thresholds + 1)  # lists, as programs of Fluid use them
        self._stat_neg = [0] * (self._num_thresholds + 1)

    def update(self, preds: Any, labels: Any) -> None:
        """Add a batch.

        Arguments:
            preds: an ndarray [N, 2]: the probabilities of class 0 and of class 1; rows behind the labels are ignored.
            labels: an ndarray of N classes, 0 or 1.

        Raises:
            ArgumentTypeError: preds or labels is not an ndarray.
            ShapeError: preds is not [N, 2], or has fewer rows than there are labels.
            IndexRangeError: a probability is less than 0 or more than 1, by more than a bin: rounding is forgiven.
        """
        where = "Auc.update"
        actual = array(where, "labels", labels).ravel() != 0
        shape = array(where, "preds", preds).shape
        if len(shape) != 2 or shape[1] != 2 or len(preds) < len(actual):
            raise ShapeError(message(where, "preds", describe(preds), f"shape [{len(actual)}, 2]: two for each label"))
        scores = preds[: len(actual), 1]
        places = scores * self._num_thresholds
        if not np.all((places > -1) & (places < self._num_thresholds + 1)):
            got = f"values from {np.min(scores)} to {np.max(scores)}"
            raise IndexRangeError(message(where, "preds", got, "probabilities, 0 to 1"))
        bins = places.astype("int64")
        for counts, those in ((self._stat_pos, bins[actual]), (self._stat_neg, bins[~actual])):
            for place, count in zip(*(part.tolist() for part in np.unique(those, return_counts=True)), strict=True):
                counts[place] += count

    @staticmethod
    def trapezoid_area(x1: float, x2: float, y1: float, y2: float) -> float:
        """Return the area below the line from (x1, y1) to (x2, y2), positive in either direction."""
        return abs(x1 - x2) * (y1 + y2) / 2.0

    def eval(self) -> float:
        """Return the area; 0.0 where the labels do not contain both classes."""
        hits = np.cumsum(
            np.r_[0, self._stat_pos[::-1]]
        )  # true positives at each threshold; false_alarms are the false positives
        false_alarms = np.cumsum(np.r_[0, self._stat_neg[::-1]])
        area = np.sum(np.diff(false_alarms) * (hits[1:] + hits[:-1]) / 2)
        whole = hits[-1] * false_alarms[-1]
        return float(area / whole) if whole else 0.0
