"""Operators that measure how good predictions are."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

BEST = np.array([[1, 4], [0, 2], [3, 1]], "int64")


def judged(indices, *labels, dtype="int64", out="float32"):
    label = np.array(labels, dtype).reshape(-1, 1)
    return {"Out": draw(*indices.shape, dtype=out), "Indices": indices, "Label": label}


ACCURACY = [
    Sample(judged(BEST, 1, 2, 3)),
    Sample(judged(BEST, 1, 1, 1)),
    Sample(judged(BEST, 0, 4, 4)),
    Sample(judged(BEST[:, :1], 1, 2, 3)),
    Sample(judged(BEST[:, :1], 1, 0, 3, out="float64")),
    Sample(
        judged(BEST, 4, 0, 1), lods={"Out": [[0, 1, 3]]}, excluded="real Paddle gives one number the LoD of three rows"
    ),
]
ACCURACY_ERRORS = [
    Bad(judged(BEST, 1, 2), {}, "ShapeError", "[3, 1]"),
    Bad({**judged(BEST, 1, 2, 3), "Label": np.array([1, 2, 3])}, {}, "ShapeError", "[N, 1]"),
    Bad({**judged(BEST, 1, 2, 3), "Label": BEST}, {}, "ShapeError", "[3, 2]"),
    Bad(judged(BEST, 1, 2, 3, dtype="int32"), {}, "DtypeError", "Input(Label)"),
    Bad(judged(BEST.astype("int32"), 1, 2, 3), {}, "DtypeError", "Input(Indices)"),
]

ROWS = [Row("accuracy", ACCURACY, ACCURACY_ERRORS)]
