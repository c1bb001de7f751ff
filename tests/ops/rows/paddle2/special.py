"""The logarithm of the gamma function, its derivative, and the inverse of the error function."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

FLOATS = [Bad({"X": np.arange(3)}, {}, "DtypeError", "float dtype")]
LARGE = np.array([20, 9.5, 8, 7.9, 100, 0.01, -3.6, 1, 2], "float64")


def on(*arrays):
    return [Sample({"X": x}, excluded="PaddlePaddle 1.8.5 has no such operator") for x in arrays]


ROWS = [
    Row("lgamma", on(draw(2, 3, low=0.1, high=3), draw(2, 3, low=-3.9, high=-3.1), LARGE), FLOATS),
    Row("digamma", on(draw(2, 3, low=0.1, high=3), draw(2, 3, low=-3.8, high=-3.2), LARGE), FLOATS),
    Row("erfinv", on(draw(2, 3, low=-0.9, high=0.9), draw(7, low=-1, high=1, dtype="float64") * 0.999), FLOATS),
]
