"""Losses: cross entropy with and without softmax, squared error."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...core.typing import Variable
from ...ops.loss import loss as ops
from ...ops.math import elementwise
from ...ops.nn import activation

__all__ = ["cross_entropy", "softmax_with_cross_entropy", "square_error_cost"]


def cross_entropy(input: Any, label: Any, soft_label: bool = False, ignore_index: int = -100) -> Variable:
    """Compute the cross entropy -log(probability of the label) for each row.

    Arguments:
        input: probabilities [N, ..., classes], float32 or float64, for example from softmax.
        label: int64 [N, ..., 1], the class of each row; with `soft_label` probabilities of the shape and dtype of
            `input`.
        soft_label: whether labels are probabilities.
        ignore_index: a label whose rows have the loss 0.

    Returns:
        A Variable [N, ..., 1] of the dtype of `input`.

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        IndexRangeError: a label is not a class.
        ShapeError: the shapes do not fit, or there are no classes.
        DtypeError: input is not float32 or float64, or label is not int64 (with soft_label: of another dtype than
            input).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5, 0.5]], 'float32'))
    ...     fluid.layers.cross_entropy(p, fluid.dygraph.to_variable(np.array([[1]]))).numpy()
    array([[0.6931472]], dtype=float32)
    """
    if soft_label:
        return ops.cross_entropy.call(input, label, soft_label=True, ignore_index=ignore_index)
    return cross_entropy2(input, label, ignore_index)


kIgnoreIndex = -100
"""The label whose rows have the loss 0."""


def cross_entropy2(input: Any, label: Any, ignore_index: int = kIgnoreIndex) -> Variable:
    """Compute `cross_entropy` of labels that are classes; the arguments and errors are the same."""
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
    """Compute cross_entropy(softmax(logits), label) in one operator, without overflow.

    Arguments:
        logits: [N, ..., classes], float32 or float64.
        label: int64 of the shape of `logits` with size 1 along `axis`; with `soft_label` probabilities of the shape and
            dtype of `logits`.
        soft_label: whether labels are probabilities.
        ignore_index: a label whose rows have the loss 0.
        numeric_stable_mode: accepted for Fluid code, ignored: the computation is always stable.
        return_softmax: whether to return the softmax, too.
        axis: the axis of the classes.

    Returns:
        The loss, of the shape of `logits` with size 1 along `axis`; with `return_softmax` (loss, softmax).

    Raises:
        ArgumentTypeError: logits or label is not a Variable.
        IndexRangeError: a label is not a class.
        ShapeError: the shapes do not fit, or there are no classes.
        ArgumentValueError: logits has no such axis.
        DtypeError: logits is not float32 or float64, or label is not int64 (with soft_label: of another dtype than
            logits).

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
    return (loss, softmax) if bool(return_softmax) else loss


def square_error_cost(input: Any, label: Any) -> Variable:
    """Compute (input - label)^2, element by element.

    Arguments:
        input, label: Variables of one shape and dtype, float32 or float64.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 1.], 'float32'))
    ...     fluid.layers.square_error_cost(x, x - 2).numpy()
    array([4., 4.], dtype=float32)
    """
    with result_names.function("square_error_cost"):
        return activation.square.call(elementwise.elementwise_sub.call(input, label))
