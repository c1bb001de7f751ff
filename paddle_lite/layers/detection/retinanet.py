"""RetinaNet: training targets and predictions of its anchors, and its detections."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.detection import retinanet as ops
from ..shape.shape import reshape
from ..support.arguments import check_number, check_variable, variable_list
from .targets import constant, predicted

__all__ = ["retinanet_detection_output", "retinanet_target_assign"]


def retinanet_target_assign(
    bbox_pred: Any,
    cls_logits: Any,
    anchor_box: Variable,
    anchor_var: Any,
    gt_boxes: Any,
    gt_labels: Any,
    is_crowd: Any,
    im_info: Any,
    num_classes: int = 1,
    positive_overlap: float = 0.5,
    negative_overlap: float = 0.4,
) -> tuple[Variable, Variable, Variable, Variable, Variable, Variable]:
    """Select the anchors that RetinaNet is trained on; return their predictions and targets.

    An anchor is positive if it has the largest IoU with a true box, or an IoU of at least `positive_overlap` with one.

    Source: Lin et al., "Focal loss for dense object detection", 2017.

    Arguments:
        bbox_pred: [N, A, 4]: for each anchor a code as in box_coder.
        cls_logits: [N, A, num_classes].
        anchor_box: [A, 4], or any shape with A * 4 elements.
        anchor_var: accepted for Fluid code, ignored.
        gt_boxes: [T, 4] with a LoD of one level: the true boxes of each image, before it was scaled.
        gt_labels: int32 [T, 1] with the same LoD: the classes of the true boxes, from 1.
        is_crowd: int32 [T, 1] with the same LoD; a box where it is not 0 is ignored.
        im_info: [N, 3]: height, width, and the scale of the image.
        num_classes: the number of classes without the background.
        positive_overlap: the IoU from which an anchor is positive.
        negative_overlap: the IoU below which an anchor is negative; anchors between the two are ignored.

    Returns:
        (predicted scores [selected, num_classes], predicted codes [positive, 4], labels int32 [selected, 1], 0 for
            negative ones, target codes [positive, 4], their weights [positive, 4], int32 [N, 1]: the number of positive
            anchors of each image plus 1).

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number has another type.
        LoDError: gt_boxes, gt_labels or is_crowd has no LoD of one level.
        ShapeError: the shapes do not fit.
        DtypeError: gt_labels or is_crowd is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable, to_variable
    >>> with fluid.dygraph.guard():
    ...     anchors = to_variable(np.array([[0, 0, 3, 3], [4, 4, 9, 9]], 'float32'))
    ...     box = Variable(np.array([[0, 0, 3, 7]], 'float32'), lod=((0, 1),))
    ...     label, crowd = (Variable(np.array([[n]], 'int32'), lod=((0, 1),)) for n in (2, 0))
    ...     said = (to_variable(np.zeros([1, 2, n], 'float32')) for n in (4, 3))
    ...     info = to_variable(np.array([[10, 10, 1]], 'float32'))
    ...     made = fluid.layers.retinanet_target_assign(*said, anchors, anchors, box, label, crowd, info, 3)
    ...     made[0].shape, made[2].numpy()[:, 0], made[5].numpy()[:, 0]
    ([2, 3], array([2, 0], dtype=int32), array([2], dtype=int32))
    """
    where = "retinanet_target_assign"
    check_variable(where, "anchor_box", anchor_box)
    locations, scores, boxes, labels, weights, objects = ops.retinanet_target_assign.call(
        anchor_box if len(anchor_box.shape) == 2 else reshape(anchor_box, [-1, 4]),
        gt_boxes,
        gt_labels,
        is_crowd,
        im_info,
        positive_overlap=check_number(where, "positive_overlap", positive_overlap),
        negative_overlap=check_number(where, "negative_overlap", negative_overlap),
    )
    constant(locations, scores, boxes, labels, weights, objects)
    said = predicted(where, bbox_pred, cls_logits, num_classes, locations, scores)
    return (*said, labels, boxes, weights, objects)


def retinanet_detection_output(
    bboxes: Any,
    scores: Any,
    anchors: Any,
    im_info: Any,
    score_threshold: float = 0.05,
    nms_top_k: int = 1000,
    keep_top_k: int = 100,
    nms_threshold: float = 0.3,
    nms_eta: float = 1.0,
) -> Variable:
    """Compute the detections of RetinaNet: decode the best anchors of each level, then suppress overlapping boxes.

    Arguments:
        bboxes: a list with [N, A, 4] for each level: for each anchor a code as in box_coder.
        scores: a list of probabilities [N, A, classes].
        anchors: a list of [A, 4].
        im_info: [N, 3]: height, width, and the scale of the image.
        score_threshold: boxes with a score up to this are dropped, except on the last level.
        nms_top_k: the number of boxes of a level to consider, over all classes, the best first.
        keep_top_k: the number of boxes of an image to keep.
        nms_threshold: of two boxes of a class with an IoU above this only the better one is kept.
        nms_eta: a factor of `nms_threshold`, applied after each kept box while nms_threshold is above 0.5; 1.0 for
            none.

    Returns:
        A Variable [n, 6]: class from 1, score, xmin, ymin, xmax, ymax in the unscaled image; the best of each image
            first, with a LoD that separates the images.

    Raises:
        ArgumentTypeError: a list holds something other than Variables, or a number has another type.
        ShapeError: the shapes do not fit, or the lists have different lengths.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     arrays = np.zeros([1, 1, 4]), [[[0.25, 0.75]]], [[2, 2, 6, 6]], [[9, 9, 1]]
    ...     *level, info = (fluid.dygraph.to_variable(np.array(a, 'float32')) for a in arrays)
    ...     fluid.layers.retinanet_detection_output(*([v] for v in level), info).numpy()
    array([[2.  , 0.75, 2.  , 2.  , 6.  , 6.  ],
           [1.  , 0.25, 2.  , 2.  , 6.  , 6.  ]], dtype=float32)
    """
    where = "retinanet_detection_output"
    return ops.retinanet_detection_output.call(
        variable_list(where, "bboxes", bboxes),
        variable_list(where, "scores", scores),
        variable_list(where, "anchors", anchors),
        im_info,
        score_threshold=check_number(where, "score_threshold", score_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        nms_threshold=check_number(where, "nms_threshold", nms_threshold),
        nms_eta=check_number(where, "nms_eta", nms_eta),
    )
