"""Operators on elements as PaddlePaddle 2 has them; tests/interop compares them with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
NAN = np.array([[1, np.nan, 2], [np.nan, 0, -1]], "float32")


def one(attrs=None, grads=None, **inputs):
    return Sample(inputs, attrs, excluded=WHY, grads=grads)


def whole(*shape, seed=None, dtype="int64", low=-9):
    return draw(*shape, low=low, high=9, seed=seed, dtype=dtype)


def two(type, *samples, slots=("X", "Y")):
    """A row of an operator of two arrays."""
    first, second = slots
    given = [{first: draw(2, 3), second: draw(2, 3, seed=2)}]
    given += [{first: whole(2, 3, dtype=t), second: whole(2, 3, seed=2, dtype=t)} for t in ("int32", "int64")]
    bad = {first: draw(2, 3), second: draw(2, 3, dtype="float64")}
    return Row(type, [*(one(**each) for each in given), *samples], [Bad(bad, {}, "DtypeError", f"Input({second})")])


def bits(type):
    kinds = ("int16", "int32", "int64")
    samples = [one(X=whole(2, 3, dtype=t), Y=whole(2, 3, seed=2, dtype=t)) for t in kinds]
    samples += [one(X=draw(2, 3, dtype="bool"), Y=draw(2, 3, dtype="bool", seed=2)), one(X=whole(2, 3), Y=whole(3))]
    return Row(type, samples, [Bad({"X": draw(2), "Y": draw(2)}, {}, "DtypeError", "bool or integer")])


def floored(type, compute):
    inputs = [
        {"X": np.array([-7, 7, -7, 7, 0], t), "Y": np.array([2, 2, -2, -2, 3], t)}
        for t in ("int64", "int32", "float32")
    ]
    samples = [Sample(each, grads=()) for each in inputs]
    samples += [Sample({"X": whole(2, 3), "Y": np.array([-4, 3])}, {"axis": 0})]
    bad = [
        Bad({"X": whole(3), "Y": np.array([1, 0, 2])}, {}, "ArgumentValueError", "0 among"),
        Bad({"X": draw(2, dtype="bool"), "Y": draw(2, dtype="bool")}, {}, "DtypeError", "float or integer"),
    ]

    def own(X, Y, *, axis=-1):
        return compute(X, Y if axis == -1 else Y[:, None])

    return Row(type, samples, bad, own=own)


WIDER = one(X=draw(2, 1, 3), Y=draw(4, 1, seed=2))

ROWS = [
    Row("asinh", [one(X=away(draw(2, 3, low=-2, high=2), 0))], double=True),
    Row("acosh", [one(X=draw(2, 3, low=1.2, high=3))], double=True),
    Row("atanh", [one(X=draw(2, 3, low=-0.9, high=0.9))], double=True),
    Row(
        "softplus_to_threshold",
        [
            Sample({"X": draw(2, 3)}),
            Sample({"X": away(draw(2, 3, low=-3, high=3), 1.5)}, {"beta": 2.0, "threshold": 3.0}),
        ],
        double=True,
        own=lambda X, beta=1.0, threshold=20.0: np.where(beta * X > threshold, X, np.log(1 + np.exp(beta * X)) / beta),
    ),
    Row(
        "trunc",
        [one(X=draw(2, 3, low=-3, high=3)), one(X=whole(2, 3)), one(X=whole(2, 3, dtype="int32"))],
        [Bad({"X": draw(2, dtype="bool")}, {}, "DtypeError", "float or integer")],
    ),
    Row(
        "logit",
        [
            one(X=draw(2, 3, low=0.1, high=0.9)),
            one({"eps": 0.3}, X=away(draw(2, 3, low=0.1, high=0.9), 0.3, 0.7)),
        ],
        [Bad({"X": whole(2)}, {}, "DtypeError", "float dtype")],
    ),
    two("atan2", slots=("X1", "X2")),
    two("elementwise_fmax", one(X=NAN, Y=draw(2, 3), grads=()), WIDER),
    two("elementwise_fmin", one(X=NAN, Y=draw(2, 3), grads=()), WIDER),
    two("elementwise_heaviside", one(X=NAN, Y=draw(2, 3), grads=("Y",)), WIDER),
    bits("bitwise_and"),
    bits("bitwise_or"),
    bits("bitwise_xor"),
    Row(
        "bitwise_not",
        [*(one(X=whole(2, 3, dtype=t)) for t in ("int16", "int32", "int64")), one(X=draw(2, 3, dtype="bool"))],
        [Bad({"X": draw(2)}, {}, "DtypeError", "bool or integer")],
    ),
    floored("floor_divide", lambda x, y: x // y),
    floored("floor_remainder", lambda x, y: x % y),
    Row(
        "equal_all",
        [
            *(one(X=whole(2, 3, dtype=t), Y=whole(2, 3, dtype=t)) for t in ("int32", "int64")),
            one(X=draw(2, 3), Y=draw(3, 2)),
            one(X=draw(2, 3), Y=draw(2, 3, seed=2)),
            one(X=draw(2, dtype="bool"), Y=draw(2, dtype="bool")),
        ],
        [Bad({"X": draw(2), "Y": whole(2)}, {}, "DtypeError", "Input(Y)")],
    ),
    Row(
        "isclose",
        [
            one(Input=draw(2, 3), Other=draw(2, 3) * np.float32([1, 1.001, 1.0000001])),
            one({"rtol": "1e-2", "atol": "0.1"}, Input=draw(2, 3), Other=draw(2, 3) + np.float32([0, 0.09, 0.2])),
            one({"equal_nan": True}, Input=NAN, Other=NAN),
            one(Input=NAN, Other=NAN),
        ],
        [
            Bad({"Input": draw(2), "Other": draw(3)}, {}, "ShapeError", "Input(Other)"),
            Bad({"Input": draw(2), "Other": draw(2)}, {"rtol": "little"}, "ArgumentValueError", "'rtol'"),
        ],
    ),
    Row(
        "lerp",
        [
            one(X=draw(2, 3), Y=draw(2, 3, seed=2), Weight=draw(1, low=0, high=1), grads=("X", "Y")),
            one(X=draw(2, 1), Y=draw(3, seed=2), Weight=draw(4, 1, 1, low=0, high=1), grads=("X", "Y")),
        ],
        [Bad({"X": draw(2), "Y": draw(2), "Weight": draw(2, dtype="float64")}, {}, "DtypeError", "Input(Weight)")],
    ),
]
