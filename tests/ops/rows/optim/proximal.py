"""Updates of parameters by proximal steps."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

NORMS = {"l1": 0.3, "l2": 0.2}
INPUTS = {"Param": draw(2, 3, seed=1), "Grad": draw(2, 3, seed=2), "LearningRate": np.array([0.5], "float32")}
MOMENT = dict(INPUTS, Moment=draw(2, 3, low=0.1, seed=3))


def steps(inputs):
    every = [{}, NORMS, {"l2": 0.5}, {"l1": 0.7}]
    return [Sample(inputs, attrs, grads=()) for attrs in every]


ROWS = [
    Row(
        "proximal_gd",
        steps(INPUTS),
        [
            Bad(dict(INPUTS, Grad=draw(3, 2)), NORMS, "ShapeError", "Input(Grad)"),
            Bad(dict(INPUTS, LearningRate=draw(2)), NORMS, "ShapeError", "Input(LearningRate)"),
        ],
    ),
    Row(
        "proximal_adagrad",
        steps(MOMENT),
        [
            Bad(dict(MOMENT, Moment=draw(3)), NORMS, "ShapeError", "Input(Moment)"),
            Bad(dict(MOMENT, Grad=draw(2, 3, dtype="float64")), NORMS, "DtypeError", "Input(Grad)"),
        ],
    ),
]
