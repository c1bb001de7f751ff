"""Pooling of regions with moved bins."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

LODS = {"ROIs": [[0, 1, 3]]}
NO_GRADIENT = "real Paddle's gradients are none of the moved bins"
REGIONS = np.array([[0, 0, 3, 3], [1, 2, 5, 5.5], [2.2, 0.4, 4.1, 3.3]], "float32")
ATTRS = {
    "no_trans": False, "spatial_scale": 1.0, "output_dim": 2, "group_size": [1, 1], "pooled_height": 2, "pooled_width": 3,
    "part_size": [2, 3], "sample_per_part": 2, "trans_std": 0.1,
}  # fmt: skip


def inputs(channels=2, classes=1, part=(2, 3)):
    return {"Input": draw(2, channels, 6, 7), "ROIs": REGIONS, "Trans": draw(3, 2 * classes, *part)}


def pooled(given=None, grads=(), excluded="", **attrs):
    return Sample(given or inputs(), dict(ATTRS, **attrs), lods=LODS, grads=grads, excluded=excluded)


def differentiated(*given, **attrs):
    return pooled(*given, grads=("Input", "Trans"), excluded=NO_GRADIENT, **attrs)


def bad(error, match, given=None, lods=LODS, **attrs):
    return Bad(given or inputs(), dict(ATTRS, **attrs), error, match, lods=lods)


ROWS = [
    Row(
        "deformable_psroi_pooling",
        [
            pooled(),
            pooled(grads=("Input", "Trans"), no_trans=True, spatial_scale=0.5),
            pooled(inputs(classes=2), sample_per_part=3, trans_std=0.5),
            pooled(inputs(8, part=(1, 2)), group_size=[2, 2], part_size=[1, 2], sample_per_part=1),
            pooled(inputs(12, 2), group_size=[2, 3], spatial_scale=0.75, pooled_height=4),
            differentiated(inputs(classes=2), trans_std=0.5),
            differentiated(inputs(12, 2), group_size=[2, 3], spatial_scale=0.75, sample_per_part=3),
        ],
        [
            bad("ShapeError", "Input(Input)", inputs(3)),
            bad("ShapeError", "Input(Trans)", part_size=[3, 3]),
            bad("ShapeError", "Input(Trans)", inputs(classes=3)),
            bad("ArgumentValueError", "group_size", group_size=[1]),
            bad("ArgumentValueError", "sample_per_part", sample_per_part=0),
            bad("ShapeError", "Input(ROIs)", dict(inputs(), ROIs=REGIONS[:, :3])),
            bad("LoDError", "Input(ROIs)", lods={}),
            bad("DtypeError", "Input(Trans)", dict(inputs(), Trans=draw(3, 2, 2, 3, dtype="float64"))),
        ],
    )
]
