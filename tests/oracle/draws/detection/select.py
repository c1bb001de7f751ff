"""Random calls of the operators that turn what a detector says into boxes, and that choose among them."""

import numpy as np

from tests.ops.row import Sample


def yolo_box(d):
    """Square maps: of others real Paddle takes the number of rows for that of columns too."""
    images, kinds, classes, size = d.int(1, 2), d.int(1, 3), d.int(1, 3), d.int(1, 4)
    x = d.floats((images, kinds * (5 + classes), size, size), dtype=d.one("float32", "float64"))
    attrs = {"class_num": classes, "anchors": [d.int(5, 60) for _ in range(2 * kinds)], "conf_thresh": 0.3}
    attrs.update(downsample_ratio=d.one(8, 32), clip_bbox=d.one(True, False), scale_x_y=d.one(1.0, 1.25))
    return Sample({"X": x, "ImgSize": d.indices((images, 2), 90, "int32") + np.int32(10)}, attrs)


def multiclass_nms(d):
    classes, count, by_class = d.int(1, 4), d.int(2, 12), d.one(True, False)
    shape = (count, classes) if by_class else (2, count)
    corner, extent = d.floats(shape + (2,), 0, 0.5), d.floats(shape + (2,), 0.1, 0.6)
    scores = np.array(d.order(2 * classes * count)).reshape(2, classes, count).astype("float32") / (2 * classes * count)
    inputs = {
        "BBoxes": np.concatenate([corner, corner + extent], -1),
        "Scores": scores[0].T.copy() if by_class else scores,
    }
    attrs = {"score_threshold": 0.2, "nms_top_k": d.one(-1, 2, 5), "keep_top_k": d.one(-1, 0, 3, 6)}
    attrs.update(nms_threshold=d.one(0.3, 0.6, 0.8), nms_eta=d.one(1.0, 0.8), normalized=d.one(True, False))
    attrs.update(background_label=d.int(-1, 1))
    return Sample(inputs, attrs, lods={"BBoxes": [[0, 1, count]]} if by_class else None, dynamic=True)


def polygons(d, count, points):
    """Around centres; none crosses itself."""
    angle = (np.arange(points) + d.floats((count, points), 0, 0.8)) * 2 * np.pi / points
    around = np.stack([np.cos(angle), np.sin(angle)], -1) * d.floats((count, points, 1), 0.4, 1)
    return (d.floats((count, 1, 2), 1, 1.8) + around).reshape(1, count, 2 * points).astype("float32")


def apart(d, *shape):
    """Scores of which no two are alike."""
    return np.array(d.order(int(np.prod(shape)))).reshape(shape).astype("float32") / int(np.prod(shape))


def of_polygons(d):
    count, classes = d.int(2, 9), d.int(1, 3)
    inputs = {"BBoxes": polygons(d, count, d.one(4, 8, 12, 16)), "Scores": apart(d, 1, classes, count)}
    attrs = {"score_threshold": 0.1, "nms_top_k": d.one(-1, 4), "keep_top_k": d.one(-1, 3), "background_label": -1}
    return Sample(inputs, dict(attrs, nms_threshold=d.one(0.1, 0.3, 0.5)), dynamic=True)


def multiclass_nms2(d):
    sample = multiclass_nms(d)
    sample.outputs = ["Out", "Index"]
    return sample


def matrix_nms(d):
    classes, count = d.int(1, 4), d.int(2, 12)
    corner, extent = d.floats((2, count, 2), 0, 0.5), d.floats((2, count, 2), 0.1, 0.6)
    inputs = {"BBoxes": np.concatenate([corner, corner + extent], -1), "Scores": apart(d, 2, classes, count)}
    attrs = {"score_threshold": 0.2, "nms_top_k": d.one(-1, 2, 5), "keep_top_k": d.one(-1, 3, 6)}
    attrs.update(post_threshold=d.one(0.0, 0.1, 0.5), use_gaussian=d.one(True, False), gaussian_sigma=d.one(0.5, 2.0))
    return Sample(inputs, dict(attrs, normalized=d.one(True, False), background_label=d.int(-1, 1)), dynamic=True)


def locality_aware_nms(d):
    count = d.int(2, 12)
    if d.one(True, False):
        boxes = polygons(d, count, d.one(4, 8))
    else:
        corner, extent = d.floats((1, count, 2), 0, 0.3), d.floats((1, count, 2), 0.2, 0.6)
        boxes = np.concatenate([corner, corner + extent], -1)
    attrs = {"score_threshold": 0.1, "nms_top_k": d.one(-1, 4), "keep_top_k": d.one(-1, 3), "background_label": -1}
    attrs.update(nms_threshold=d.one(0.2, 0.5, 0.7), normalized=d.one(True, False), nms_eta=d.one(1.0, 0.8))
    return Sample({"BBoxes": boxes, "Scores": d.floats((1, 1, count), 0.1, 1)}, attrs, dynamic=True)


CALLS = {
    "yolo_box": yolo_box,
    "multiclass_nms": lambda d: of_polygons(d) if d.one(True, False) else multiclass_nms(d),
    "multiclass_nms2": multiclass_nms2,
    "locality_aware_nms": locality_aware_nms,
    "matrix_nms": matrix_nms,
}
