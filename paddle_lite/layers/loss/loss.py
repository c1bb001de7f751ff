"""Losses."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...ops.loss import loss as ops
from ...ops.math import elementwise
from ...ops.nn import activation

__all__ = ["cross_entropy", "softmax_with_cross_entropy", "square_error_cost"]


def cross_entropy(input: Any, label: Any, soft_label: bool = False, ignore_index: int = -100) -> Any:
    """-log(probability of the label), for each row.

    Arguments:
        input: probabilities [N, ..., classes], float32 or float64, e.g. from softmax.
        label: int64 [N, ..., 1], the class of each row; or with `soft_label` probabilities of `input`'s shape and dtype.
        soft_label: whether labels are probabilities.
        ignore_index: rows with this label have the loss 0.

    Returns:
        [N, ..., 1].

    Raises:
        IndexRangeError: a label is not a class.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5, 0.5]], 'float32'))
    ...     fluid.layers.cross_entropy(p, fluid.dygraph.to_variable(np.array([[1]]))).numpy()
    array([[0.6931472]], dtype=float32)
    """
    if soft_label:
        return ops.cross_entropy.call(input, label, soft_label=True, ignore_index=ignore_index)
    return ops.cross_entropy2.call(input, label, ignore_index=ignore_index)[0]


def softmax_with_cross_entropy(
    logits: Any,
    label: Any,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Any:
    """cross_entropy(softmax(logits), label), computed in one go without overflow.

    Arguments:
        logits: [N, ..., classes], float32 or float64.
        label: int64 of the same shape with 1 along `axis`; or with `soft_label` probabilities of `logits`' shape and dtype.
        soft_label: whether labels are probabilities.
        ignore_index: rows with this label have the loss 0.
        numeric_stable_mode: kept for Fluid code; it always is.
        return_softmax: return the softmax too.
        axis: the dimension of the classes.

    Returns:
        The loss, of `logits`' shape with 1 along `axis`; with `return_softmax` (loss, softmax).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 2], 'float32'))
    ...     fluid.layers.softmax_with_cross_entropy(x, fluid.dygraph.to_variable(np.array([[1]]))).numpy()
    array([[0.6931472]], dtype=float32)
    """
    softmax, loss = ops.softmax_with_cross_entropy.call(
        logits,
        label,
        soft_label=soft_label,
        ignore_index=ignore_index,
        axis=axis,
    )
    return (loss, softmax) if return_softmax else loss


def square_error_cost(input: Any, label: Any) -> Any:
    """(input - label) squared, element by element.

    Arguments:
        input, label: Variables of one shape and dtype, float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 1.], 'float32'))
    ...     fluid.layers.square_error_cost(x, x - 2).numpy()
    array([4., 4.], dtype=float32)
    """
    with result_names.function("square_error_cost"):
        return activation.square.call(elementwise.elementwise_sub.call(input, label))
