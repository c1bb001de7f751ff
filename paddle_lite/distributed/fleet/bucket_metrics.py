"""Metrics of predictions that are counted in buckets: bucket i of n has those from i / n on."""

from __future__ import annotations

import math

import numpy as np

_WIDEST = 0.01
"""The predictions of buckets that are judged together differ by no more than that."""

_SURE = 0.05
"""Buckets are judged when the relative error that chance makes in them is less than that."""


def area_under_curve(positive: np.ndarray, negative: np.ndarray) -> float:
    """Return the area under the ROC curve; 0.5 where examples of a kind are missing.

    Arguments:
        positive, negative: how many examples with and without the label each bucket has.

    >>> import numpy as np
    >>> from paddle_lite.distributed.fleet.bucket_metrics import area_under_curve
    >>> area_under_curve(np.array([0, 1, 2]), np.array([1, 1, 0]))
    0.9166666666666666
    """
    rises, runs = positive.ravel()[::-1].astype(float), negative.ravel()[::-1].astype(float)
    above = np.cumsum(rises)
    if above[-1] == 0 or runs.sum() == 0:
        return 0.5
    return float(np.sum(runs * (above - rises / 2)) / (above[-1] * runs.sum()))


def bucket_error(positive: np.ndarray, negative: np.ndarray) -> float:
    """Return how far the share of labels is from the prediction, relatively, as a mean over examples.

    Neighbouring buckets are put together until there are enough examples to tell; those that stay too few do not count.

    Arguments: those of `area_under_curve`.
    """
    labels, shown = positive.ravel(), positive.ravel() + negative.ravel()
    errors = judged = 0.0
    begin, examples, predicted, labelled = -1.0, 0, 0.0, 0
    for bucket in range(len(shown)):
        prediction = bucket / len(shown)
        if abs(prediction - begin) > _WIDEST:
            begin, examples, predicted, labelled = prediction, 0, 0.0, 0
        if not shown[bucket]:
            continue
        examples += int(shown[bucket])
        predicted += prediction * int(shown[bucket])
        labelled += int(labels[bucket])
        mean = predicted / examples
        if mean and math.sqrt((1 - mean) / (mean * examples)) < _SURE:
            errors += abs(labelled / examples / mean - 1) * examples
            judged += examples
            begin = -1.0
    return errors / judged if judged else 0.0
