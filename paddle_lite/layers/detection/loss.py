"""Loss of YOLOv3."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.typing import Variable
from ...ops.detection import loss as ops
from ..support.arguments import check_number, int_list

__all__ = ["yolov3_loss"]


@formerly(gtbox="gt_box", gtlabel="gt_label")
def yolov3_loss(
    x: Any,
    gt_box: Any,
    gt_label: Any,
    anchors: Any,
    anchor_mask: Any,
    class_num: int,
    ignore_thresh: float,
    downsample_ratio: int,
    gt_score: Any = None,
    use_label_smooth: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> Variable:
    """Compute the loss of one feature map of YOLOv3 for each image.

    A true box is assigned to the anchor whose shape has the largest IoU with it, if `anchor_mask` has this anchor, at
    the position of its center. There, the center and the classes have a sigmoid cross entropy loss and the logarithms
    of the sizes an L1 loss, multiplied by the score and by 2 - width * height. The confidence has the score as its
    target there and 0 elsewhere; positions whose predicted box has an IoU above `ignore_thresh` with a true box are
    ignored. Where two boxes are assigned to one anchor and position, the gradient of PaddlePaddle 1.8 contains only the
    last one.

    Source: Redmon and Farhadi, "YOLOv3: An Incremental Improvement", 2018.

    Arguments:
        x: [N, A * (5 + class_num), H, H] for the A anchors of `anchor_mask`, in the layout of yolo_box.
        gt_box: [N, B, 4], the true boxes: center x, center y, width and height in fractions of the image. A box of
            width or height 0 is padding.
        gt_label: int32 [N, B], the classes of the true boxes.
        anchors: width and height of each anchor in one flat list, in pixels of the network's input.
        anchor_mask: the indices of the anchors that this feature map predicts.
        class_num: the number of classes.
        ignore_thresh: the IoU above which the confidence of a position is ignored.
        downsample_ratio: the size of a position in pixels of the network's input.
        gt_score: [N, B], the weight of each true box; 1 where it is None.
        use_label_smooth: whether the class targets are d and 1 - d instead of 0 and 1, with d = min(1 / class_num, 1 /
            40).
        name: accepted for Fluid code, ignored.
        scale_x_y: the factor by which the sigmoids of x and y are scaled around 0.5 when predicted boxes are compared
            with `ignore_thresh`.

    Returns:
        A Variable [N].

    Raises:
        ArgumentTypeError: an input is not a Variable, or anchors or anchor_mask is not a list of ints.
        ShapeError: the shapes do not fit, or the feature map is not square.
        ArgumentValueError: a center is outside of the image, or a number is out of range.
        IndexRangeError: a label is not a class.
        DtypeError: gt_label is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 6, 1, 1], 'float32'))
    ...     box = fluid.dygraph.to_variable(np.array([[[0.5, 0.5, 0.5, 0.25]]], 'float32'))
    ...     label = fluid.dygraph.to_variable(np.zeros([1, 1], 'int32'))
    ...     fluid.layers.yolov3_loss(x, box, label, [16, 8], [0], 1, 0.7, 32).numpy().round(3)
    array([3.986], dtype=float32)
    """
    where = "yolov3_loss"
    return ops.yolov3_loss.call(
        x,
        gt_box,
        gt_label,
        gt_score,
        class_num=class_num,
        anchors=int_list(where, "anchors", anchors),
        anchor_mask=int_list(where, "anchor_mask", anchor_mask),
        downsample_ratio=downsample_ratio,
        ignore_thresh=check_number(where, "ignore_thresh", ignore_thresh),
        use_label_smooth=use_label_smooth,
        scale_x_y=check_number(where, "scale_x_y", scale_x_y),
    )[0]
