"""Losses of detectors that compare each place of a feature map with true boxes."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

SAID = draw(2, 14, 3, 3)
TRUE = np.array(
    [
        [[0.5, 0.45, 0.3, 0.2], [0.2, 0.8, 0.1, 0.1], [0, 0, 0, 0]],
        [[0.99, 0.01, 0.9, 0.8], [0.5, 0.5, 0.3, 0.2], [0.2, 0.55, 0.15, 0.3]],
    ],
    "float32",
)
LABELS = np.array([[0, 1, 0], [1, 0, 1]], "int32")
SCORES = draw(2, 3, low=0.2, high=0.9)


def seen(x=SAID, boxes=TRUE, labels=LABELS, scores=None):
    return {"X": x, "GTBox": boxes, "GTLabel": labels, "GTScore": scores}


def yolo(**attrs):
    given = {"class_num": 2, "anchors": [10, 13, 16, 30, 33, 23], "anchor_mask": [0, 2], "ignore_thresh": 0.3}
    return dict(given, **attrs)


IN_ONE_PLACE = TRUE.copy()
IN_ONE_PLACE[1, 2] = IN_ONE_PLACE[1, 1] + np.float32(0.01)

LOSS = [
    Sample(seen(), yolo()),
    Sample(seen(scores=SCORES), yolo(use_label_smooth=False)),
    Sample(seen(scores=SCORES), yolo(anchor_mask=[1], class_num=9)),
    Sample(seen(), yolo(scale_x_y=1.2, ignore_thresh=0.1, downsample_ratio=8)),
    Sample(seen(draw(2, 6, 4, 4), labels=LABELS * 0), {"class_num": 1, "anchors": [20, 9, 50, 80], "anchor_mask": [1]}),
    Sample(seen(boxes=TRUE * 0), yolo(), note="no object"),
    Sample(
        seen(boxes=IN_ONE_PLACE),
        yolo(),
        excluded="of two boxes in one place real Paddle has only the last in its gradient, both in the loss",
    ),
    Sample(seen(*(a.astype("float64") for a in (SAID, TRUE)), LABELS, SCORES.astype("float64")), yolo()),
]
OUTSIDE = TRUE + np.array([0.6, 0, 0, 0], "float32")
LOSS_ERRORS = [
    Bad(seen(SAID[:, :13]), yolo(), "ShapeError", "14 channels"),
    Bad(seen(SAID[:, :, :2]), yolo(), "ShapeError", "as many rows as columns"),
    Bad(seen(SAID[0]), yolo(), "ShapeError", "[N, C, H, W]"),
    Bad(seen(boxes=TRUE[..., :3]), yolo(), "ShapeError", "Input(GTBox)"),
    Bad(seen(boxes=OUTSIDE), yolo(), "ArgumentValueError", "centre"),
    Bad(seen(labels=LABELS[:, :2]), yolo(), "ShapeError", "Input(GTLabel)"),
    Bad(seen(labels=LABELS + np.int32(1)), yolo(), "IndexRangeError", "GTLabel"),
    Bad(seen(labels=LABELS.astype("int64")), yolo(), "DtypeError", "int32"),
    Bad(seen(scores=SCORES[:1]), yolo(), "ShapeError", "Input(GTScore)"),
    Bad(seen(), yolo(anchors=[10, 13, 16]), "ArgumentValueError", "pairs"),
    Bad(seen(), yolo(anchor_mask=[0, 3]), "ArgumentValueError", "anchor_mask"),
    Bad(seen(), yolo(anchor_mask=[1, 1]), "ArgumentValueError", "anchor_mask"),
    Bad(seen(), yolo(class_num=0), "ArgumentValueError", "class_num"),
]

ROWS = [Row("yolov3_loss", LOSS, LOSS_ERRORS)]
