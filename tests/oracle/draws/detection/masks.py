"""Random calls of masks of regions from polygons."""

import numpy as np

from tests.ops.row import Sample


def offsets(counts):
    return [0] + np.cumsum(counts).tolist()


def generate_mask_labels(d):
    """Each image has an object with a mask, and a region of the background."""
    images = d.int(1, 3)
    objects, regions = d.sizes(images, 1, 3), d.sizes(images, 2, 5)
    polygons = d.sizes(sum(objects), 1, 3)
    points = d.sizes(sum(polygons), 3, 7)
    classes, size = d.int(2, 4), d.int(1, 14)
    each, rows = offsets(objects), offsets(regions)
    kinds, crowd = d.indices((each[-1], 1), classes, "int32"), d.indices((each[-1], 1), 2, "int32")
    labels = d.indices((rows[-1], 1), classes, "int32")
    kinds[each[:-1]], crowd[each[:-1]], labels[rows[:-1]] = 1, 0, 0
    corner = d.floats((rows[-1], 2), 0, 12)
    inputs = {
        "ImInfo": np.stack([[20, 20, d.number(0.5, 2)] for _ in range(images)]).astype("float32"), "GtClasses": kinds,
        "IsCrowd": crowd, "GtSegms": d.floats((sum(points), 2), 0, 20), "LabelsInt32": labels,
        "Rois": np.concatenate([corner, corner + d.floats((rows[-1], 2), 0, 12)], 1),
    }  # fmt: skip
    lods = {
        "GtClasses": [each], "IsCrowd": [each], "GtSegms": [each, offsets(polygons), offsets(points)], "Rois": [rows],
        "LabelsInt32": [rows],
    }  # fmt: skip
    return Sample(inputs, {"num_classes": classes, "resolution": size}, lods=lods, dynamic=True)


CALLS = {"generate_mask_labels": generate_mask_labels}
