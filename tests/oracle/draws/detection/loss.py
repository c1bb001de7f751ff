"""Random calls of the losses of detectors."""

import numpy as np

from tests.ops.row import Sample


def yolov3_loss(d):
    """At most one true box in a place: of several, real Paddle has only the last in its gradient."""
    images, kinds, classes, size, count = d.int(1, 2), d.int(1, 3), d.int(1, 4), d.int(2, 4), d.int(1, 4)
    dtype = d.one("float32", "float64")
    x = d.floats((images, kinds * (5 + classes), size, size), -2, 2, dtype)
    cells = np.array([d.order(size * size)[:count] for _ in range(images)])
    centres = (np.stack([cells % size, cells // size], -1) + d.floats((images, count, 2), 0.1, 0.9)) / size
    sides = d.floats((images, count, 2), 0.05, 0.9) * d.bits((images, count, 1)).clip(d.one(0, 1), 1)
    inputs = {"X": x, "GTBox": np.concatenate([centres, sides], -1).astype(dtype)}
    inputs["GTLabel"] = d.indices((images, count), classes, "int32")
    if d.one(True, False):
        inputs["GTScore"] = d.floats((images, count), 0.1, 1, dtype)
    known = kinds + d.int(0, 2)
    attrs = {"anchors": [d.int(5, 90) for _ in range(2 * known)], "anchor_mask": d.order(known)[:kinds]}
    attrs.update(class_num=classes, downsample_ratio=d.one(8, 32), ignore_thresh=d.one(0.3, 0.5, 0.7))
    return Sample(inputs, dict(attrs, use_label_smooth=d.one(True, False), scale_x_y=d.one(1.0, 1.25)))


CALLS = {"yolov3_loss": yolov3_loss}
