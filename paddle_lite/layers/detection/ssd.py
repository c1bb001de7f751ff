"""SSD, a single-stage detector (Liu et al. 2016): its loss and its detections."""

from __future__ import annotations

from typing import Any

from ...core import result_names
from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.detection import match, select
from ..loss.loss import softmax_with_cross_entropy
from ..loss.loss_pairs import smooth_l1
from ..math.arithmetic import cast, scale
from ..math.elementwise import elementwise_add, elementwise_div, elementwise_mul
from ..math.reduce import reduce_sum
from ..nn.activation import softmax
from ..shape.shape import flatten, reshape, shape, slice, transpose
from ..support.arguments import check_number, check_variable
from .boxes import box_coder, iou_similarity
from .match import bipartite_match, target_assign
from .select import multiclass_nms

__all__ = ["detection_output", "ssd_loss"]


def flat(variable: Any) -> Variable:
    """Flatten all dimensions but the last one."""
    return flatten(variable, axis=2)


def constant(variable: Any) -> Variable:
    """Stop the gradient at a Variable and return it."""
    variable.stop_gradient = True
    return variable


def ssd_loss(
    location: Any,
    confidence: Any,
    gt_box: Any,
    gt_label: Any,
    prior_box: Any,
    prior_box_var: Any = None,
    background_label: int = 0,
    overlap_threshold: float = 0.5,
    neg_pos_ratio: float = 3.0,
    neg_overlap: float = 0.5,
    loc_loss_weight: float = 1.0,
    conf_loss_weight: float = 1.0,
    match_type: str = "per_prediction",
    mining_type: str = "max_negative",
    normalize: bool = True,
    sample_size: int | None = None,
) -> Variable:
    """Compute the loss of SSD for each image.

    Prior boxes are matched with true boxes by IoU. Matched ones have a smooth_l1 loss of the location and a cross
    entropy loss of the class; of the others those with the largest class loss are used as background examples (hard
    negative mining).

    Source: Liu et al., "SSD: Single shot multibox detector", 2016.

    Arguments:
        location: [N, P, 4]: for each prior box a code as in box_coder.
        confidence: [N, P, C], the logits of the classes.
        gt_box: [T, 4] as xmin, ymin, xmax, ymax, with a LoD of one level: the true boxes of each image.
        gt_label: int32 [T, 1] with the same LoD: the classes of the true boxes.
        prior_box: [P, 4].
        prior_box_var: [P, 4], or a list of 4 numbers.
        background_label: the class of prior boxes without a match.
        overlap_threshold: with "per_prediction": the smallest IoU of additional matches.
        neg_pos_ratio: the number of background examples for each match.
        neg_overlap: only prior boxes with an IoU below this can become background examples.
        loc_loss_weight: the weight of the location loss.
        conf_loss_weight: the weight of the class loss.
        match_type: "per_prediction" or "bipartite", as in bipartite_match.
        mining_type: "max_negative".
        normalize: whether to divide by the number of matched prior boxes of all images.
        sample_size: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, 1].

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number has another type.
        ArgumentValueError: mining_type or match_type is unknown.
        LoDError: gt_box or gt_label has no LoD.
        ShapeError: the shapes do not fit.
        DtypeError: gt_label is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable, to_variable
    >>> with fluid.dygraph.guard():
    ...     priors = to_variable(np.array([[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]], 'float32'))
    ...     box = Variable(np.array([[0, 0, 0.5, 0.5]], 'float32'), lod=((0, 1),))
    ...     label = Variable(np.array([[1]], 'int32'), lod=((0, 1),))
    ...     logits = to_variable(np.array([[[0, 2], [0, 0]]], 'float32'))
    ...     location = to_variable(np.zeros([1, 2, 4], 'float32'))
    ...     fluid.layers.ssd_loss(location, logits, box, label, priors, [0.1, 0.1, 0.2, 0.2]).numpy().round(3)
    array([[0.82]], dtype=float32)
    """
    where = "ssd_loss"
    if mining_type != "max_negative":
        raise ArgumentValueError(message(where, "mining_type", repr(mining_type), "'max_negative'"))
    for name, value in (("location", location), ("confidence", confidence), ("gt_box", gt_box), ("gt_label", gt_label)):
        check_variable(where, name, value)
    sizes = shape(confidence)
    rows, alike = bipartite_match(iou_similarity(gt_box, prior_box), match_type, overlap_threshold)
    labels = reshape(gt_label, [0, -1, 1])
    target, _ = target_assign(labels, rows, mismatch_value=background_label)
    logits = flat(confidence)
    mined = softmax_with_cross_entropy(logits, constant(flat(cast(target, "int64"))))
    images_and_priors = slice(sizes, [0], [0], [2])
    negatives, rows = match.mine_hard_examples.call(
        reshape(mined, [-1, 0], images_and_priors),
        None,
        rows,
        alike,
        neg_pos_ratio=check_number(where, "neg_pos_ratio", neg_pos_ratio),
        neg_dist_threshold=check_number(where, "neg_overlap", neg_overlap),
        mining_type=mining_type,
        sample_size=sample_size or 0,
    )
    codes = box_coder(prior_box, prior_box_var, gt_box, "encode_center_size")
    boxes, of_location = map(constant, target_assign(codes, rows, mismatch_value=background_label))
    target, of_class = target_assign(labels, rows, negatives, mismatch_value=background_label)
    by_class = softmax_with_cross_entropy(logits, constant(cast(flat(target), "int64")))
    by_class = elementwise_mul(by_class, flat(constant(of_class)))
    by_location = smooth_l1(flat(location), flat(boxes))
    of_location = flat(of_location)
    by_location = elementwise_mul(by_location, of_location)
    loss = elementwise_add(scale(by_class, float(conf_loss_weight)), scale(by_location, float(loc_loss_weight)))
    loss = reduce_sum(reshape(loss, [-1, 0], images_and_priors), dim=1, keep_dim=True)
    return elementwise_div(loss, reduce_sum(of_location)) if normalize else loss


def detection_output(
    loc: Any,
    scores: Any,
    prior_box: Any,
    prior_box_var: Any,
    background_label: int = 0,
    nms_threshold: float = 0.3,
    nms_top_k: int = 400,
    keep_top_k: int = 200,
    score_threshold: float = 0.01,
    nms_eta: float = 1.0,
    return_index: bool = False,
) -> Any:
    """Compute the detections of SSD: decode the boxes, then apply non-maximum suppression.

    PaddlePaddle 1.8 ignores `background_label` and `nms_eta`, and leaves out class 0.

    Arguments:
        loc: [N, P, 4]: for each prior box a code as in box_coder.
        scores: [N, P, C], the logits of the classes.
        prior_box: [P, 4].
        prior_box_var: [P, 4], or a list of 4 numbers.
        background_label: the class to leave out; -1 for none.
        nms_threshold: of two boxes of a class with an IoU above this only the better one is kept.
        nms_top_k: the number of boxes of a class to consider, the best first; -1 for all.
        keep_top_k: the number of boxes of an image to keep, over all classes; -1 for all.
        score_threshold: boxes with a probability up to this are dropped.
        nms_eta: a factor of `nms_threshold`, applied after each kept box while nms_threshold is above 0.5; 1.0 for
            none.
        return_index: whether to return the index of each box, too.

    Returns:
        A Variable [n, 6]: class, probability, xmin, ymin, xmax, ymax, with a LoD that separates the images; [[-1]]
            where nothing is detected. With `return_index` (this Variable, int32 [n, 1]: the index of each box among
            those of all images), without rows where nothing is detected.

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number has another type.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     arrays = np.zeros([1, 1, 4]), [[[0, 3]]], [[0.25, 0.25, 0.5, 0.5]], [[0.1, 0.1, 0.2, 0.2]]
    ...     args = [fluid.dygraph.to_variable(np.array(a, 'float32')) for a in arrays]
    ...     fluid.layers.detection_output(*args).numpy().round(3)
    array([[1.   , 0.953, 0.25 , 0.25 , 0.5  , 0.5  ]], dtype=float32)
    """
    where = "detection_output"
    boxes = box_coder(prior_box, prior_box_var, loc, "decode_center_size")
    of_classes = transpose(softmax(scores), [0, 2, 1])
    of_classes.stop_gradient = True
    attrs: dict[str, Any] = {
        "score_threshold": check_number(where, "score_threshold", score_threshold),
        "nms_top_k": nms_top_k,
        "keep_top_k": keep_top_k,
        "nms_threshold": check_number(where, "nms_threshold", nms_threshold),
        "nms_eta": check_number(where, "nms_eta", nms_eta),
        "background_label": background_label,
    }
    if return_index:
        return select.multiclass_nms2.call(boxes, of_classes, **attrs)
    with result_names.function(where):
        return multiclass_nms(boxes, of_classes, **attrs)
