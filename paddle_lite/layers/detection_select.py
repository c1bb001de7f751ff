"""What a detector says as boxes."""

from __future__ import annotations

from typing import Any

from ..ops import detection_select as ops
from .arguments import ints, number

__all__ = ["yolo_box"]


def yolo_box(
    x: Any,
    img_size: Any,
    anchors: Any,
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> tuple:
    """The boxes and scores that the output of YOLOv3 stands for (Redmon and Farhadi 2018, "YOLOv3").

    At column i of W and row j of H an anchor (aw, ah) gives the centre ((i + sigmoid(x)) / W, (j + sigmoid(y)) / H) and the
    size (exp(w) * aw / (W * downsample_ratio), exp(h) * ah / (H * downsample_ratio)), as fractions of the image.
    PaddlePaddle 1.8 takes H for W, too; the two agree for square maps.

    Arguments:
        x: [N, A * (5 + class_num), H, W]: for each anchor x, y, w, h, confidence, and the score of each class.
        img_size: int32 [N, 2]: height and width of each image.
        anchors: width and height of each of A anchors, in one list, in pixels of the network's input.
        class_num: how many classes there are.
        conf_thresh: boxes of less confidence become 0, with their scores.
        downsample_ratio: how many pixels of the network's input a place stands for.
        clip_bbox: cut the boxes at the image.
        name: kept for Fluid code.
        scale_x_y: the sigmoids of x and y are stretched around 0.5 by this.

    Returns:
        (boxes [N, A * H * W, 4] as xmin, ymin, xmax, ymax in pixels, scores [N, A * H * W, class_num]: confidence times
        sigmoid of the class score).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 6, 1, 1], 'float32'))
    ...     size = fluid.dygraph.to_variable(np.array([[64, 64]], 'int32'))
    ...     boxes, scores = fluid.layers.yolo_box(x, size, [16, 8], 1, 0.01, 32)
    ...     boxes.numpy(), scores.numpy()
    (array([[[16., 24., 48., 40.]]], dtype=float32), array([[[0.25]]], dtype=float32))
    """
    where = "yolo_box"
    return ops.yolo_box.call(
        x,
        img_size,
        anchors=ints(where, "anchors", anchors),
        class_num=class_num,
        conf_thresh=number(where, "conf_thresh", conf_thresh),
        downsample_ratio=downsample_ratio,
        clip_bbox=clip_bbox,
        scale_x_y=number(where, "scale_x_y", scale_x_y),
    )
