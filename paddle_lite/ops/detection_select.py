"""Operators that turn what a detector says into boxes, and that choose among them."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, ShapeError, message
from .detection_boxes import require_map, require_positive
from .require import require_dtype, require_shape
from .shape_rules import UNKNOWN
from .spec import Declaration, Ints, Meta, Required, op


def sigmoid(xp: Any, x: Any) -> Any:
    """1 / (1 + exp(-x)) without an overflow."""
    return (xp.tanh(x / 2) + 1) / 2


def clipped(xp: Any, boxes: Any, wide: Any, high: Any) -> Any:
    """The lower edges at least 0, the upper ones within the image."""
    zero = xp.zeros((), boxes.dtype)
    low = xp.maximum(boxes[..., :2], zero)
    right, bottom = xp.minimum(boxes[..., 2], wide - 1), xp.minimum(boxes[..., 3], high - 1)
    return xp.concatenate([low, right[..., None], bottom[..., None]], -1)


@op(
    "yolo_box",
    inputs="X ImgSize",
    outputs="Boxes Scores",
    attrs={
        "class_num": Required("INT"),
        "anchors": Ints([]),
        "downsample_ratio": 32,
        "conf_thresh": 0.0099999998,
        "clip_bbox": True,
        "scale_x_y": 1.0,
    },
    lod=None,
    checked=True,
)
class yolo_box(Declaration):
    """The boxes and scores that the output of YOLOv3 stands for (Redmon and Farhadi 2018).

    X [N, A * (5 + classes), H, W] holds x, y, w, h, confidence and class scores for each of A anchors at each place. Boxes
    [N, A * H * W, 4] are in pixels of images of ImgSize [N, 2] (height, width); where the confidence is below
    `conf_thresh` box and scores are 0.
    """

    def infer(X, ImgSize, *, class_num, anchors, downsample_ratio, conf_thresh, clip_bbox, scale_x_y):
        where = "yolo_box"
        require_map(where, "X", X)
        require_dtype(where, "ImgSize", ImgSize, "int32")
        require_shape(where, "ImgSize", ImgSize, (X.shape[0], 2))
        require_positive(where, anchors=anchors, class_num=[class_num], downsample_ratio=[downsample_ratio])
        if len(anchors) % 2:
            raise ArgumentValueError(message(where, "attribute 'anchors'", list(anchors), "pairs of width and height"))
        images, channels, rows, columns = X.shape
        kinds = len(anchors) // 2
        if channels not in (UNKNOWN, kinds * (5 + class_num)):
            needs = f"{kinds * (5 + class_num)} channels, 5 + {class_num} for each of {kinds} anchors"
            raise ShapeError(message(where, "Input(X)", f"shape {list(X.shape)}", needs))
        count = UNKNOWN if UNKNOWN in (rows, columns) else kinds * rows * columns
        return Meta((images, count, 4), X.dtype), Meta((images, count, class_num), X.dtype)

    def reference(xp, X, ImgSize, *, class_num, anchors, downsample_ratio, conf_thresh, clip_bbox, scale_x_y):
        images, _, rows, columns = X.shape
        kinds = len(anchors) // 2
        X = xp.moveaxis(X.reshape(images, kinds, 5 + class_num, rows, columns), 2, -1)
        high, wide = (ImgSize.astype(X.dtype)[:, i].reshape(-1, 1, 1, 1) for i in (0, 1))
        sizes = xp.asarray(anchors, X.dtype).reshape(kinds, 2, 1, 1)
        bias = (1 - scale_x_y) / 2
        x = (sigmoid(xp, X[..., 0]) * scale_x_y + bias + xp.arange(columns, dtype=X.dtype)) * wide / columns
        y = (sigmoid(xp, X[..., 1]) * scale_x_y + bias + xp.arange(rows, dtype=X.dtype)[:, None]) * high / rows
        w = xp.exp(X[..., 2]) * sizes[:, 0] * wide / (downsample_ratio * columns)
        h = xp.exp(X[..., 3]) * sizes[:, 1] * high / (downsample_ratio * rows)
        boxes = xp.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], -1)
        boxes = clipped(xp, boxes, wide, high) if clip_bbox else boxes
        confidence = sigmoid(xp, X[..., 4:5])
        sure = confidence >= conf_thresh
        scores = xp.where(sure, confidence * sigmoid(xp, X[..., 5:]), 0)
        boxes = xp.where(sure, boxes, 0)
        return boxes.reshape(images, -1, 4), scores.reshape(images, -1, class_num)
