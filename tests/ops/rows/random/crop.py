"""Crops at random places."""

import numpy as np

from tests.ops.row import Bad, Row, Sample

SEED = 90


def cropped(*shape, seed=SEED, x=(2, 4, 6), dtype="float32", **more):
    """Every call has a seed, as an input."""
    values = np.arange(np.prod(x)).reshape(x).astype(dtype)
    return Sample({"X": values, "Seed": np.array([seed], "int64")}, {"shape": list(shape), "startup_seed": 1}, **more)


ROWS = [
    Row(
        "random_crop",
        [
            cropped(2, 3),
            cropped(2, 3, seed=0),
            cropped(2, 3, seed=-5),
            cropped(2, 3, seed=2**40 + 7),
            cropped(4, 6),
            cropped(3, dtype="float64"),
            cropped(2, x=(3, 2, 2, 5), dtype="int32"),
            cropped(1, 2, 3, x=(5, 2, 3, 4), dtype="uint8"),
            cropped(2, 2, x=(4, 3, 3), dtype="int16"),
            cropped(2, 3, lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad(cropped(2, 3).inputs, {"shape": [2, 2, 3]}, "ShapeError", "fewer sizes"),
            Bad(cropped(2, 3).inputs, {"shape": []}, "ShapeError", "at least one"),
            Bad(cropped(2, 3).inputs, {"shape": [5, 3]}, "ShapeError", "[4, 6]"),
            Bad(cropped(2, 3).inputs, {"shape": [0, 3]}, "ShapeError", "[4, 6]"),
            Bad(dict(cropped(2).inputs, Seed=np.array([1], "int32")), {"shape": [2]}, "DtypeError", "Input(Seed)"),
            Bad(dict(cropped(2).inputs, Seed=np.zeros(0, "int64")), {"shape": [2]}, "ShapeError", "Input(Seed)"),
        ],
    ),
]
