"""Losses over classes: one label for each row, or a distribution over the classes."""

from __future__ import annotations

from typing import Any

from ...core.dtype import name_of
from ...core.errors import ArgumentValueError, ShapeError, message
from ...core.typing import Variable
from ...ops.loss import loss_classes as ops
from ...ops.shape import fill
from ..math.arithmetic import cast
from ..math.compare import equal
from ..math.elementwise import elementwise_div
from ..math.matmul import matmul
from ..math.reduce import reduce_mean, reduce_sum
from ..shape.select import one_hot
from ..shape.shape import expand, reshape, transpose
from ..support.arguments import check_variable, is_variable
from ..support.helper import LayerHelper
from ..support.taken import inputs_taken
from .loss import softmax_with_cross_entropy

__all__ = ["bpr_loss", "center_loss", "dice_loss", "label_smooth", "npair_loss", "sigmoid_focal_loss"]


def bpr_loss(input: Any, label: Any, name: str | None = None) -> Variable:
    """Compute the Bayesian personalised ranking loss: the mean of log(1 + e^(input[j] - input[label])) over the other
    classes j.

    Source: Hidasi et al., "Session-based recommendations with recurrent neural networks", 2016.

    Arguments:
        input: scores [N, classes], float32 or float64.
        label: int64 [N, 1], the class that should have the highest score.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, 1].

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        IndexRangeError: a label is not a class.
        ShapeError: the shapes do not fit, or there are fewer than two classes.
        DtypeError: input is not float32 or float64, or label is not int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 3], 'float32'))
    ...     fluid.layers.bpr_loss(x, fluid.dygraph.to_variable(np.array([[1]]))).numpy()
    array([[0.6931472]], dtype=float32)
    """
    return ops.bpr_loss.call(input, label)


def center_loss(
    input: Variable, label: Any, num_classes: int, alpha: Any, param_attr: Any, update_center: bool = True
) -> Variable:
    """Compute half the squared distance of each row to the center of its class, and move the centers towards their
    rows.

    Source: Wen et al., "A discriminative feature learning approach for deep face recognition", 2016.

    Arguments:
        input: features [N, D], float32 or float64.
        label: int64 [N, 1], the class of each row.
        num_classes: the number of centers.
        alpha: the learning rate of the centers, a number or a Variable of one element.
        param_attr: the ParamAttr of the centers [num_classes, D]; or a Variable with the centers, which imperative code
            keeps from one call to the next.
        update_center: whether to move the centers.

    Returns:
        A Variable [N, 1].

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        IndexRangeError: a label is not below `num_classes`.
        ShapeError: the shapes do not fit.
        DtypeError: label is not int64, or the centers have another dtype than input.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 1.]], 'float32'))
    ...     centers = fluid.dygraph.to_variable(np.zeros([3, 2], 'float32'))
    ...     label = fluid.dygraph.to_variable(np.array([[2]]))
    ...     fluid.layers.center_loss(x, label, 3, 0.5, centers).numpy(), centers.numpy()[2]
    (array([[1.]], dtype=float32), array([0.25, 0.25], dtype=float32))
    """
    shape = check_variable("center_loss", "input", input).shape
    if len(shape) != 2:
        raise ShapeError(message("center_loss", "input", f"shape {list(shape)}", "shape [N, D]"))
    dtype = name_of(input.dtype)
    helper, centers = LayerHelper("center_loss"), param_attr
    if not is_variable(param_attr):
        centers = helper.create_parameter(param_attr, [num_classes, shape[1]], dtype, stop_gradient=True)
    rate = alpha
    if not is_variable(alpha):
        rate = helper.create_variable("centerloss_alpha", dtype=dtype, shape=[1], persistable=True, stop_gradient=True)
        filling = {"shape": [1], "dtype": int(rate.dtype), "value": float(alpha)}
        helper.run(fill.fill_constant, into={"Out": rate}, **filling)
    return helper.run(
        ops.center_loss, input, label, centers, rate, carry={"CentersOut": centers}, order="SampleCenterDiff Loss",
        cluster_num=num_classes, need_update=update_center,
    )[2]  # fmt: skip


def sigmoid_focal_loss(x: Any, label: Any, fg_num: Any, gamma: float = 2.0, alpha: float = 0.25) -> Variable:
    """Compute the focal loss of each class as a binary decision with probability p = sigmoid(x).

    It is -alpha (1 - p)^gamma log(p) for the class of a row, and -(1 - alpha) p^gamma log(1 - p) for the other classes.

    Source: Lin et al., "Focal loss for dense object detection", 2017.

    Arguments:
        x: scores [N, C], float32 or float64.
        label: int32 [N, 1]: 1 to C, 0 for background, -1 for rows to ignore.
        fg_num: int32 [1], the number of foreground rows; the loss is divided by it (at least by 1).
        gamma: the exponent that reduces the weight of easy examples.
        alpha: the weight of foreground; the background has 1 - alpha.

    Returns:
        A Variable [N, C].

    Raises:
        ArgumentTypeError: x, label or fg_num is not a Variable.
        ShapeError: the shapes do not fit.
        DtypeError: x is not float32 or float64, or label or fg_num is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 2], 'float32'))
    ...     label = fluid.dygraph.to_variable(np.array([[2]], 'int32'))
    ...     count = fluid.dygraph.to_variable(np.array([1], 'int32'))
    ...     fluid.layers.sigmoid_focal_loss(x, label, count).numpy().round(4)
    array([[0.13  , 0.0433]], dtype=float32)
    """
    return ops.sigmoid_focal_loss.call(x, label, fg_num, gamma=gamma, alpha=alpha)


def label_smooth(
    label: Any, prior_dist: Any = None, epsilon: float = 0.1, dtype: Any = "float32", name: str | None = None
) -> Variable:
    """Mix labels with a prior distribution: (1 - epsilon) label + epsilon prior.

    Source: Szegedy et al., "Rethinking the inception architecture", 2016.

    Arguments:
        label: distributions [..., classes], float32 or float64, for example from one_hot.
        prior_dist: [1, classes]; the uniform distribution where it is None.
        epsilon: the weight of the prior, from 0 to 1.
        dtype: accepted for Fluid code, ignored: the result has the dtype of `label`.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of `label`.

    Raises:
        ArgumentTypeError: label or prior_dist is not a Variable.
        ArgumentValueError: epsilon is out of range.
        ShapeError: prior_dist has another shape.
        DtypeError: label is not float32 or float64, or prior_dist has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0., 1.]], 'float32'))
    ...     fluid.layers.label_smooth(x, epsilon=0.5).numpy()
    array([[0.25, 0.75]], dtype=float32)
    """
    if not 0 <= epsilon <= 1:
        raise ArgumentValueError(message("label_smooth", "epsilon", epsilon, "a number from 0 to 1"))
    return ops.label_smooth.call(label, prior_dist, epsilon=float(epsilon))


def dice_loss(input: Variable, label: Any, epsilon: float = 1e-5, name: str | None = None) -> Variable:
    """Compute the Dice loss: the mean over the batch of 1 - 2 |A and B| / (|A| + |B| + epsilon).

    Arguments:
        input: probabilities [N, ..., classes], float32.
        label: int32 or int64 [N, ..., 1], the class at each position.
        epsilon: a small number that prevents a division by 0.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [1].

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        IndexRangeError: a label is not a class.
        ShapeError: the shapes do not fit.
        DtypeError: input is not float32, or label is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5, 0.5]], 'float32'))
    ...     fluid.layers.dice_loss(p, fluid.dygraph.to_variable(np.array([[1]]))).numpy().round(4)
    array([0.5], dtype=float32)
    """
    shape = check_variable("dice_loss", "input", input).shape
    hot = one_hot(label, depth=shape[-1])
    axes = list(range(1, len(shape)))
    common = reduce_sum(input * hot, dim=axes)
    total = reduce_sum(input, dim=axes) + reduce_sum(hot, dim=axes)
    return reduce_mean(1 - elementwise_div(2 * common, total + epsilon))


def npair_loss(anchor: Variable, positive: Any, labels: Variable, l2_reg: float = 0.002) -> Variable:
    """Compute the N-pair loss: the cross entropy of matching each anchor to the positives of its class, plus an L2
    penalty.

    Source: Sohn, "Improved deep metric learning with multi-class N-pair loss objective", 2016.

    Arguments:
        anchor, positive: features [N, D], float32 or float64; row i of both belongs to class labels[i].
        labels: [N], any dtype.
        l2_reg: the weight of the penalty: a quarter of the mean squared norms of anchors and positives.

    Returns:
        A Variable [1].

    Raises:
        ArgumentTypeError: anchor or labels is not a Variable.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     fluid.layers.npair_loss(x, x, fluid.dygraph.to_variable(np.array([0, 1]))).numpy()
    array([0.6931472], dtype=float32)
    """
    count = check_variable("npair_loss", "labels", labels).shape[0]
    inputs_taken("npair_loss", "labels", labels)
    rows = expand(reshape(labels, [count, 1]), [1, count])
    alike = cast(equal(rows, transpose(rows, [1, 0])), name_of(check_variable("npair_loss", "anchor", anchor).dtype))
    wanted = elementwise_div(alike, reduce_sum(alike, dim=1, keep_dim=True))
    lengths = reduce_mean(reduce_sum(anchor * anchor, dim=1)) + reduce_mean(reduce_sum(positive * positive, dim=1))
    scores = matmul(anchor, positive, transpose_x=False, transpose_y=True)
    entropy = softmax_with_cross_entropy(scores, wanted, soft_label=True)
    return lengths * (0.25 * l2_reg) + reduce_mean(entropy)
