"""Losses over classes: one label a row, or a distribution."""

from __future__ import annotations

from typing import Any

from ...core.dtype import name_of
from ...core.errors import ArgumentValueError, ShapeError, message
from ...ops.loss import loss_classes as ops
from ...ops.shape import fill
from ..math.arithmetic import cast
from ..math.compare import equal
from ..math.elementwise import elementwise_div, elementwise_mul
from ..math.matmul import matmul
from ..math.reduce import reduce_mean, reduce_sum
from ..shape.select import one_hot
from ..shape.shape import expand, reshape, transpose
from ..support.arguments import check_variable, is_variable
from ..support.helper import LayerHelper
from .loss import softmax_with_cross_entropy

__all__ = ["bpr_loss", "center_loss", "dice_loss", "label_smooth", "npair_loss", "sigmoid_focal_loss"]


def bpr_loss(input: Any, label: Any, name: str | None = None) -> Any:
    """The mean of log(1 + e^(input[j] - input[label])) over the other classes j of each row.

    Hidasi et al., "Session-based recommendations with recurrent neural networks", 2016.

    Arguments:
        input: scores [N, classes], float32 or float64.
        label: int64 [N, 1], the class that should lead.
        name: kept for Fluid code.

    Returns:
        [N, 1].

    Raises:
        IndexRangeError: a label is not a class.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 3], 'float32'))
    ...     fluid.layers.bpr_loss(x, fluid.dygraph.to_variable(np.array([[1]]))).numpy()
    array([[0.6931472]], dtype=float32)
    """
    return ops.bpr_loss.call(input, label)


def center_loss(
    input: Any, label: Any, num_classes: int, alpha: Any, param_attr: Any, update_center: bool = True
) -> Any:
    """Half the squared distance of each row to the center of its class; the centers move towards their rows.

    Wen et al., "A discriminative feature learning approach for deep face recognition", 2016.

    Arguments:
        input: features [N, D], float32 or float64.
        label: int64 [N, 1].
        num_classes: how many centers there are.
        alpha: how far the centers move, a number or a Variable of one element.
        param_attr: the ParamAttr of the centers [num_classes, D]; or the centers themselves, which imperative code keeps
            from one call to the next.
        update_center: whether the centers move.

    Returns:
        [N, 1].

    Raises:
        IndexRangeError: a label is not below `num_classes`.

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
        ops.center_loss, input, label, centers, rate, state={"CentersOut": centers}, order="SampleCenterDiff Loss",
        cluster_num=num_classes, need_update=update_center,
    )[2]  # fmt: skip


def sigmoid_focal_loss(x: Any, label: Any, fg_num: Any, gamma: float = 2.0, alpha: float = 0.25) -> Any:
    """-alpha (1 - p)^gamma log(p) at a row's class, -(1 - alpha) p^gamma log(1 - p) at the others, of p = sigmoid(x).

    Lin et al., "Focal loss for dense object detection", 2017.

    Arguments:
        x: scores [N, C], float32 or float64.
        label: int32 [N, 1]: 1 to C, 0 for background, -1 for rows that do not count.
        fg_num: int32 [1], the number of foreground rows, by which the loss is divided (at least by 1).
        gamma: how much less easy examples weigh.
        alpha: the weight of the classes, against 1 - alpha of the background.

    Returns:
        [N, C].

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
) -> Any:
    """(1 - epsilon) label + epsilon prior (Szegedy et al., "Rethinking the inception architecture", 2016).

    Arguments:
        label: distributions [..., classes], float32 or float64, e.g. from one_hot.
        prior_dist: [1, classes]; 1 / classes for each class where it is None.
        epsilon: the weight of the prior, 0 to 1.
        dtype: kept for Fluid code; the result has the dtype of `label`.
        name: kept for Fluid code.

    Returns:
        The shape of `label`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0., 1.]], 'float32'))
    ...     fluid.layers.label_smooth(x, epsilon=0.5).numpy()
    array([[0.25, 0.75]], dtype=float32)
    """
    if not 0 <= epsilon <= 1:
        raise ArgumentValueError(message("label_smooth", "epsilon", epsilon, "a number from 0 to 1"))
    return ops.label_smooth.call(label, prior_dist, epsilon=float(epsilon))


def dice_loss(input: Any, label: Any, epsilon: float = 1e-5, name: str | None = None) -> Any:
    """The mean over the batch of 1 - 2 |A and B| / (|A| + |B| + epsilon): how little two regions have in common.

    Arguments:
        input: probabilities [N, ..., classes], float32.
        label: int32 or int64 [N, ..., 1], the class at each place.
        epsilon: keeps the quotient finite.
        name: kept for Fluid code.

    Returns:
        [1].

    Raises:
        IndexRangeError: a label is not a class.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5, 0.5]], 'float32'))
    ...     fluid.layers.dice_loss(p, fluid.dygraph.to_variable(np.array([[1]]))).numpy().round(4)
    array([0.5], dtype=float32)
    """
    shape = check_variable("dice_loss", "input", input).shape
    hot = one_hot(label, depth=shape[-1])
    axes = list(range(1, len(shape)))
    common = reduce_sum(elementwise_mul(input, hot), dim=axes)
    total = reduce_sum(input, dim=axes) + reduce_sum(hot, dim=axes)
    return reduce_mean(1 - elementwise_div(2 * common, total + epsilon))


def npair_loss(anchor: Any, positive: Any, labels: Any, l2_reg: float = 0.002) -> Any:
    """The cross entropy of finding each anchor's own class among all positives, plus a penalty on their lengths.

    Sohn, "Improved deep metric learning with multi-class N-pair loss objective", 2016.

    Arguments:
        anchor, positive: features [N, D], float32 or float64; row i of both is of class labels[i].
        labels: [N], any dtype.
        l2_reg: the weight of a quarter of the mean squared lengths of anchors and positives.

    Returns:
        [1].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     fluid.layers.npair_loss(x, x, fluid.dygraph.to_variable(np.array([0, 1]))).numpy()
    array([0.6931472], dtype=float32)
    """
    count = check_variable("npair_loss", "labels", labels).shape[0]
    rows = expand(reshape(labels, [count, 1]), [1, count])
    alike = cast(equal(rows, transpose(rows, [1, 0])), name_of(check_variable("npair_loss", "anchor", anchor).dtype))
    wanted = elementwise_div(alike, reduce_sum(alike, dim=1, keep_dim=True))
    lengths = reduce_mean(reduce_sum(anchor * anchor, dim=1)) + reduce_mean(reduce_sum(positive * positive, dim=1))
    scores = matmul(anchor, positive, transpose_x=False, transpose_y=True)
    entropy = softmax_with_cross_entropy(scores, wanted, soft_label=True)
    return lengths * (0.25 * l2_reg) + reduce_mean(entropy)
