"""Differences of arrays and sums of absolute values."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

X = away(draw(2, 3), 0.0)
LOD = [[0, 1, 2]]

ROWS = [
    Row(
        "minus",
        [
            Sample({"X": X, "Y": draw(2, 3, seed=1)}),
            Sample({"X": X, "Y": draw(2, 3, seed=1)}, lods={"X": LOD}),
            Sample({"X": draw(4), "Y": draw(4, seed=1)}),
        ],
        [
            Bad({"X": X, "Y": draw(3, 2)}, {}, "ShapeError", "Input(Y)"),
            Bad({"X": X, "Y": draw(3)}, {}, "ShapeError", "Input(Y)"),
            Bad({"X": X, "Y": X.astype("float64")}, {}, "DtypeError", "Input(Y)"),
        ],
        double=True,
    ),
    Row(
        "l1_norm",
        [
            Sample({"X": X}),
            Sample({"X": away(draw(3, 2, 2), 0.0)}, lods={"X": [[0, 3]]}),
            Sample({"X": X * 0}, grads=()),
        ],
        [Bad({"X": np.arange(3)}, {}, "DtypeError", "Input(X)")],
    ),
]
