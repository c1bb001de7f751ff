"""RetinaNet (Lin et al. 2017): what it should say of its anchors, and what it finds."""

from __future__ import annotations

from typing import Any

from ...ops.detection import retinanet as ops
from ..shape.shape import reshape
from ..support.arguments import check_variable, number, variables
from .targets import constant, predicted

__all__ = ["retinanet_detection_output", "retinanet_target_assign"]


def retinanet_target_assign(
    bbox_pred: Any,
    cls_logits: Any,
    anchor_box: Any,
    anchor_var: Any,
    gt_boxes: Any,
    gt_labels: Any,
    is_crowd: Any,
    im_info: Any,
    num_classes: int = 1,
    positive_overlap: float = 0.5,
    negative_overlap: float = 0.4,
) -> tuple:
    """What RetinaNet says of anchors, and what it should (Lin et al. 2017, "Focal loss for dense object detection").

    Objects are the anchors that share most with a true box, and those that share `positive_overlap` with one.

    Arguments:
        bbox_pred: [N, A, 4], for each anchor x, y, w, h, coded as in box_coder.
        cls_logits: [N, A, num_classes]
        anchor_box: [A, 4], or any shape with so many elements of 4.
        anchor_var: kept for Fluid code.
        gt_boxes: [T, 4] with a LoD of one level: the true boxes of each image, before it was scaled.
        gt_labels: int32 [T, 1] with the same LoD: their classes, from 1 on.
        is_crowd: int32 [T, 1] with the same LoD; where it is not 0, the box does not count.
        im_info: [N, 3]: height, width, and by how much the image was scaled.
        num_classes: how many classes there are, without the background.
        positive_overlap: the shared over the covered area from which an anchor is an object.
        negative_overlap: below this it is none; anchors between the two are left out.

    Returns:
        (scores said [chosen, num_classes], locations said [objects, 4], labels int32 [chosen, 1], 0 for no object,
        locations that there should be [objects, 4], weights of these [objects, 4], int32 [N, 1]: one more than the objects
        of each image).

    Raises:
        LoDError: one of the inputs has no LoD of one level.

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
        positive_overlap=number(where, "positive_overlap", positive_overlap),
        negative_overlap=number(where, "negative_overlap", negative_overlap),
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
) -> Any:
    """What RetinaNet finds: the best of each level of its pyramid, and of boxes that cover each other the best.

    Arguments:
        bboxes: a list, for each level [N, A, 4]: for each anchor x, y, w, h, coded as in box_coder.
        scores: a list of [N, A, classes], probabilities.
        anchors: a list of [A, 4].
        im_info: [N, 3]: height, width, and by how much the image was scaled.
        score_threshold: what has a score up to this is left out, except on the last level.
        nms_top_k: how many boxes of a level are looked at, of all classes, the best first.
        keep_top_k: how many boxes of an image are kept.
        nms_threshold: boxes of a class that share more than this, as a fraction of the area that they cover together, do
            not both stay.
        nms_eta: below 1 `nms_threshold` is multiplied by it after each box that is kept, while it is above 0.5.

    Returns:
        [kept, 6]: class from 1 on, score, xmin, ymin, xmax, ymax in the image before it was scaled; the best of each image
        first, with a LoD that tells the images apart.

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
        variables(where, "bboxes", bboxes),
        variables(where, "scores", scores),
        variables(where, "anchors", anchors),
        im_info,
        score_threshold=number(where, "score_threshold", score_threshold),
        nms_top_k=nms_top_k,
        keep_top_k=keep_top_k,
        nms_threshold=number(where, "nms_threshold", nms_threshold),
        nms_eta=number(where, "nms_eta", nms_eta),
    )
