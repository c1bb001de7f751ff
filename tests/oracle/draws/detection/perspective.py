"""Random calls of the operator that turns quadrilaterals into rectangles."""

import numpy as np

from tests.ops.row import Sample

TOLERANCE = (2e-5, 4e-5)  # a place off by the last digit counts as much as neighbours differ


def roi_perspective_transform(d):
    """Edges are not nearly level: whether points lie on such a one depends on the last digit."""
    images, rows, columns = d.int(1, 2), d.int(3, 9), d.int(3, 9)
    x = d.floats((images, d.int(1, 3), rows, columns), -1, 1)
    first, count = d.int(1, 3), d.int(1, 3)
    starts = [0, first, first + count][: images + 1]
    box = np.array([0, 0, 1, 0, 1, 1, 0, 1]) * d.floats((starts[-1], 1), 2, 8)
    box[:, [3, 5]] += d.one(-1, 1) * d.floats((starts[-1], 1), 0.8, 1.5)
    box += d.floats((starts[-1], 8), -0.3, 0.3)
    attrs = {"transformed_height": d.int(1, 5), "transformed_width": d.int(1, 7), "spatial_scale": d.one(1.0, 0.5)}
    rois = (box / attrs["spatial_scale"]).astype("float32")
    names = ["Out", "Mask", "TransformMatrix"]
    return Sample({"X": x, "ROIs": rois}, attrs, lods={"ROIs": [starts]}, outputs=names)


CALLS = {"roi_perspective_transform": roi_perspective_transform}
