"""`confusion_matrix`: which classes a classifier takes for which others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import ArgumentValueError, ShapeError, message
from ..logs.numbers import as_array
from .figures import new_figure, styled

__all__ = ["confusion_matrix"]

WHERE = "plot.confusion_matrix"
WRITTEN = 25
"""The largest number of classes for which the numbers are written into the cells."""
NAMED = 60


def confusion_matrix(
    labels: Any,
    predictions: Any,
    classes: Sequence[str] | None = None,
    normalize: bool = False,
    title: str | None = "confusion matrix",
) -> Any:
    """Draw how many samples of each class were taken for each class.

    Arguments:
        labels: an array or Variable [n] or [n, 1] of integers, the true classes.
        predictions: the predicted classes in the same form, or scores [n, classes], of which the largest counts.
        classes: the names of the classes.
        normalize: whether shares of each true class are shown in place of numbers.
        title: a title, to which the accuracy is added.

    Returns:
        A Figure of Matplotlib with `save(path)`.

    Raises:
        ShapeError: the shapes do not fit together, or there are fewer names than classes.
        ArgumentValueError: a class is negative, or no integer.
        MissingPackageError: Matplotlib is not installed.

    >>> import paddle_lite as paddle
    >>> figure = paddle.plot.confusion_matrix([0, 1, 1, 2], [0, 1, 2, 2], classes=['cat', 'dog', 'owl'])
    >>> figure.axes[0].get_title()
    'confusion matrix: 75.0 % of 4 right'
    """
    true, scores = as_array(labels, WHERE, "labels"), as_array(predictions, WHERE, "predictions")
    least = len(classes) if classes is not None else 0
    if scores.ndim == 2 and scores.shape[1] > 1:
        least = max(least, scores.shape[1])
        scores = scores.argmax(1)
    true, guessed = _integers("labels", true), _integers("predictions", scores)
    if len(true) != len(guessed) or not len(true):
        got = f"{len(guessed)} predictions for {len(true)} labels"
        raise ShapeError(message(WHERE, "predictions", got, "as many as labels, and at least one"))
    count = max(least, int(true.max()) + 1, int(guessed.max()) + 1)
    if classes is not None and len(classes) < count:
        raise ShapeError(message(WHERE, "classes", f"{len(classes)} names", f"{count}, one for each class"))
    matrix = np.bincount(true * count + guessed, minlength=count * count).reshape(count, count)
    shares = matrix / np.maximum(matrix.sum(1, keepdims=True), 1)
    right = f"{matrix.trace() / len(true):.1%}".replace("%", " %") + f" of {len(true)} right"
    with styled():
        side = min(10.0, max(3.2, 0.5 * count))
        figure = new_figure(side + 1.6, side + 0.7)
        axes = figure.subplots()
        drawn = axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        figure.colorbar(drawn, label="share of the true class", fraction=0.05)
        axes.set(xlabel="predicted class", ylabel="true class", title=f"{title}: {right}" if title else right)
        if count <= NAMED:
            names = list(classes)[:count] if classes is not None else [str(i) for i in range(count)]
            long = max(map(len, names)) > 3
            axes.set_xticks(range(count), labels=names, rotation=45 if long else 0, ha="right" if long else "center")
            axes.set_yticks(range(count), labels=names)
        if count <= WRITTEN:
            _write(axes, matrix, shares, normalize)
    return figure


def _write(axes: Any, matrix: np.ndarray, shares: np.ndarray, normalize: bool) -> None:
    """Write the numbers into the cells."""
    for (row, column), number in np.ndenumerate(matrix):
        if number:
            text = f"{shares[row, column]:.2f}" if normalize else f"{number}"
            color = "white" if shares[row, column] > 0.55 else "#202020"
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color=color)


def _integers(name: str, array: np.ndarray) -> np.ndarray:
    """Return classes [n] as int64."""
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        needs = "[n] or [n, 1]" + (", or scores [n, classes]" if name == "predictions" else "")
        raise ShapeError(message(WHERE, name, f"shape {list(array.shape)}", needs))
    whole = array.astype("int64")
    if (whole != array).any() or (whole < 0).any():
        wrong = array[(whole != array) | (whole < 0)][0]
        raise ArgumentValueError(message(WHERE, name, str(wrong), "classes: integers of 0 or more"))
    return whole
