"""Gradient descent. More of sparse gradients: tests/optimizer/test_sparse.py."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, Sparse, draw

RATE = {"LearningRate": draw(1, low=0.01, high=0.1)}


def like(dtype, *shape, **more):
    """Param and Grad of a shape, a learning rate, and more inputs."""
    pair = {"Param": draw(*shape, dtype=dtype, seed=1), "Grad": draw(*shape, dtype=dtype, seed=2)}
    rate = {"LearningRate": RATE["LearningRate"].astype(dtype)}
    return dict(list(pair.items()) + list(rate.items()) + list(more.items()))


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


ROWS = [
    Row(
        "sgd",
        [of(like("float32", 2, 3)), of(like("float64", 4)), of(sparse(like("float32", 4, 2)))],
        wrong(like("float32", 2, 3)),
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
]
