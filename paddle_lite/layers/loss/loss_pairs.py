"""Losses of two or three Variables of one shape, element by element or row by row."""

from __future__ import annotations

from typing import Any

from ...ops.loss import loss_pairs as ops
from ..math import reduce
from ..support.write_into import run
from . import loss

__all__ = [
    "huber_loss", "kldiv_loss", "log_loss", "margin_rank_loss", "mse_loss", "rank_loss",
    "sigmoid_cross_entropy_with_logits", "smooth_l1", "teacher_student_sigmoid_loss",
]  # fmt: skip


def sigmoid_cross_entropy_with_logits(
    x: Any, label: Any, ignore_index: int = -100, name: str | None = None, normalize: bool = False
) -> Any:
    """-label log(sigmoid(x)) - (1 - label) log(1 - sigmoid(x)): independent yes-or-no questions, without overflow.

    Arguments:
        x: scores, float32 or float64 of any shape.
        label: probabilities of yes, of `x`'s shape and dtype.
        ignore_index: elements with this label (cut off to a whole number) have the loss 0.
        name: kept for Fluid code.
        normalize: divide by the number of labels that are not ignored; NaN if all are.

    Returns:
        The shape of `x`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0., 100.], 'float32'))
    ...     fluid.layers.sigmoid_cross_entropy_with_logits(x, x * 0).numpy()
    array([  0.6931472, 100.       ], dtype=float32)
    """
    return ops.sigmoid_cross_entropy_with_logits.call(x, label, normalize=normalize, ignore_index=ignore_index)


def smooth_l1(x: Any, y: Any, inside_weight: Any = None, outside_weight: Any = None, sigma: float | None = None) -> Any:
    """The sum over each row of a loss that is quadratic near 0 and linear further out (Girshick, "Fast R-CNN", 2015).

    With d = inside_weight (x - y) and s = sigma an element's loss is outside_weight times 0.5 (s d)^2 where
    |d| < 1 / s^2, else |d| - 0.5 / s^2.

    Arguments:
        x, y: float32 or float64 of one shape, rank 2 or more.
        inside_weight, outside_weight: of the same shape; both or none. An outside weight alone has no effect.
        sigma: 1.0 where it is None.

    Returns:
        [N, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0.5, 3.]], 'float32'))
    ...     fluid.layers.smooth_l1(x, x * 0).numpy()
    array([[2.625]], dtype=float32)
    """
    sigma = 1.0 if sigma is None else sigma
    return ops.smooth_l1_loss.call(x, y, inside_weight, outside_weight, sigma=sigma)[1]


def huber_loss(input: Any, label: Any, delta: float) -> Any:
    """0.5 r^2 where |r| <= delta, else delta (|r| - 0.5 delta), of the residual r = label - input.

    Arguments:
        input, label: float32 or float64 of one shape.
        delta: where the loss turns from quadratic to linear.

    Returns:
        The shape of `input`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.5, 3.], 'float32'))
    ...     fluid.layers.huber_loss(x, x * 0, delta=1.0).numpy()
    array([0.125, 2.5  ], dtype=float32)
    """
    return ops.huber_loss.call(input, label, delta=delta)[1]


def log_loss(input: Any, label: Any, epsilon: float = 1e-4, name: str | None = None) -> Any:
    """-label log(input + epsilon) - (1 - label) log(1 - input + epsilon).

    Arguments:
        input: probabilities, float32 or float64 [N, 1].
        label: 0 or 1, of the same shape and dtype.
        epsilon: keeps the logarithms finite.
        name: kept for Fluid code.

    Returns:
        [N, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5], [0.9]], 'float32'))
    ...     fluid.layers.log_loss(p, p * 0 + 1).numpy().round(3)
    array([[0.693],
           [0.105]], dtype=float32)
    """
    return ops.log_loss.call(input, label, epsilon=epsilon)


def kldiv_loss(x: Any, target: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The Kullback-Leibler divergence target (log(target) - x), 0 where target is not positive.

    Arguments:
        x: logarithms of probabilities, float32 or float64.
        target: probabilities, of the same shape and dtype.
        reduction: "none", "sum", "mean" (over the elements) or "batchmean" (over the rows).
        name: kept for Fluid code.

    Returns:
        [1], or the shape of `x` for "none".

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5, 0.5]], 'float32'))
    ...     fluid.layers.kldiv_loss(p * 0, p, reduction='sum').numpy()
    array([-0.6931472], dtype=float32)
    """
    return ops.kldiv_loss.call(x, target, reduction=reduction)


def margin_rank_loss(label: Any, left: Any, right: Any, margin: float = 0.1, name: str | None = None) -> Any:
    """max(0, -label (left - right) + margin).

    Arguments:
        label: 1 where `left` should rank higher, -1 where `right` should; float32 [N, 1].
        left, right: scores, of the same shape and dtype.
        margin: how far the scores should lie apart.
        name: kept for Fluid code.

    Returns:
        [N, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     one = fluid.dygraph.to_variable(np.array([[1.]], 'float32'))
    ...     fluid.layers.margin_rank_loss(one, one, one * 3, margin=0.5).numpy()
    array([[2.5]], dtype=float32)
    """
    return run(ops.margin_rank_loss, left, right, label, order="Out Activated", margin=margin)[1]


def rank_loss(label: Any, left: Any, right: Any, name: str | None = None) -> Any:
    """log(1 + e^o) - label o, o = left - right (Burges et al., "Learning to rank using gradient descent", 2005).

    Arguments:
        label: the probability that `left` ranks higher, float32 [N, 1].
        left, right: scores, of the same shape and dtype.
        name: kept for Fluid code.

    Returns:
        [N, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     one = fluid.dygraph.to_variable(np.array([[1.]], 'float32'))
    ...     fluid.layers.rank_loss(one, one, one).numpy()
    array([[0.6931472]], dtype=float32)
    """
    return ops.rank_loss.call(label, left, right)


def teacher_student_sigmoid_loss(
    input: Any, label: Any, soft_max_up_bound: float = 15.0, soft_max_lower_bound: float = -15.0
) -> Any:
    """The cross entropy of a click plus that of a teacher's score, both coded in one label.

    Arguments:
        input: scores, float32 or float64 [N, 1].
        label: of the same shape and dtype. Below -1: no click and no score; in [-1, 0): click without score; in [0, 1): no
            click, the score is the label; from 1 on: click, the score is label - 1.
        soft_max_up_bound, soft_max_lower_bound: an input that reaches one of them gets no gradient.

    Returns:
        [N, 1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0.]], 'float32'))
    ...     fluid.layers.teacher_student_sigmoid_loss(x, x - 2).numpy()
    array([[0.6931472]], dtype=float32)
    """
    return ops.teacher_student_sigmoid_loss.call(
        input, label, soft_max_up_bound=soft_max_up_bound, soft_max_lower_bound=soft_max_lower_bound
    )


def mse_loss(input: Any, label: Any) -> Any:
    """The mean of (input - label)^2 over all elements.

    Arguments:
        input, label: Variables of one shape and dtype, float32 or float64.

    Returns:
        [1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([3., 1.], 'float32'))
    ...     fluid.layers.mse_loss(x, x - 2).numpy()
    array([4.], dtype=float32)
    """
    return reduce.reduce_mean(loss.square_error_cost(input, label))
