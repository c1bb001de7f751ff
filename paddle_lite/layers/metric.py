"""How good predictions are."""

from __future__ import annotations

from typing import Any

from ..ops import metric as ops
from .arguments import deliver
from .index import topk

__all__ = ["accuracy"]


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
