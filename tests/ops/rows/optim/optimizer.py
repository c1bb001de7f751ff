"""Operators that update parameters. More of sparse gradients: tests/optimizer/test_sparse.py."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, Sparse, draw

RATE = {"LearningRate": draw(1, low=0.01, high=0.1)}


def like(dtype, *shape, **more):
    """Param and Grad of a shape, a learning rate, and more inputs."""
    pair = {"Param": draw(*shape, dtype=dtype, seed=1), "Grad": draw(*shape, dtype=dtype, seed=2)}
    rate = {"LearningRate": RATE["LearningRate"].astype(dtype)}
    return dict(list(pair.items()) + list(rate.items()) + list(more.items()))


def velocity(dtype, *shape):
    return like(dtype, *shape, Velocity=draw(*shape, dtype=dtype, seed=3))


def square(dtype, *shape):
    return like(dtype, *shape, Moment=draw(*shape, low=0.0, dtype=dtype, seed=4))


def largest(dtype, *shape):
    kept = {"Moment": draw(*shape, dtype=dtype, seed=3), "InfNorm": draw(*shape, low=0.1, dtype=dtype, seed=4)}
    return like(dtype, *shape, Beta1Pow=draw(1, low=0.5, high=0.9, dtype=dtype), **kept)


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


def sums(dtype, *shape, **counts):
    """average_accumulates's."""
    inputs = {"in_sum_" + str(k): draw(*shape, dtype=dtype, seed=k) for k in (1, 2, 3)}
    for count, number in dict({"num_accumulates": 0, "old_num_accumulates": 3, "num_updates": 0}, **counts).items():
        inputs["in_" + count] = np.array([number], "int64")
    return dict(inputs, param=draw(*shape, dtype=dtype, seed=4))


def leader(dtype, *shape):
    kept = {"SquaredAccumulator": draw(*shape, low=0.0, dtype=dtype, seed=3)}
    return like(dtype, *shape, LinearAccumulator=draw(*shape, dtype=dtype, seed=4), **kept)


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


def of(inputs, attrs=None, **more):
    return Sample(inputs, attrs, grads=(), **more)


def sparse(inputs):
    """The same with a gradient of two rows, of which one stands there twice."""
    param = inputs["Param"]
    return dict(inputs, Grad=Sparse([2, 0, 2], draw(3, *param.shape[1:], dtype=param.dtype.name, seed=6), len(param)))


def zero(inputs, *slots):
    return dict(inputs, **{slot: np.zeros_like(inputs[slot]) for slot in slots})


def wrong(op_inputs, attrs=None):
    """Calls that must fail, whatever the operator."""
    three = draw(3)
    return [
        Bad(dict(op_inputs, Grad=draw(3, 2)), attrs, "ShapeError", "Grad"),
        Bad(dict(op_inputs, Grad=draw(2, 3, dtype="float64")), attrs, "DtypeError", "Grad"),
        Bad(dict(op_inputs, LearningRate=three), attrs, "ShapeError", "LearningRate"),
        Bad(dict(op_inputs, Param=draw(2, 3, high=9, dtype="int64")), attrs, "DtypeError", "Param"),
    ]


WINDOW = {"average_window": 0.5, "max_average_window": 4, "min_average_window": 2}
LONG_WINDOW = {"average_window": 0.25, "max_average_window": 100000, "min_average_window": 4000}

ROWS = [
    Row(
        "sgd",
        [of(like("float32", 2, 3)), of(like("float64", 4)), of(sparse(like("float32", 4, 2)))],
        wrong(like("float32", 2, 3)),
    ),
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
    Row(
        "dpsgd",
        [
            of(like("float32", 2, 3), {"seed": 7}),
            of(like("float32", 5), {"clip": 0.3, "batch_size": 4.0, "sigma": 0.5, "seed": 90}),
            of(like("float64", 5), {"clip": 0.3, "seed": 2}),
            of(like("float32", 5), {"clip": 0.3, "sigma": 0.0}, note="without noise"),
        ],
        wrong(like("float32", 2, 3)),
    ),
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
