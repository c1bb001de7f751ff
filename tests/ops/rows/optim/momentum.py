"""Gradient descent with momentum."""

from tests.ops.row import Bad, Row, draw
from tests.ops.rows.optim.sgd import like, of, sparse, wrong, zero


def velocity(dtype, *shape):
    return like(dtype, *shape, Velocity=draw(*shape, dtype=dtype, seed=3))


ROWS = [
    Row(
        "momentum",
        [
            of(velocity("float32", 2, 3), {"mu": 0.9}),
            of(velocity("float32", 5), {"mu": 0.5, "use_nesterov": True}),
            of(velocity("float64", 5), {"mu": 0.9, "use_nesterov": True}),
            of(sparse(velocity("float32", 4, 2)), {"mu": 0.9}),
            of(sparse(velocity("float32", 4, 2)), {"mu": 0.9, "use_nesterov": True}),
        ],
        [
            *wrong(velocity("float32", 2, 3), {"mu": 0.9}),
            Bad(dict(velocity("float32", 2, 3), Velocity=draw(2)), {"mu": 0.9}, "ShapeError", "Velocity"),
        ],
    ),
    Row(
        "lars_momentum",
        [
            of(velocity("float32", 2, 3), {"mu": 0.9}),
            of(velocity("float32", 5), {"mu": 0.5, "lars_coeff": 0.3, "lars_weight_decay": 0.2}),
            of(velocity("float64", 2, 2), {"mu": 0.9, "lars_coeff": 0.1}),
            of(zero(velocity("float32", 4), "Param"), {"mu": 0.9}, note="a norm of 0"),
            of(zero(velocity("float32", 4), "Grad"), {"mu": 0.9, "lars_weight_decay": 0.2}, note="a norm of 0"),
        ],
        [
            *wrong(velocity("float32", 2, 3), {"mu": 0.9}),
            Bad(dict(velocity("float32", 2, 3), Velocity=draw(2)), {"mu": 0.9}, "ShapeError", "Velocity"),
        ],
    ),
]
