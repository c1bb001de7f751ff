"""How good predictions are."""

from __future__ import annotations

from typing import Any

from ...ops.loss import metric as ops
from ...params.initializer import Constant
from ..shape.index import topk
from ..support.arguments import check_variable, deliver, whole
from ..support.helper import LayerHelper

__all__ = ["accuracy", "auc", "mean_iou"]


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None) -> Any:
    """The share of rows whose label is among the k classes with the highest scores.

    Arguments:
        input: scores or probabilities [N, classes], float32 or float64.
        label: int64 [N, 1], the class of each row.
        k: how many of the best classes count.
        correct: a Variable that takes how many rows are right, int32 [1].
        total: a Variable that takes the number of rows, int32 [1].

    Returns:
        float32 [1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     scores = fluid.dygraph.to_variable(np.array([[.1, .9], [.8, .2]], 'float32'))
    ...     fluid.layers.accuracy(scores, fluid.dygraph.to_variable(np.array([[1], [1]]))).numpy()
    array([0.5], dtype=float32)
    """
    values, indices = topk(input, k)
    share, right, rows = ops.accuracy.call(values, indices, label)
    deliver(right, correct, "accuracy")
    deliver(rows, total, "accuracy")
    return share


def auc(
    input: Any,
    label: Any,
    curve: str = "ROC",
    num_thresholds: int = 2**12 - 1,
    topk: int = 1,
    slide_steps: int = 1,
) -> tuple[Any, Any, list[Any]]:
    """The area under the ROC curve of the scores of two classes: over all batches that a Program runs, and over the last.

    In imperative mode each call counts its own batch only; `fluid.metrics.Auc` adds up.

    Arguments:
        input: probabilities [N, 2] of the two classes, or [N, 1] of the positive one, float32.
        label: int64 [N, 1]; not 0 for the positive class.
        curve: kept for Fluid code; Paddle computes the ROC curve for every name.
        num_thresholds: into how many buckets, less one, scores are counted.
        topk: kept for Fluid code.
        slide_steps: how many of the last batches the second area is that of; 0 for all.

    Returns:
        (area over all batches, area over the last ones, [their counts of positive and of negative rows, those of all
        batches]); areas are float64 [1], counts int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     scores = np.array([[.9, .1], [.6, .4], [.65, .35], [.2, .8]], 'float32')
    ...     label = fluid.dygraph.to_variable(np.array([[0], [0], [1], [1]]))
    ...     area, last, counts = fluid.layers.auc(fluid.dygraph.to_variable(scores), label)
    ...     area.numpy(), [c.shape for c in counts]
    (array([0.75]), [[8193], [8193], [1, 4096], [1, 4096]])
    """
    check_variable("auc", "input", input)
    check_variable("auc", "label", label)
    thresholds, steps = whole("auc", "num_thresholds", num_thresholds), whole("auc", "slide_steps", slide_steps)
    helper, counts = LayerHelper("auc"), []
    total, latest = (helper.create_variable_for_type_inference("float64") for _ in range(2))
    sizes = [[(1 + steps) * (thresholds + 1) + 1] if steps else [1, thresholds + 1], [1, thresholds + 1]]
    for size in sizes:
        for _ in range(2):
            count = helper.create_global_variable(persistable=True, dtype="int64", shape=size)
            helper.set_variable_initializer(count, Constant(0.0))
            counts.append(count)
    for area, (positive, negative), each in ((latest, counts[:2], steps), (total, counts[2:], 0)):
        helper.run(
            ops.auc, input, label, positive, negative, into={"AUC": area},
            state={"StatPosOut": positive, "StatNegOut": negative}, num_thresholds=thresholds, slide_steps=each,
        )  # fmt: skip
    return total, latest, counts


def mean_iou(input: Any, label: Any, num_classes: int) -> tuple[Any, Any, Any]:
    """The mean over the classes of correct / (correct + wrong): of intersection over union, in semantic segmentation.

    Arguments:
        input: the predicted classes, int32 or int64, of any shape.
        label: the right ones, of the same shape and dtype.
        num_classes: how many classes there are.

    Returns:
        (mean, float32 [1]; how many elements of each class are wrong; how many are correct, both int32 [num_classes]).
        A wrong element counts for the class of its label and for the predicted one; classes that do not occur do not
        count in the mean.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     guess, label = (fluid.dygraph.to_variable(np.array(a)) for a in ([0, 1, 1, 1], [0, 1, 0, 1]))
    ...     [v.numpy().tolist() for v in fluid.layers.mean_iou(guess, label, 2)]
    [[0.5833333730697632], [1, 1], [1, 2]]
    """
    check_variable("mean_iou", "input", input)
    check_variable("mean_iou", "label", label)
    return ops.mean_iou.call(input, label, num_classes=whole("mean_iou", "num_classes", num_classes))
