"""FTRL."""

from tests.ops.row import Bad, Row, draw
from tests.ops.rows.optim.sgd import like, of, wrong, zero


def leader(dtype, *shape):
    kept = {"SquaredAccumulator": draw(*shape, low=0.0, dtype=dtype, seed=3)}
    return like(dtype, *shape, LinearAccumulator=draw(*shape, dtype=dtype, seed=4), **kept)


ROWS = [
    Row(
        "ftrl",
        [
            of(leader("float32", 2, 3)),
            of(leader("float32", 3, 4), {"l1": 0.5, "l2": 0.3}),
            of(leader("float32", 5), {"l1": 0.1, "lr_power": -0.3}),
            of(
                zero(leader("float32", 4), "Grad", "SquaredAccumulator", "LinearAccumulator"),
                {"l1": 0.1},
                note="nothing ever came",
            ),
        ],
        [
            *wrong(leader("float32", 2, 3)),
            Bad(dict(leader("float32", 2, 3), SquaredAccumulator=draw(2)), {}, "ShapeError", "SquaredAccumulator"),
        ],
    ),
]
