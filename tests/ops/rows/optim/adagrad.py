"""Steps divided by the root of accumulated squared gradients."""

from tests.ops.row import Bad, Row, draw
from tests.ops.rows.optim.sgd import like, of, sparse, wrong


def square(dtype, *shape):
    return like(dtype, *shape, Moment=draw(*shape, low=0.0, dtype=dtype, seed=4))


def means(dtype, *shape):
    """Adadelta's, which has no learning rate."""
    kept = {"AvgSquaredGrad": draw(*shape, low=0.0, dtype=dtype, seed=3)}
    inputs = like(dtype, *shape, AvgSquaredUpdate=draw(*shape, low=0.0, dtype=dtype, seed=4), **kept)
    del inputs["LearningRate"]
    return inputs


def spread(dtype, *shape):
    """RMSProp's; the square of the mean of gradients is below the mean of their squares."""
    kept = {"MeanSquare": draw(*shape, low=0.1, dtype=dtype, seed=3), "Moment": draw(*shape, dtype=dtype, seed=4)}
    return like(dtype, *shape, MeanGrad=draw(*shape, low=-0.1, high=0.1, dtype=dtype, seed=5), **kept)


ROWS = [
    Row(
        "adagrad",
        [
            of(square("float32", 2, 3)),
            of(square("float64", 5), {"epsilon": 0.1}),
            of(sparse(square("float32", 4, 2)), {"epsilon": 0.1}),
        ],
        [
            *wrong(square("float32", 2, 3)),
            Bad(dict(square("float32", 2, 3), Moment=draw(2)), {}, "ShapeError", "Moment"),
        ],
    ),
    Row(
        "decayed_adagrad",
        [of(square("float32", 2, 3)), of(square("float32", 5), {"decay": 0.5, "epsilon": 0.1})],
        [
            *wrong(square("float32", 2, 3)),
            Bad(dict(square("float32", 2, 3), Moment=draw(2)), {}, "ShapeError", "Moment"),
        ],
    ),
    Row(
        "adadelta",
        [
            of(means("float32", 2, 3)),
            of(means("float32", 5), {"rho": 0.6, "epsilon": 0.1}),
            of(means("float64", 5)),
        ],
        [
            Bad(dict(means("float32", 2, 3), Grad=draw(3, 2)), {}, "ShapeError", "Grad"),
            Bad(dict(means("float32", 2, 3), AvgSquaredGrad=draw(2)), {}, "ShapeError", "AvgSquaredGrad"),
        ],
    ),
    Row(
        "rmsprop",
        [
            of(spread("float32", 2, 3)),
            of(spread("float32", 5), {"epsilon": 0.1, "decay": 0.6, "momentum": 0.5}),
            of(spread("float32", 5), {"epsilon": 0.1, "decay": 0.6, "momentum": 0.5, "centered": True}),
            of(
                dict(spread("float32", 5), MeanGrad=None),
                {"momentum": 0.5},
                outputs=["ParamOut", "MomentOut", "MeanSquareOut"],
            ),
            of(sparse(spread("float32", 4, 2)), {"epsilon": 0.1, "momentum": 0.5}),
            of(sparse(spread("float32", 4, 2)), {"epsilon": 0.1, "centered": True}),
        ],
        [
            *wrong(spread("float32", 2, 3)),
            Bad(dict(spread("float32", 2, 3), Moment=draw(2)), {}, "ShapeError", "Moment"),
            Bad(dict(spread("float32", 2, 3), MeanGrad=draw(2)), {}, "ShapeError", "MeanGrad"),
            Bad(dict(spread("float32", 2), MeanGrad=None), {"centered": True}, "ArgumentValueError", "MeanGrad"),
        ],
    ),
]
