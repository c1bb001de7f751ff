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


def boxes(count, size=1.0, seed=0, dtype="float32"):
    """Boxes of which many cover each other."""
    corner = draw(count, 2, low=0, high=0.3 * size, seed=seed, dtype=dtype)
    extent = draw(count, 2, low=0.2 * size, high=0.5 * size, seed=seed + 1, dtype=dtype)
    return np.concatenate([corner, corner + extent], 1)


def judged(size=1.0, dtype="float32"):
    found = np.stack([boxes(7, size, 3, dtype), boxes(7, size, 5, dtype)])
    return {"BBoxes": found, "Scores": draw(2, 3, 7, low=0, high=1, dtype=dtype)}


def by_class():
    return {"BBoxes": boxes(18, seed=9).reshape(6, 3, 4), "Scores": draw(6, 3, low=0, high=1)}


def nms(**attrs):
    return dict({"score_threshold": 0.2, "nms_top_k": -1, "keep_top_k": -1, "background_label": -1}, **attrs)


def chosen(inputs, attrs, **more):
    return Sample(inputs, attrs, dynamic=True, **more)


POINTS = {"BBoxes": np.ones((1, 2, 4), "float32"), "Scores": np.array([[[0.9, 0.8]]], "float32")}
NMS = [
    chosen(judged(), nms()),
    chosen(judged(), nms(background_label=0, nms_threshold=0.5)),
    chosen(judged(), nms(nms_top_k=3, keep_top_k=4)),
    chosen(judged(), nms(keep_top_k=3, nms_threshold=0.9)),
    chosen(judged(), nms(nms_threshold=0.9, nms_eta=0.7)),
    chosen(judged(20.0), nms(normalized=False, nms_threshold=0.4)),
    chosen(judged(), nms(score_threshold=2.0), marker=True, note="nothing is kept"),
    chosen(judged(), nms(keep_top_k=0), marker=True, note="nothing may be kept"),
    chosen(dict(judged(), Scores=draw(2, 3, 7) * np.array([0, 1], "float32")[:, None, None]), nms(), note="one empty"),
    chosen(by_class(), nms(), lods={"BBoxes": [[0, 4, 6]]}),
    chosen(by_class(), nms(keep_top_k=4, nms_threshold=0.6), lods={"BBoxes": [[0, 2, 6]]}),
    chosen(
        by_class(),
        nms(nms_top_k=2),
        lods={"BBoxes": [[0, 2, 2, 6]]},
        excluded="real Paddle fails at an image without boxes",
    ),
    chosen(POINTS, nms(), note="boxes without area"),
    chosen(judged(dtype="float64"), nms()),
]
NMS_ERRORS = [
    Bad(by_class(), nms(), "LoDError", "Input(BBoxes) got no LoD"),
    Bad(dict(judged(), Scores=draw(2, 3, 6)), nms(), "ShapeError", "Input(BBoxes)"),
    Bad(dict(judged(), BBoxes=draw(2, 7, 12)), nms(), "ShapeError", "Input(BBoxes)"),
    Bad(dict(judged(), Scores=draw(7)), nms(), "ShapeError", "Input(Scores)"),
    Bad(judged(), {}, "ArgumentTypeError", "score_threshold"),
]

OUT_AND_INDEX = ["Out", "Index"]


def told(inputs, attrs, **more):
    return chosen(inputs, attrs, outputs=OUT_AND_INDEX, **more)


TOLD = [
    told(judged(), nms()),
    told(judged(), nms(background_label=0, nms_threshold=0.5, nms_top_k=3, keep_top_k=2)),
    told(judged(), nms(score_threshold=2.0), note="nothing is kept"),
    told(by_class(), nms(keep_top_k=4, nms_threshold=0.6), lods={"BBoxes": [[0, 2, 6]]}),
]


def corners(count, points, size=1.0):
    """Polygons around centres, most of them covering others."""
    angle = 2 * np.pi * np.arange(points) / points
    around = np.stack([np.cos(angle), np.sin(angle)], -1) * draw(count, points, 1, low=0.4, high=1.0)
    return ((draw(count, 1, 2, low=1, high=1.6) + around) * size).reshape(count, -1).astype("float32")


def shapes(points):
    return {"BBoxes": corners(6, points).reshape(1, 6, -1), "Scores": draw(1, 2, 6, low=0, high=1)}


NMS += [
    chosen(shapes(4), nms()),
    chosen(shapes(4), nms(nms_threshold=0.15)),
    chosen(shapes(8), nms(normalized=False)),
    chosen(shapes(12), nms(nms_threshold=0.2)),
    chosen(shapes(16), nms(nms_threshold=0.5)),
]


def fading(**attrs):
    return nms(**dict({"post_threshold": 0.1}, **attrs))


TWICE = dict(judged(), BBoxes=np.stack([boxes(7, 1.0, 3)[[0, 0, 1, 0, 2, 3, 3]]] * 2))
MATRIX = [
    chosen(judged(), fading()),
    chosen(judged(), fading(use_gaussian=True, gaussian_sigma=3.0)),
    chosen(judged(), fading(nms_top_k=4, keep_top_k=5, background_label=0)),
    chosen(judged(20.0), fading(post_threshold=0.4, normalized=False)),
    chosen(judged(), fading(score_threshold=2.0), note="nothing is kept"),
    chosen(TWICE, fading(), note="equal boxes"),
]
MATRIX_ERRORS = [
    Bad(by_class(), fading(), "ShapeError", "Input(Scores)"),
    Bad(dict(judged(), BBoxes=draw(2, 7, 8)), fading(), "ShapeError", "Input(BBoxes)"),
    Bad(judged(), {}, "ArgumentTypeError", "score_threshold"),
]


def in_turn(size=1.0):
    """Boxes of which neighbours cover each other."""
    found = np.stack([boxes(9, size, 3)[[0, 0, 1, 1, 2, 2, 2, 3, 0]], boxes(9, size, 5)[[0, 1, 1, 1, 0, 4, 4, 5, 5]]])
    return {"BBoxes": found + draw(2, 9, 4, low=0, high=0.02 * size), "Scores": draw(2, 1, 9, low=0.1, high=0.9)}


LOCAL = [
    chosen(in_turn(), nms()),
    chosen(in_turn(), nms(nms_threshold=0.8, nms_top_k=4)),
    chosen(in_turn(20.0), nms(normalized=False, keep_top_k=2)),
    chosen(in_turn(), nms(score_threshold=9.0), marker=True, note="nothing is kept"),
    chosen(in_turn(), nms(background_label=0), marker=True, note="the only class is left out"),
    chosen({"BBoxes": corners(6, 4).reshape(1, 6, 8), "Scores": draw(1, 1, 6, low=0.1, high=1)}, nms()),
]
LOCAL_ERRORS = [
    Bad(judged(), nms(), "ShapeError", "Input(Scores)"),
    Bad(dict(in_turn(), BBoxes=draw(2, 9, 5)), nms(), "ShapeError", "Input(BBoxes)"),
    Bad(in_turn(), {}, "ArgumentTypeError", "score_threshold"),
]

ROWS = [
    Row("yolo_box", YOLO, YOLO_ERRORS),
    Row("multiclass_nms", NMS, NMS_ERRORS),
    Row("multiclass_nms2", TOLD, NMS_ERRORS),
    Row("locality_aware_nms", LOCAL, LOCAL_ERRORS),
    Row("matrix_nms", MATRIX, MATRIX_ERRORS),
]
