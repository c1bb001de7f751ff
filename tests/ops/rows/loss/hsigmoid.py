"""hierarchical_sigmoid: decisions on the way through a tree."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

TABLE = np.array([[0, 2, -1, -1], [0, 1, 3, -1], [0, 2, -1, 1], [0, 1, 3, -1], [0, -1, -1, -1]])
CODE = np.array([[0, 1, -1, -1], [1, 0, 0, -1], [0, 0, -1, 1], [1, 1, 1, -1], [1, -1, -1, -1]])


def call(
    classes,
    labels=(1, 0, 1),
    bias=True,
    custom=False,
    dtype="float32",
    scale=1.0,
    lods=None,
    grads=None,
    excluded="",
    **attrs,
):
    inputs = {
        "X": draw(len(labels), 4, low=-scale, high=scale, dtype=dtype),
        "W": draw(classes - 1, 4, dtype=dtype),
        "Label": np.array(labels, "int64").reshape(-1, 1),
        "PathTable": TABLE if custom else None,
        "PathCode": CODE if custom else None,
        "Bias": draw(classes - 1, 1, dtype=dtype) if bias else None,
    }
    return Sample(inputs, {"num_classes": classes, **attrs}, lods=lods, grads=grads, excluded=excluded)


def bad(error, match, attrs=None, **inputs):
    sample = call(6, (1, 0, 5))
    return Bad({**sample.inputs, **inputs}, {**sample.attrs, **(attrs or {})}, error, match)


FIVE = (4, 3, 2, 1, 0)

ROWS = [
    Row(
        "hierarchical_sigmoid",
        [
            call(6, (0, 1, 2, 3, 4, 5)),
            call(2),
            call(8, (7, 0, 3), bias=False),
            call(6, (5, 1, 5), dtype="float64"),
            call(6, (5, 1, 5), scale=60.0, bias=False, grads=()),
            call(5, FIVE, custom=True),
            call(5, FIVE, custom=True, bias=False),
            call(6, (0, 1, 2, 3, 4, 5), is_sparse=True, excluded="Paddle takes it with tables only"),
            call(5, FIVE, custom=True, bias=False, is_sparse=True),
            call(6, (1, 2, 3), lods={"X": [[0, 1, 3]]}),
        ],
        [
            bad("ShapeError", "[N, features]", X=draw(3, 4, 1)),
            bad("ShapeError", "[5, 4]", W=draw(6, 4)),
            bad("ShapeError", "[5, 4]", W=draw(5, 3)),
            bad("ShapeError", "[3, 1]", Label=np.array([[1], [2]])),
            bad("ShapeError", "[5, 1]", Bias=draw(6, 1)),
            bad("ShapeError", "[3, -1]", PathTable=TABLE, PathCode=CODE),
            bad("ShapeError", "[3, 2]", PathTable=TABLE[:3, :2], PathCode=CODE[:3]),
            bad("ArgumentTypeError", "PathCode", PathTable=TABLE[:3]),
            bad("IndexRangeError", "0 to 5", Label=np.array([[1], [2], [6]])),
            bad("IndexRangeError", "0 to 4", PathTable=TABLE[:3] + 4, PathCode=CODE[:3]),
            bad("DtypeError", "int64", Label=np.array([[1], [2], [3]], "int32")),
            bad("DtypeError", "float64", W=draw(5, 4, dtype="float64")),
            bad("ArgumentValueError", "2 or more", {"num_classes": 1}),
        ],
    )
]
