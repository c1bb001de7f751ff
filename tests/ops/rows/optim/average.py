"""Sums of the values of parameters."""

import numpy as np

from tests.ops.row import Bad, Row, draw
from tests.ops.rows.optim.sgd import of


def sums(dtype, *shape, **counts):
    """average_accumulates's."""
    inputs = {"in_sum_" + str(k): draw(*shape, dtype=dtype, seed=k) for k in (1, 2, 3)}
    for count, number in dict({"num_accumulates": 0, "old_num_accumulates": 3, "num_updates": 0}, **counts).items():
        inputs["in_" + count] = np.array([number], "int64")
    return dict(inputs, param=draw(*shape, dtype=dtype, seed=4))


WINDOW = {"average_window": 0.5, "max_average_window": 4, "min_average_window": 2}
LONG_WINDOW = {"average_window": 0.25, "max_average_window": 100000, "min_average_window": 4000}


ROWS = [
    Row(
        "average_accumulates",
        [
            of(sums("float32", 2, 3), WINDOW, note="a window goes on"),
            of(sums("float32", 5, num_accumulates=1, num_updates=1), WINDOW, note="a window ends"),
            of(sums("float32", 5, num_accumulates=2, num_updates=6), WINDOW, note="3 steps of 7 are half of them"),
            of(sums("float64", 5, num_accumulates=3, num_updates=9), WINDOW, note="it is as long as can be"),
            of(sums("float32", 4, num_accumulates=3, num_updates=16383), LONG_WINDOW, note="the sum moves on"),
            of(sums("float32", 4, num_accumulates=9999, num_updates=16383), LONG_WINDOW, note="and the window ends"),
        ],
        [
            Bad(dict(sums("float32", 4), in_sum_2=draw(2)), WINDOW, "ShapeError", "in_sum_2"),
            Bad(dict(sums("float32", 4), in_sum_3=draw(4, dtype="float64")), WINDOW, "DtypeError", "in_sum_3"),
            Bad(dict(sums("float32", 4), in_num_updates=np.zeros(2, "int64")), WINDOW, "ShapeError", "in_num_updates"),
            Bad(dict(sums("float32", 4), in_num_updates=np.zeros(1, "int32")), WINDOW, "DtypeError", "in_num_updates"),
        ],
    ),
]
