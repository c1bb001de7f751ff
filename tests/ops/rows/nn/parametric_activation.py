"""Activations whose shape parameters set."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw
from tests.ops.rows.nn.activation import FAR, row

SLOPES = {"all": (1,), "channel": (3,), "element": (1, 3, 2, 2)}


def soft_relu():
    right = "Paddle's gradient is off where Out passes the threshold or X the negative one"
    near = away(draw(3, 5, low=-2.5, high=2.5), -1.0, 1.0)
    made = row("soft_relu", points=(-50.0, -40.0, -20.0, 0.0, 20.0, 39.0, 50.0), attrs=[{"threshold": 3.5}])
    made.samples.append(Sample({"X": near}, {"threshold": 1.0}, grads=()))
    made.samples.append(Sample({"X": near + np.float32(1e-3)}, {"threshold": 1.0}, excluded=right))
    return made


def hard_swish():
    attrs = {"threshold": 4.0, "scale": 5.0, "offset": 2.0}
    made = row(
        "hard_swish",
        low=-6.0,
        high=6.0,
        kinks=(-3.0, 3.0, -2.0, 2.0),
        attrs=[{"offset": 2.0, "threshold": 5.0, "scale": 5.0}],
    )
    x = away(draw(3, 5, low=-6.0, high=6.0, seed=1), -2.0, 2.0)
    made.samples.append(Sample({"X": x}, attrs, grads=()))
    right = "Paddle's gradient above the threshold is 1, whatever threshold and scale are"
    made.samples.append(Sample({"X": x + np.float32(1e-3)}, attrs, excluded=right))
    return made


def mish():
    made = row("mish", points=FAR)
    x = away(draw(3, 5, low=-3.0, high=3.0, seed=1), -1.0, 1.0)
    made.samples.append(Sample({"X": x}, {"threshold": 1.0}, grads=()))
    right = "Paddle's gradient forgets the threshold"
    made.samples.append(Sample({"X": x + np.float32(1e-3)}, {"threshold": 1.0}, excluded=right))
    return made


def slopes(x, alpha, mode, dtype="float32", **more):
    return Sample(
        {"X": away(draw(*x, dtype=dtype), 0.0), "Alpha": draw(*alpha, dtype=dtype, seed=1)}, {"mode": mode}, **more
    )


def prelu():
    samples = [slopes((2, 3, 2, 2), shape, mode) for mode, shape in sorted(SLOPES.items())]
    samples += [slopes((2, 3, 2, 2), shape, mode, "float64") for mode, shape in sorted(SLOPES.items())]
    samples += [
        slopes((2, 3, 2, 2), (1, 3, 1, 1), "channel"),
        slopes((2, 3), (1, 3), "channel"),
        slopes((2, 1, 2), (1,), "channel"),
        slopes((2, 3, 4), (1, 3, 1), "channel"),
        slopes((2, 3), (1, 3), "element"),
        slopes((2, 3), (1, 1), "all"),
        slopes((5,), (1,), "all"),
        slopes((3, 2), (2,), "channel", lods={"X": [[0, 1, 3]]}),
        slopes((0, 3), (3,), "channel", excluded="Paddle divides by the number of rows and dies"),
        Sample({"X": np.array([[0.0, -1.0, -0.0]]), "Alpha": np.array([0.25])}, {"mode": "all"}, note="bends"),
    ]

    def bad(x, alpha, mode, error, match):
        return Bad({"X": draw(*x), "Alpha": draw(*alpha)}, {"mode": mode}, error, match)

    errors = [
        bad((2, 3), (2,), "all", "ShapeError", "one element"),
        bad((2, 3), (2,), "channel", "ShapeError", "3 elements"),
        bad((2, 3), (1,), "channel", "ShapeError", "3 elements"),
        bad((2, 3, 2), (3, 2), "element", "ShapeError", "[1, 3, 2]"),
        bad((2, 3, 2), (2, 3, 2), "element", "ShapeError", "[1, 3, 2]"),
        bad((3,), (3,), "channel", "ShapeError", "rank 2"),
        bad((2, 3), (3,), "rows", "ArgumentValueError", "'rows'"),
        Bad({"X": draw(2, 3), "Alpha": draw(1, dtype="float64")}, {}, "DtypeError", "Input(Alpha)"),
        Bad({"X": draw(2, 3, high=5, dtype="int64"), "Alpha": draw(1)}, {}, "DtypeError", "int64"),
    ]
    return Row("prelu", samples, errors)


def groups(*shape, groups=2, axis=None, dtype="float32", **more):
    attrs = {"groups": groups} if axis is None else {"groups": groups, "axis": axis}
    return Sample({"X": draw(*shape, dtype=dtype)}, attrs, **more)


def maxout():
    samples = [
        groups(2, 4, 2, 3),
        groups(2, 4, 2, 3, dtype="float64"),
        groups(2, 6, 1, 3, groups=3),
        groups(2, 3, 3, 1, groups=3),
        groups(2, 2, 3, 4, axis=3),
        groups(3, 2, 1, 2, lods={"X": [[0, 1, 3]]}),
        Sample({"X": np.ones((1, 4, 2, 1))}, {"groups": 2}, note="equal channels"),
    ]
    errors = [
        Bad({"X": draw(2, 4)}, {"groups": 2}, "ShapeError", "rank 4"),
        Bad({"X": draw(2, 4, 2, 2)}, {"groups": 3}, "ArgumentValueError", "a divisor of the 4 channels"),
        Bad({"X": draw(2, 4, 2, 2)}, {"groups": 1}, "ArgumentValueError", "2 or more"),
        Bad({"X": draw(2, 4, 2, 2)}, {"groups": 2, "axis": 2}, "ArgumentValueError", "1 or 3"),
        Bad({"X": draw(2, 4, 2, 2)}, {"groups": 2, "axis": -1}, "ArgumentValueError", "1 or 3"),
        Bad({"X": draw(2, 4, 2, 2, high=5, dtype="int64")}, {"groups": 2}, "DtypeError", "int64"),
        Bad({"X": draw(2, 4, 2, 2)}, {}, "ArgumentTypeError", "groups"),
    ]
    return Row("maxout", samples, errors)


ROWS = [
    row("relu6", low=-3.0, high=9.0, kinks=(0.0, 6.0, 2.0), attrs=[{"threshold": 2.0}]),
    row("brelu", low=-4.0, high=30.0, kinks=(0.0, 24.0, -1.0, 2.0), attrs=[{"t_min": -1.0, "t_max": 2.0}]),
    row(
        "hard_sigmoid",
        low=-4.0,
        high=4.0,
        kinks=(-2.5, 2.5, -1.0, 0.0),
        points=(-2.5, 0.0, 2.5),
        attrs=[{"slope": 1.0, "offset": 0.0}],
    ),
    hard_swish(),
    soft_relu(),
    row("elu", kinks=(0.0,), points=FAR, attrs=[{"alpha": 0.3}]),
    row("selu", kinks=(0.0,), points=FAR, attrs=[{"alpha": 0.3, "scale": 2.0}]),
    row("swish", points=FAR, attrs=[{"beta": 2.5}]),
    row("stanh", points=FAR, attrs=[{"scale_a": 0.3, "scale_b": 2.0}]),
    mish(),
    prelu(),
    maxout(),
]
