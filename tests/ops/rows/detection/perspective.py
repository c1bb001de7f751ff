"""Regions of feature maps that are quadrilaterals, turned into rectangles."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

MAPS = draw(2, 3, 6, 8)
CORNERS = np.array(
    [[1.1, 1.2, 4.3, 2.1, 5.2, 4.1, 0.3, 3.3], [0.2, 0.3, 6.1, 0.4, 6.2, 4.4, 0.1, 4.3], [3.3, 2.2, 9.1, 2.4, 8.6, 7.7, 3, 7]],
    "float32",
)  # fmt: skip
OF = {"ROIs": [[0, 2, 3]]}


def regions(x=MAPS, rois=CORNERS):
    return {"X": x, "ROIs": rois}


def size(height=3, width=4, scale=1.0):
    return {"transformed_height": height, "transformed_width": width, "spatial_scale": scale}


def turned(inputs, attrs, **more):
    return Sample(inputs, attrs, outputs=["Out", "Mask", "TransformMatrix"], lods=OF, **more)


TURN = [
    turned(regions(), size()),
    turned(regions(rois=CORNERS * 2), size(4, 9, 0.5)),
    turned(regions(rois=CORNERS[:, [6, 7, 0, 1, 2, 3, 4, 5]]), size(2, 3), note="from another corner"),
    turned(regions(rois=CORNERS - np.float32(1.5)), size(5, 5), note="partly outside"),
]
TURN_ERRORS = [
    Bad(regions(), size(), "LoDError", "no LoD"),
    Bad(regions(MAPS[0]), size(), "ShapeError", "[N, C, H, W]"),
    Bad(regions(rois=CORNERS[:, :4]), size(), "ShapeError", "Input(ROIs)"),
    Bad(regions(rois=CORNERS.astype("float64")), size(), "DtypeError", "Input(ROIs)"),
    Bad(regions(), size(0), "ArgumentValueError", "transformed_height"),
]

ROWS = [Row("roi_perspective_transform", TURN, TURN_ERRORS)]
