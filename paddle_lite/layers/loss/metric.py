"""Metrics of predictions: accuracy, area under the ROC curve, mean intersection over union."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.loss import metric as ops
from ...params.initializer import Constant
from ..shape.index import topk
from ..support.arguments import check_int, check_variable, write_to_out
from ..support.helper import LayerHelper
from ..support.taken import inputs_taken

__all__ = ["accuracy", "auc", "mean_iou"]


def accuracy(input: Any, label: Any, k: int = 1, correct: Any = None, total: Any = None) -> Variable:
    """Compute the fraction of rows whose label is among the k classes with the highest scores.

    Arguments:
        input: scores or probabilities [N, classes], float32 or float64.
        label: int64 [N, 1], the class of each row.
        k: the number of classes to consider, an int.
        correct: an int32 Variable [1] to write the number of correct rows into, or None.
        total: an int32 Variable [1] to write the number of rows into, or None.

    Returns:
        A float32 Variable [1].

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ArgumentValueError: k is above the number of classes.
        ShapeError: label is not [N, 1].
        DtypeError: label is not int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     scores = fluid.dygraph.to_variable(np.array([[.1, .9], [.8, .2]], 'float32'))
    ...     fluid.layers.accuracy(scores, fluid.dygraph.to_variable(np.array([[1], [1]]))).numpy()
    array([0.5], dtype=float32)
    """
    inputs_taken("accuracy", "input", input)
    values, indices = topk(input, k)
    share, right, rows = ops.accuracy.call(values, indices, label)
    write_to_out(right, correct, "accuracy")
    write_to_out(rows, total, "accuracy")
    return share


def auc(
    input: Any,
    label: Any,
    curve: str = "ROC",
    num_thresholds: int = 2**12 - 1,
    topk: int = 1,
    slide_steps: int = 1,
) -> tuple[Any, Any, list[Any]]:
    """Compute the area under the ROC curve of binary predictions: over all batches that a Program runs, and over the
    last ones.

    In imperative mode each call computes the area of its own batch; `fluid.metrics.Auc` accumulates.

    Arguments:
        input: probabilities [N, 2] of the two classes, or [N, 1] of the positive one, float32.
        label: int64 [N, 1]; other than 0 for the positive class.
        curve: accepted for Fluid code, ignored: Paddle computes the ROC curve for every name.
        num_thresholds: the number of histogram buckets of the scores, minus 1.
        topk: accepted for Fluid code, ignored.
        slide_steps: the number of last batches in the second area; 0 for all.

    Returns:
        (area over all batches, area over the last ones, [counts of positive and of negative rows for the second area,
            the same for the first]); areas are float64 [1], counts int64.

    Raises:
        ArgumentTypeError: input or label is not a Variable, or num_thresholds or slide_steps is not an int.
        ArgumentValueError: num_thresholds is below 1, slide_steps is negative, or a score is not in the range from 0 to
            1.
        ShapeError: the shapes do not fit.
        DtypeError: label is not int64.

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
    thresholds, steps = check_int("auc", "num_thresholds", num_thresholds), check_int("auc", "slide_steps", slide_steps)
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
            carry={"StatPosOut": positive, "StatNegOut": negative}, num_thresholds=thresholds, slide_steps=each,
        )  # fmt: skip
    return total, latest, counts


def mean_iou(input: Any, label: Any, num_classes: int) -> tuple[Any, Any, Any]:
    """Compute the mean over the classes of intersection over union, correct / (correct + wrong), in semantic
    segmentation.

    Arguments:
        input: the predicted classes, int32 or int64, of any shape.
        label: the true classes, with the dtype of `input` and as many elements; the shape may differ, such as [N, H, W, 1].
        num_classes: the number of classes, an int.

    Returns:
        (the mean, float32 [1]; the number of wrong elements of each class; the number of correct ones; both int32
            [num_classes]). A wrong element counts for its true and for its predicted class; classes that do not occur
            are left out of the mean.

    Raises:
        ArgumentTypeError: input or label is not a Variable, or num_classes is not an int.
        IndexRangeError: a predicted or true class is not below num_classes.
        ArgumentValueError: num_classes is below 1.
        ShapeError: the numbers of elements differ.
        DtypeError: the dtypes differ, or are not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     guess, label = (fluid.dygraph.to_variable(np.array(a)) for a in ([0, 1, 1, 1], [0, 1, 0, 1]))
    ...     [v.numpy().tolist() for v in fluid.layers.mean_iou(guess, label, 2)]
    [[0.5833333730697632], [1, 1], [1, 2]]
    """
    check_variable("mean_iou", "input", input)
    check_variable("mean_iou", "label", label)
    return ops.mean_iou.call(input, label, num_classes=check_int("mean_iou", "num_classes", num_classes))
