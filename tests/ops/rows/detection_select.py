"""Operators that turn what a detector says into boxes, and that choose among them."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

SIZES = np.array([[64, 96], [50, 40]], "int32")


def seen(channels, rows=2, columns=2, sizes=SIZES, dtype="float32"):
    return {"X": draw(len(sizes), channels, rows, columns, low=-2, high=2, dtype=dtype), "ImgSize": sizes}


def yolo(**attrs):
    return dict({"class_num": 2, "anchors": [10, 13, 16, 30], "conf_thresh": 0.4}, **attrs)


YOLO = [
    Sample(seen(14), yolo()),
    Sample(seen(14), yolo(clip_bbox=False, downsample_ratio=16)),
    Sample(seen(14), yolo(scale_x_y=1.2, conf_thresh=0.01)),
    Sample(seen(6, 3, 3), {"class_num": 1, "anchors": [20, 9]}),
    Sample(
        seen(6, 2, 3),
        {"class_num": 1, "anchors": [20, 9]},
        excluded="real Paddle takes the number of rows for that of columns too",
    ),
    Sample(seen(14, dtype="float64"), yolo()),
]
YOLO_ERRORS = [
    Bad(seen(13), yolo(), "ShapeError", "14 channels"),
    Bad(seen(14), yolo(anchors=[10, 13, 16]), "ArgumentValueError", "pairs"),
    Bad(seen(14), yolo(anchors=[]), "ArgumentValueError", "anchors"),
    Bad(seen(14), yolo(class_num=0), "ArgumentValueError", "class_num"),
    Bad(dict(seen(14), ImgSize=SIZES[:1]), yolo(), "ShapeError", "Input(ImgSize)"),
    Bad(dict(seen(14), ImgSize=SIZES.astype("int64")), yolo(), "DtypeError", "int32"),
]

ROWS = [Row("yolo_box", YOLO, YOLO_ERRORS)]
