"""Random calls of what RetinaNet learns and finds."""

import numpy as np

from tests.ops.row import Sample
from tests.oracle.draws.detection.targets import boxes, true


def retinanet_target_assign(d):
    dtype = d.one("float32", "float64")
    inputs, lod = true(d, dtype)
    inputs["Anchor"] = boxes(d, d.int(6, 20), dtype=dtype)
    inputs["GtLabels"] = d.indices((len(inputs["GtBoxes"]), 1), 5, "int32") + np.int32(1)
    attrs = {"positive_overlap": d.one(0.3, 0.6), "negative_overlap": d.one(0.1, 0.3)}
    return Sample(inputs, attrs, lods={"GtBoxes": lod, "IsCrowd": lod, "GtLabels": lod}, dynamic=True)


def retinanet_detection_output(d):
    dtype, images, classes = d.one("float32", "float64"), d.int(1, 2), d.int(1, 4)
    sizes = [d.int(1, 8) for _ in range(d.int(1, 3))]
    count = images * sum(sizes) * classes
    scores = np.split(np.array(d.order(count)).astype(dtype) / count, np.cumsum(sizes)[:-1] * images * classes)
    inputs = {
        "BBoxes": [d.floats((images, size, 4), -0.5, 0.5, dtype) for size in sizes],
        "Scores": [each.reshape(images, -1, classes) for each in scores],
        "Anchors": [boxes(d, size, dtype=dtype) for size in sizes],
        "ImInfo": np.array([[50, 55, 1], [45, 40, d.one(1, 2, 1.5)]], dtype)[:images],
    }
    attrs = {"score_threshold": d.one(0.05, 0.4), "nms_top_k": d.one(3, 100), "keep_top_k": d.one(5, 100)}
    return Sample(inputs, dict(attrs, nms_threshold=d.one(0.2, 0.5, 0.8), nms_eta=d.one(1.0, 0.7)), dynamic=True)


CALLS = {
    "retinanet_target_assign": retinanet_target_assign,
    "retinanet_detection_output": retinanet_detection_output,
}
