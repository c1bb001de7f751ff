"""Training targets of two-stage detectors: selected anchors and regions, their labels and boxes."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, message
from ...core.typing import Variable
from ...ops.detection import targets as ops
from ..shape.index import gather
from ..shape.shape import reshape
from ..support.arguments import check_number, check_variable, float_list

__all__ = ["generate_proposal_labels", "rpn_target_assign"]


def predicted(
    where: str, bbox_pred: Variable, cls_logits: Variable, classes: int, locations: Any, scores: Any
) -> tuple[Variable, Variable]:
    """Return (scores, location codes) that the network predicts for the selected anchors."""
    check_variable(where, "bbox_pred", bbox_pred)
    check_variable(where, "cls_logits", cls_logits)
    of_anchors = reshape(cls_logits, [-1, classes]), reshape(bbox_pred, [-1, 4])
    return gather(of_anchors[0], scores), gather(of_anchors[1], locations)


def constant(*variables: Any) -> tuple:
    """Stop the gradient at Variables and return them."""
    for variable in variables:
        variable.stop_gradient = True
    return variables


def rpn_target_assign(
    bbox_pred: Any,
    cls_logits: Any,
    anchor_box: Variable,
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
) -> tuple[Variable, Variable, Variable, Variable, Variable]:
    """Select the anchors that a region proposal network is trained on; return their predictions and targets.

    An anchor is positive if it has the largest IoU with a true box, or an IoU of at least `rpn_positive_overlap` with
    one.

    Source: Ren et al., "Faster R-CNN", 2015.

    Arguments:
        bbox_pred: [N, A, 4]: for each anchor a code as in box_coder.
        cls_logits: [N, A, 1].
        anchor_box: [A, 4], or any shape with A * 4 elements.
        anchor_var: accepted for Fluid code, ignored.
        gt_boxes: [T, 4] with a LoD of one level: the true boxes of each image, before it was scaled.
        is_crowd: int32 [T, 1] with the same LoD; a box where it is not 0 is ignored.
        im_info: [N, 3]: height, width, and the scale of the image.
        rpn_batch_size_per_im: the largest number of anchors to select in an image.
        rpn_straddle_thresh: how many pixels an anchor may reach outside of the image; below 0: no limit.
        rpn_fg_fraction: the largest fraction of positive anchors among them.
        rpn_positive_overlap: the IoU from which an anchor is positive.
        rpn_negative_overlap: the IoU below which an anchor is negative.
        use_random: whether to select at random; False: the first ones.

    Returns:
        (predicted scores [selected, 1], predicted codes [positive, 4], labels int32 [selected, 1]: first 1 for the
            positive, then 0 for the negative anchors, target codes [positive, 4], their weights [positive, 4]). A
            positive anchor that is also selected as a negative one has the weight 0.

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number has another type.
        LoDError: gt_boxes or is_crowd has no LoD of one level.
        ArgumentValueError: a number is out of range.
        ShapeError: the shapes do not fit.
        DtypeError: is_crowd is not int32.

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
        rpn_straddle_thresh=check_number(where, "rpn_straddle_thresh", rpn_straddle_thresh),
        rpn_fg_fraction=check_number(where, "rpn_fg_fraction", rpn_fg_fraction),
        rpn_positive_overlap=check_number(where, "rpn_positive_overlap", rpn_positive_overlap),
        rpn_negative_overlap=check_number(where, "rpn_negative_overlap", rpn_negative_overlap),
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
) -> tuple[Variable, Variable, Variable, Variable, Variable]:
    """Select the regions that the second stage of a detector is trained on; return them with their targets.

    Source: Ren et al., "Faster R-CNN", 2015.

    Arguments:
        rpn_rois: regions [R, 4] in the scaled image, with a LoD of one level, for example from generate_proposals.
        gt_classes: int32 [T, 1] with a LoD: the classes of the true boxes, from 1.
        is_crowd: int32 [T, 1] with the same LoD; a true box where it is not 0 is not used as a region.
        gt_boxes: [T, 4] with a LoD of one level: the true boxes of each image, before it was scaled. They are used as
            regions, too.
        im_info: [N, 3]: height, width, and the scale of the image.
        batch_size_per_im: the largest number of regions to select in an image.
        fg_fraction: the largest fraction of objects among them.
        fg_thresh: the IoU with a true box from which a region is an object.
        bg_thresh_hi: background regions have an IoU below this with every true box ...
        bg_thresh_lo: ... and an IoU of at least this with one of them.
        bbox_reg_weights: the divisors of the location codes.
        class_nums: the number of classes with the background.
        use_random: whether to select at random; False: the first ones.
        is_cls_agnostic: whether only objects and background are separated: the codes of all objects are those of class
            1.
        is_cascade_rcnn: whether true boxes are not used as regions, and all regions that qualify are selected.
            PaddlePaddle 1.8 then leaves some of them unscaled.

    Returns:
        (regions [selected, 4] in the scaled image, objects of each image first, labels int32 [selected, 1], 0 for
            background, codes of their true boxes [selected, 4 * class_nums] at the columns of the class, inside
            weights: 1 at these columns, else 0, outside weights: the same), all with a LoD that separates the images.

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number is missing or has another type.
        LoDError: an input has no LoD of one level, or another number of images.
        ArgumentValueError: a number is out of range.
        ShapeError: the shapes do not fit.
        DtypeError: gt_classes or is_crowd is not int32, or the boxes have different dtypes.

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
        fg_fraction=check_number(where, "fg_fraction", fg_fraction),
        fg_thresh=check_number(where, "fg_thresh", fg_thresh),
        bg_thresh_hi=check_number(where, "bg_thresh_hi", bg_thresh_hi),
        bg_thresh_lo=check_number(where, "bg_thresh_lo", bg_thresh_lo),
        bbox_reg_weights=float_list(where, "bbox_reg_weights", bbox_reg_weights),
        class_nums=class_nums,
        use_random=use_random,
        is_cascade_rcnn=is_cascade_rcnn,
        is_cls_agnostic=is_cls_agnostic,
    )
    return constant(*made)
