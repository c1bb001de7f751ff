"""Losses of two or three Variables of one shape, computed for each element or each row."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.typing import Variable
from ...ops.loss import loss_pairs as ops
from ..math import reduce
from ..support.write_into import run
from . import loss

__all__ = [
    "huber_loss", "kldiv_loss", "log_loss", "margin_rank_loss", "mse_loss", "rank_loss",
    "sigmoid_cross_entropy_with_logits", "smooth_l1", "teacher_student_sigmoid_loss",
]  # fmt: skip


@formerly("x label name")
def sigmoid_cross_entropy_with_logits(
    x: Any, label: Any, ignore_index: int = -100, name: str | None = None, normalize: bool = False
) -> Variable:
    """Compute -label log(sigmoid(x)) - (1 - label) log(1 - sigmoid(x)) for each element, without overflow.

    Arguments:
        x: scores of any shape, float32 or float64.
        label: probabilities, of the shape and dtype of x.
        ignore_index: elements with this label (truncated to an integer) have the loss 0.
        name: accepted for Fluid code, ignored.
        normalize: whether to divide by the number of labels that are not ignored; the result is NaN if all are.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or label is not a Variable.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0., 100.], 'float32'))
    ...     fluid.layers.sigmoid_cross_entropy_with_logits(x, x * 0).numpy()
    array([  0.6931472, 100.       ], dtype=float32)
    """
    return ops.sigmoid_cross_entropy_with_logits.call(x, label, normalize=normalize, ignore_index=ignore_index)


def smooth_l1(
    x: Any, y: Any, inside_weight: Any = None, outside_weight: Any = None, sigma: float | None = None
) -> Variable:
    """Compute the smooth L1 loss, quadratic near 0 and linear elsewhere, and sum it over each row.

    With d = inside_weight (x - y) and s = sigma, the loss of an element is outside_weight times 0.5 (s d)^2 where |d| <
    1 / s^2, else |d| - 0.5 / s^2.

    Source: Girshick, "Fast R-CNN", 2015.

    Arguments:
        x, y: float32 or float64 of one shape, rank 2 or more.
        inside_weight, outside_weight: weights of the same shape; both or none. An outside weight alone has no effect.
        sigma: a number; 1.0 where it is None.

    Returns:
        A Variable [N, 1].

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ArgumentValueError: inside_weight is given without outside_weight.
        ShapeError: the shapes differ, or the rank is 1.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0.5, 3.]], 'float32'))
    ...     fluid.layers.smooth_l1(x, x * 0).numpy()
    array([[2.625]], dtype=float32)
    """
    sigma = 1.0 if sigma is None else sigma
    return ops.smooth_l1_loss.call(x, y, inside_weight, outside_weight, sigma=sigma)[1]


def huber_loss(input: Any, label: Any, delta: float) -> Variable:
    """Compute the Huber loss of r = label - input: 0.5 r^2 where |r| <= delta, else delta (|r| - 0.5 delta).

    Arguments:
        input, label: float32 or float64 of one shape.
        delta: where the loss changes from quadratic to linear.

    Returns:
        A Variable of the shape and dtype of `input`.

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.5, 3.], 'float32'))
    ...     fluid.layers.huber_loss(x, x * 0, delta=1.0).numpy()
    array([0.125, 2.5  ], dtype=float32)
    """
    return ops.huber_loss.call(input, label, delta=delta)[1]


def log_loss(input: Any, label: Any, epsilon: float = 1e-4, name: str | None = None) -> Variable:
    """Compute the log loss: -label log(input + epsilon) - (1 - label) log(1 - input + epsilon).

    Arguments:
        input: probabilities, float32 or float64 [N, 1].
        label: 0 or 1, of the shape and dtype of `input`.
        epsilon: a small number that keeps the logarithms finite.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, 1].

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ShapeError: the shapes differ or are not [N, 1].
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5], [0.9]], 'float32'))
    ...     fluid.layers.log_loss(p, p * 0 + 1).numpy().round(3)
    array([[0.693],
           [0.105]], dtype=float32)
    """
    return ops.log_loss.call(input, label, epsilon=epsilon)


def kldiv_loss(x: Any, target: Any, reduction: str = "mean", name: str | None = None) -> Variable:
    """Compute the Kullback-Leibler divergence target (log(target) - x); it is 0 where target is not positive.

    Arguments:
        x: logarithms of probabilities, float32 or float64.
        target: probabilities, of the shape and dtype of x.
        reduction: "none", "sum", "mean" (over the elements) or "batchmean" (the sum divided by the number of rows).
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [1]; of the shape of x for "none".

    Raises:
        ArgumentTypeError: x or target is not a Variable.
        ArgumentValueError: reduction is unknown.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5, 0.5]], 'float32'))
    ...     fluid.layers.kldiv_loss(p * 0, p, reduction='sum').numpy()
    array([-0.6931472], dtype=float32)
    """
    return ops.kldiv_loss.call(x, target, reduction=reduction)


def margin_rank_loss(label: Any, left: Any, right: Any, margin: float = 0.1, name: str | None = None) -> Variable:
    """Compute the margin ranking loss: max(0, -label (left - right) + margin).

    Arguments:
        label: float32 [N, 1]: 1 where `left` should have the higher score, -1 where `right` should.
        left, right: scores, of the shape and dtype of `label`.
        margin: the wanted difference of the scores.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, 1].

    Raises:
        ArgumentTypeError: label, left or right is not a Variable.
        ShapeError: the shapes differ or are not [N, 1].
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     one = fluid.dygraph.to_variable(np.array([[1.]], 'float32'))
    ...     fluid.layers.margin_rank_loss(one, one, one * 3, margin=0.5).numpy()
    array([[2.5]], dtype=float32)
    """
    return run(ops.margin_rank_loss, left, right, label, order="Out Activated", margin=margin)[1]


def rank_loss(label: Any, left: Any, right: Any, name: str | None = None) -> Variable:
    """Compute the RankNet loss: log(1 + e^o) - label o, with o = left - right.

    Source: Burges et al., "Learning to rank using gradient descent", 2005.

    Arguments:
        label: float32 [N, 1] or [N], the probability that `left` ranks higher.
        left, right: scores of the dtype of `label`, [N, 1] or [N].
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape of `label`.

    Raises:
        ArgumentTypeError: label, left or right is not a Variable.
        ShapeError: the shapes differ otherwise than by a last dimension of 1.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     one = fluid.dygraph.to_variable(np.array([[1.]], 'float32'))
    ...     fluid.layers.rank_loss(one, one, one).numpy()
    array([[0.6931472]], dtype=float32)
    """
    return ops.rank_loss.call(label, left, right)


def teacher_student_sigmoid_loss(
    input: Any, label: Any, soft_max_up_bound: float = 15.0, soft_max_lower_bound: float = -15.0
) -> Variable:
    """Compute the cross entropy of a click plus that of a teacher's score; one label encodes both.

    Arguments:
        input: scores, float32 or float64 [N, 1].
        label: of the shape and dtype of `input`. Below -1: no click, no score; from -1 to below 0: click, no score;
            from 0 to below 1: no click, the score is label; from 1: click, the score is label - 1.
        soft_max_up_bound, soft_max_lower_bound: an input at or beyond one of these bounds gets no gradient.

    Returns:
        A Variable [N, 1].

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ShapeError: the shapes differ or are not [N, 1].
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0.]], 'float32'))
    ...     fluid.layers.teacher_student_sigmoid_loss(x, x - 2).numpy()
    array([[0.6931472]], dtype=float32)
    """
    return ops.teacher_student_sigmoid_loss.call(
        input, label, soft_max_up_bound=soft_max_up_bound, soft_max_lower_bound=soft_max_lower_bound
    )


def mse_loss(input: Any, label: Any) -> Variable:
    """Compute the mean squared error: the mean of (input - label)^2 over all elements.

    Arguments:
        input, label: Variables of one shape and dtype, float32 or float64.

    Returns:
        A Variable [1].

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 1.], 'float32'))
    ...     fluid.layers.mse_loss(x, x - 2).numpy()
    array([4.], dtype=float32)
    """
    return reduce.reduce_mean(loss.square_error_cost(input, label))
