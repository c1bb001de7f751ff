"""Random calls of operators that measure how good predictions are."""

import numpy as np

from tests.ops.row import Sample


def accuracy(d):
    """No LoD: real Paddle gives one number that of all the rows."""
    rows, classes = d.int(1, 9), d.int(1, 5)
    k = d.int(1, classes)
    best = np.array([d.order(classes)[:k] for _ in range(rows)], "int64")
    out = d.floats((rows, k), 0, 1, d.one("float32", "float64"))
    return Sample({"Out": out, "Indices": best, "Label": d.indices((rows, 1), classes, "int64")})


CALLS = {"accuracy": accuracy}
