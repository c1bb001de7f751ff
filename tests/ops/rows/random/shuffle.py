"""Rows in random order: with a seed the very order of Paddle."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw


def shuffled(*shape, seed=1, dtype="float32", lods=None):
    x = draw(*shape, low=-9, high=9, dtype=dtype)
    return Sample({"X": x, "Seed": np.array([seed], "int64")}, lods=lods)


X = draw(3, 2)

ROWS = [
    Row(
        "shuffle_batch",
        [
            shuffled(6, 2),
            shuffled(7, 1, seed=90),
            shuffled(3, 2, 2, seed=2147483650),
            shuffled(5, 2, seed=0, lods={"X": [[0, 3, 5]]}),
            shuffled(5, 3, seed=-7, dtype="int32"),
            shuffled(1, 3, dtype="int64"),
            shuffled(400, 1, seed=5),
        ],
        [
            Bad({"X": X, "Seed": np.array([1], "int32")}, {}, "DtypeError", "Input(Seed)"),
            Bad({"X": X, "Seed": np.zeros(0, "int64")}, {}, "ShapeError", "Input(Seed)"),
            Bad({"X": X[:, :0], "Seed": np.array([1])}, {}, "ShapeError", "Input(X)"),
        ],
        tolerance=(0, 0),
    )
]
