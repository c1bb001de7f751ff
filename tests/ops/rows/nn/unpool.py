"""What max_pool2d_with_index took, put back where it was."""

import numpy as np

from tests.ops.row import Bad, Row, Sample
from tests.ops.rows.nn.pool import apart


def unpool(indices, x=(1, 2, 2, 3), dtype="float32", grads=None, note="", **attrs):
    return Sample(
        {"X": apart(*x, dtype=dtype), "Indices": np.array(indices, "int32").reshape(x)},
        dict({"ksize": [2, 2], "strides": [2, 2], "unpooling_type": "max"}, **attrs),
        grads=grads,
        note=note,
    )


UNPOOL = {"ksize": [2, 2], "strides": [2, 2], "unpooling_type": "max"}
POINTS = [0, 3, 4, 12, 21, 23, 7, 8, 11, 13, 15, 17]


def unpool_errors():
    x, points = apart(1, 2, 2, 3), np.array(POINTS, "int32").reshape(1, 2, 2, 3)
    given = {"X": x, "Indices": points}
    return [
        Bad({"X": x[0], "Indices": points[0]}, UNPOOL, "ShapeError", "Input(X)"),
        Bad({"X": x.astype("int64"), "Indices": points}, UNPOOL, "DtypeError", "Input(X)"),
        Bad({"X": x, "Indices": points.astype("int64")}, UNPOOL, "DtypeError", "Input(Indices)"),
        Bad({"X": x, "Indices": points[:, :1]}, UNPOOL, "ShapeError", "Input(Indices)"),
        Bad({"X": x, "Indices": points + 1}, UNPOOL, "IndexRangeError", "got 24, needs indices from 0 to 23"),
        Bad({"X": x, "Indices": points - 1}, UNPOOL, "IndexRangeError", "got -1"),
        Bad(given, dict(UNPOOL, unpooling_type="avg"), "ArgumentValueError", "unpooling_type"),
        Bad(given, dict(UNPOOL, ksize=[2]), "ArgumentValueError", "ksize"),
        Bad(given, dict(UNPOOL, strides=[0, 1]), "ArgumentValueError", "strides"),
        Bad(given, dict(UNPOOL, paddings=[-1, 0]), "ArgumentValueError", "paddings"),
        Bad(given, dict(UNPOOL, paddings=[2, 0]), "ShapeError", "become [0, 6]"),
    ]


ROWS = [
    Row(
        "unpool",
        [
            unpool(POINTS),
            unpool(POINTS, dtype="float64"),
            unpool([0, 0, 4, 12, 12, 23, 7, 8, 8, 8, 15, 17], grads=(), note="points named twice"),
            unpool([0, 1, 2, 5, 6, 9, 7, 8, 3, 0, 4, 1], ksize=[3, 2], strides=[2, 2], paddings=[1, 1], note="3 by 4"),
            unpool([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5], ksize=[1, 1], strides=[1, 1]),
            unpool([0, 1, 2, 3, 4, 5, 16, 17, 12, 7, 8, 9], ksize=[3, 1], strides=[1, 2], note="4 by 5"),
        ],
        unpool_errors(),
    ),
]
