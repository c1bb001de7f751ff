"""Masks of regions from polygons."""

import numpy as np

from tests.ops.row import Bad, Row, Sample

RESOLUTION = {"num_classes": 3, "resolution": 6}
POINTS = np.array(
    [[1, 1], [8, 1], [8, 6], [1, 6], [9, 9], [11, 9], [10, 12], [2, 2], [6, 3], [5, 9], [1, 7], [3.5, 0.2], [14.7, 5.1],
     [9.9, 13.3], [0.4, 11.8], [6.1, 6.2]], "float32"
)  # fmt: skip
LODS = {
    "GtClasses": [[0, 2, 3]], "IsCrowd": [[0, 2, 3]], "GtSegms": [[0, 2, 3], [0, 2, 3, 4], [0, 4, 7, 11, 16]],
    "Rois": [[0, 4, 7]], "LabelsInt32": [[0, 4, 7]],
}  # fmt: skip
ROIS = np.array(
    [[0, 0, 9, 7], [2, 1, 7, 9], [10, 10, 15, 15], [1, 1, 12, 12], [0, 0, 15, 14], [3, 4, 3.2, 4.1], [6.3, 1.2, 13.9, 9.7]],
    "float32",
)  # fmt: skip


def column(*numbers):
    return np.array(numbers, "int32").reshape(-1, 1)


def images(scale=1.0, classes=(1, 2, 2), crowd=(0, 0, 0), labels=(1, 2, 0, 1, 2, 2, 1)):
    info = np.array([[20, 20, scale], [16, 16, scale]], "float32")
    return {
        "ImInfo": info, "GtClasses": column(*classes), "IsCrowd": column(*crowd), "GtSegms": POINTS, "Rois": ROIS,
        "LabelsInt32": column(*labels),
    }  # fmt: skip


def masked(resolution=6, **more):
    attrs = dict(RESOLUTION, resolution=resolution)
    return Sample(images(**more), attrs, lods=LODS, dynamic=True)


def bad(error, match, lods=LODS, attrs=RESOLUTION, **more):
    return Bad(dict(images(), **more), attrs, error, match, lods=lods)


FLAT = dict(LODS, GtSegms=[[0, 16]])

ROWS = [
    Row(
        "generate_mask_labels",
        [
            masked(),
            masked(14, scale=0.75),
            masked(4, scale=2.0, crowd=(1, 0, 0)),
            masked(3, labels=(0, 0, 0, 0, 0, 1, 0)),
            masked(9, classes=(0, 2, 1), labels=(2, 1, 1, 1, 1, 0, 0)),
        ],
        [
            bad("LoDError", "Input(GtSegms)", lods=FLAT),
            bad("LoDError", "Input(GtSegms)", lods=dict(LODS, GtSegms=[[0, 2], [0, 2, 4], [0, 4, 7, 11, 16]])),
            bad("LoDError", "a polygon or more", lods=dict(LODS, GtSegms=[[0, 2, 3], [0, 2, 2, 4], [0, 4, 7, 11, 16]])),
            bad("LoDError", "Input(Rois)", lods=dict(LODS, Rois=[[0, 7]])),
            bad("IndexRangeError", "Input(LabelsInt32)", LabelsInt32=column(1, 2, 3, 0, 0, 0, 0)),
            bad("DtypeError", "Input(LabelsInt32)", LabelsInt32=column(1, 2, 0, 0, 0, 0, 0).astype("int64")),
            bad("ShapeError", "Input(GtSegms)", GtSegms=POINTS[:, :1]),
            bad("ShapeError", "Input(ImInfo)", ImInfo=np.zeros((2, 2), "float32")),
            bad("ArgumentValueError", "Input(ImInfo)", ImInfo=np.ones((1, 3), "float32")),
            bad("ArgumentValueError", "resolution", attrs=dict(RESOLUTION, resolution=0)),
        ],
    )
]
