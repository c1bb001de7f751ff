"""What a detector of two stages should learn: which anchors and regions are objects, and where these are."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, message
from ...ops.detection import targets as ops
from ..shape.index import gather
from ..shape.shape import reshape
from ..support.arguments import check_variable, floats, number

__all__ = ["generate_proposal_labels", "rpn_target_assign"]


def predicted(where: str, bbox_pred: Any, cls_logits: Any, classes: int, locations: Any, scores: Any) -> tuple:
    """What the network says of the anchors chosen: (scores, locations)."""
    check_variable(where, "bbox_pred", bbox_pred)
    check_variable(where, "cls_logits", cls_logits)
    of_anchors = reshape(cls_logits, [-1, classes]), reshape(bbox_pred, [-1, 4])
    return gather(of_anchors[0], scores), gather(of_anchors[1], locations)


def constant(*variables: Any) -> tuple:
    """The Variables, without gradients."""
    for variable in variables:
        variable.stop_gradient = True
    return variables


def rpn_target_assign(
    bbox_pred: Any,
    cls_logits: Any,
    anchor_box: Any,
    anchor_var: Any,
    gt_boxes: Any,
    is_crowd: Any,
    im_info: Any,
    rpn_batch_size_per_im: int = 256,
    rpn_straddle_thresh: float = 0.0,
    rpn_fg_fraction: float = 0.5,
    rpn_positive_overlap: float = 0.7,
    rpn_negative_overlap: float = 0.3,
    use_random: bool = True,
) -> tuple:
    """What a region proposal network says of some anchors, and what it should (Ren et al. 2015, "Faster R-CNN").

    Objects are the anchors that share most with a true box, and those that share `rpn_positive_overlap` with one.

    Arguments:
        bbox_pred: [N, A, 4], for each anchor x, y, w, h, coded as in box_coder.
        cls_logits: [N, A, 1]
        anchor_box: [A, 4], or any shape with so many elements of 4.
        anchor_var: kept for Fluid code.
        gt_boxes: [T, 4] with a LoD of one level: the true boxes of each image, before it was scaled.
        is_crowd: int32 [T, 1] with the same LoD; where it is not 0, the box does not count.
        im_info: [N, 3]: height, width, and by how much the image was scaled.
        rpn_batch_size_per_im: how many anchors of an image are chosen at most.
        rpn_straddle_thresh: how far outside of the image an anchor may reach; below 0 any anchor may.
        rpn_fg_fraction: how much of them are objects, at most.
        rpn_positive_overlap: the shared over the covered area from which an anchor is an object.
        rpn_negative_overlap: below this it is none.
        use_random: choose at random; False: the first ones.

    Returns:
        (scores said [chosen, 1], locations said [objects, 4], labels int32 [chosen, 1]: 1 for objects, which come first,
        and 0, locations that there should be [objects, 4], weights of these [objects, 4]). An object that is chosen as none,
        too, becomes one of weight 0.

    Raises:
        LoDError: `gt_boxes` or `is_crowd` has no LoD of one level.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable, to_variable
    >>> with fluid.dygraph.guard():
    ...     anchors = to_variable(np.array([[0, 0, 3, 3], [4, 4, 9, 9]], 'float32'))
    ...     box = Variable(np.array([[0, 0, 3, 7]], 'float32'), lod=((0, 1),))
    ...     crowd = Variable(np.zeros([1, 1], 'int32'), lod=((0, 1),))
    ...     said = (to_variable(np.zeros([1, 2, n], 'float32')) for n in (4, 1))
    ...     info = to_variable(np.array([[10, 10, 1]], 'float32'))
    ...     made = fluid.layers.rpn_target_assign(*said, anchors, anchors, box, crowd, info)
    ...     made[2].numpy()[:, 0], made[3].numpy().round(3)
    (array([1, 0], dtype=int32), array([[0.   , 0.5  , 0.   , 0.693]], dtype=float32))
    """
    where = "rpn_target_assign"
    check_variable(where, "anchor_box", anchor_box)
    locations, scores, boxes, labels, weights = ops.rpn_target_assign.call(
        anchor_box if len(anchor_box.shape) == 2 else reshape(anchor_box, [-1, 4]),
        gt_boxes,
        is_crowd,
        im_info,
        rpn_batch_size_per_im=rpn_batch_size_per_im,
        rpn_straddle_thresh=number(where, "rpn_straddle_thresh", rpn_straddle_thresh),
        rpn_fg_fraction=number(where, "rpn_fg_fraction", rpn_fg_fraction),
        rpn_positive_overlap=number(where, "rpn_positive_overlap", rpn_positive_overlap),
        rpn_negative_overlap=number(where, "rpn_negative_overlap", rpn_negative_overlap),
        use_random=use_random,
    )
    constant(locations, scores, boxes, labels, weights)
    return (*predicted(where, bbox_pred, cls_logits, 1, locations, scores), labels, boxes, weights)


def generate_proposal_labels(
    rpn_rois: Any,
    gt_classes: Any,
    is_crowd: Any,
    gt_boxes: Any,
    im_info: Any,
    batch_size_per_im: int = 256,
    fg_fraction: float = 0.25,
    fg_thresh: float = 0.25,
    bg_thresh_hi: float = 0.5,
    bg_thresh_lo: float = 0.0,
    bbox_reg_weights: Any = [0.1, 0.1, 0.2, 0.2],  # noqa: B006  (as in Fluid; it is only read)
    class_nums: int | None = None,
    use_random: bool = True,
    is_cls_agnostic: bool = False,
    is_cascade_rcnn: bool = False,
) -> tuple:
    """Which regions the second stage of a detector learns from, and what it should say of them (Ren et al. 2015).

    Arguments:
        rpn_rois: regions [R, 4] in the scaled image, with a LoD of one level, e.g. of generate_proposals.
        gt_classes: int32 [T, 1] with a LoD: the classes of the true boxes, from 1 on.
        is_crowd: int32 [T, 1] with the same LoD; where it is not 0, the true box is no region.
        gt_boxes: [T, 4] with the same LoD: the true boxes of each image, before it was scaled. They are regions, too.
        im_info: [N, 3]: height, width, and by how much the image was scaled.
        batch_size_per_im: how many regions of an image are chosen at most.
        fg_fraction: how much of them are objects, at most.
        fg_thresh: the shared area with a true box, over the covered area, from which a region is an object.
        bg_thresh_hi: background are those that are no objects and share less than this with every true box ...
        bg_thresh_lo: ... and at least this with some.
        bbox_reg_weights: what the codes of locations are divided by.
        class_nums: how many classes there are, with the background.
        use_random: choose at random; False: the first ones.
        is_cls_agnostic: tell only objects from background: all objects have their location in the place of class 1.
        is_cascade_rcnn: true boxes are no regions, and all regions that are one or the other are taken. PaddlePaddle 1.8
            leaves some of them unscaled then.

    Returns:
        (regions [chosen, 4] in the scaled image, objects of each image first, labels int32 [chosen, 1], 0 for background,
        codes of their true boxes [chosen, 4 * class_nums] in the place of the class, weights of these inside of it: 1 in
        that place, else 0, weights outside: the same), all with a LoD that tells the images apart.

    Raises:
        LoDError: one of the inputs has no LoD of one level, or the images are not the same.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     regions = Variable(np.array([[0, 0, 3, 3], [4, 4, 9, 9]], 'float32'), lod=((0, 2),))
    ...     label, crowd = (Variable(np.array([[n]], 'int32'), lod=((0, 1),)) for n in (1, 0))
    ...     box = Variable(np.array([[0, 0, 3, 7]], 'float32'), lod=((0, 1),))
    ...     info = Variable(np.array([[10, 10, 1]], 'float32'))
    ...     made = fluid.layers.generate_proposal_labels(
    ...         regions, label, crowd, box, info, fg_fraction=0.5, class_nums=2)
    ...     made[1].numpy()[:, 0], made[2].numpy().round(3)[1]
    (array([1, 1, 0], dtype=int32), array([0.   , 0.   , 0.   , 0.   , 0.   , 5.   , 0.   , 3.466], dtype=float32))
    """
    where = "generate_proposal_labels"
    if class_nums is None:
        raise ArgumentTypeError(message(where, "class_nums", None, "an int, how many classes there are"))
    made = ops.generate_proposal_labels.call(
        rpn_rois,
        gt_classes,
        is_crowd,
        gt_boxes,
        im_info,
        batch_size_per_im=batch_size_per_im,
        fg_fraction=number(where, "fg_fraction", fg_fraction),
        fg_thresh=number(where, "fg_thresh", fg_thresh),
        bg_thresh_hi=number(where, "bg_thresh_hi", bg_thresh_hi),
        bg_thresh_lo=number(where, "bg_thresh_lo", bg_thresh_lo),
        bbox_reg_weights=floats(where, "bbox_reg_weights", bbox_reg_weights),
        class_nums=class_nums,
        use_random=use_random,
        is_cascade_rcnn=is_cascade_rcnn,
        is_cls_agnostic=is_cls_agnostic,
    )
    return constant(*made)
