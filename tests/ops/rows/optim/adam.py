"""Adam and its variants."""

from tests.ops.row import Bad, Row, draw
from tests.ops.rows.optim.sgd import like, of, sparse, wrong, zero


def largest(dtype, *shape):
    kept = {"Moment": draw(*shape, dtype=dtype, seed=3), "InfNorm": draw(*shape, low=0.1, dtype=dtype, seed=4)}
    return like(dtype, *shape, Beta1Pow=draw(1, low=0.5, high=0.9, dtype=dtype), **kept)


def moments(dtype, *shape, **more):
    return like(
        dtype,
        *shape,
        Moment1=draw(*shape, dtype=dtype, seed=3),
        Moment2=draw(*shape, low=0.0, dtype=dtype, seed=4),
        Beta1Pow=draw(1, low=0.5, high=0.9, dtype=dtype),
        Beta2Pow=draw(1, low=0.9, high=0.99, dtype=dtype),
        **more,
    )


ROWS = [
    Row(
        "adam",
        [
            of(moments("float32", 2, 3)),
            of(moments("float32", 2, 3), {"beta1": 0.5, "beta2": 0.6, "epsilon": 0.1, "lazy_mode": True}),
            of(moments("float64", 5)),
            of(
                moments("float32", 5, Beta1Tensor=draw(1, low=0.1, high=0.8), Beta2Tensor=draw(1, low=0.5, high=0.9)),
            ),
            of(sparse(moments("float32", 4, 2))),
            of(sparse(moments("float64", 4, 2)), {"lazy_mode": True, "epsilon": 0.1}),
        ],
        [
            *wrong(moments("float32", 2, 3)),
            Bad(dict(moments("float32", 2, 3), Moment2=draw(2)), {}, "ShapeError", "Moment2"),
            Bad(dict(moments("float32", 2, 3), Beta1Pow=draw(2)), {}, "ShapeError", "Beta1Pow"),
            Bad(dict(moments("float32", 2, 3), Beta1Tensor=draw(2)), {}, "ShapeError", "Beta1Tensor"),
        ],
    ),
    Row(
        "adamax",
        [
            of(largest("float32", 2, 3)),
            of(largest("float32", 5), {"beta1": 0.5, "beta2": 0.6, "epsilon": 0.1}),
            of(largest("float64", 5)),
        ],
        [
            *wrong(largest("float32", 2, 3)),
            Bad(dict(largest("float32", 2, 3), InfNorm=draw(2)), {}, "ShapeError", "InfNorm"),
            Bad(dict(largest("float32", 2, 3), Beta1Pow=draw(2)), {}, "ShapeError", "Beta1Pow"),
        ],
    ),
    Row(
        "lamb",
        [
            of(moments("float32", 2, 3), {"weight_decay": 0.01}),
            of(moments("float32", 5), {"weight_decay": 0.3, "beta1": 0.5, "beta2": 0.6, "epsilon": 0.1}),
            of(moments("float64", 5), {"weight_decay": 0.1}),
            of(zero(moments("float32", 4), "Param"), {"weight_decay": 0.1}, note="a norm of 0"),
            of(zero(moments("float32", 4), "Grad", "Moment1"), {"weight_decay": 0.0}, note="a norm of 0"),
            of(sparse(moments("float32", 4, 2)), {"weight_decay": 0.1}),
        ],
        [
            *wrong(moments("float32", 2, 3), {"weight_decay": 0.1}),
            Bad(dict(moments("float32", 2, 3), Moment2=draw(2)), {"weight_decay": 0.1}, "ShapeError", "Moment2"),
            Bad(dict(moments("float32", 2, 3), Beta1Pow=draw(2)), {"weight_decay": 0.1}, "ShapeError", "Beta1Pow"),
        ],
    ),
]
