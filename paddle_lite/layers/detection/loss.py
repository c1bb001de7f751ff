"""Losses of detectors that compare each place of a feature map with true boxes."""

from __future__ import annotations

from typing import Any

from ...ops.detection import loss as ops
from ..support.arguments import ints, number

__all__ = ["yolov3_loss"]


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
) -> Any:
    """The loss of one of YOLOv3's feature maps for each image (Redmon and Farhadi 2018, "YOLOv3").

    A true box belongs to the one of `anchors` whose shape is most like its own, if `anchor_mask` has it, at the place of its
    centre. There the offset of the centre and the classes count by cross entropy of sigmoids and the logarithms of the
    sizes by their distance, all times the score; smaller boxes count more, by 2 - width * height. The confidence should be
    the score there, and 0 elsewhere, except where the predicted box shares more than `ignore_thresh` with a true one.
    PaddlePaddle 1.8's gradient has only the last of two boxes that belong to one anchor at one place.

    Arguments:
        x: [N, A * (5 + class_num), H, H] for the A anchors of `anchor_mask`, laid out as in yolo_box.
        gt_box: [N, B, 4], the true boxes: x and y of the centre, width and height, as fractions of the image. A box
            without width or height is none.
        gt_label: int32 [N, B], their classes.
        anchors: width and height of each anchor, in one list, in pixels of the network's input.
        anchor_mask: which of the anchors this map is for.
        class_num: how many classes there are.
        ignore_thresh: the shared area, as a fraction of the covered one, above which a confidence does not count.
        downsample_ratio: how many pixels of the network's input a place stands for.
        gt_score: [N, B], how much each box counts; 1 if None.
        use_label_smooth: let the labels of classes be d and 1 - d in the place of 0 and 1, d = min(1 / class_num, 1 / 40).
        name: kept for Fluid code.
        scale_x_y: the sigmoids of x and y are stretched around 0.5 by this, for `ignore_thresh`.

    Returns:
        [N]

    Raises:
        ShapeError: `x` has other channels, or is not square.
        ArgumentValueError: a centre is not inside of the image.
        IndexRangeError: there is no such class.

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
        anchors=ints(where, "anchors", anchors),
        anchor_mask=ints(where, "anchor_mask", anchor_mask),
        downsample_ratio=downsample_ratio,
        ignore_thresh=number(where, "ignore_thresh", ignore_thresh),
        use_label_smooth=use_label_smooth,
        scale_x_y=number(where, "scale_x_y", scale_x_y),
    )[0]
