"""Scales for quantisation that follow the data."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X = draw(2, 3, 2, low=-2, high=2)


def one(value, dtype="float32"):
    return np.array([value], dtype)


def windowed(scale=0.5, step=0, x=X, size=4, **attrs):
    inputs = {"X": x, "InScale": one(scale, x.dtype), "Iter": one(step, "int64")}
    return Sample(inputs, dict(attrs, window_size=size), outputs=("Out", "OutScale", "OutScales"))


def averaged(x=X, **attrs):
    inputs = {"X": x, "InAccum": one(3, x.dtype), "InState": one(2, x.dtype)}
    return Sample(inputs, attrs, outputs=("Out", "OutScale", "OutState", "OutAccum"), grads=())


TESTED = {"X": X, "InScale": one(1.5)}
STEP = dict(TESTED, Iter=one(0, "int64"))

ROWS = [
    Row(
        "fake_quantize_range_abs_max",
        [
            windowed(),
            windowed(3.0),
            windowed(step=6, bit_length=4),
            windowed(3.0, step=6),
            windowed(0.0, x=X * 0, step=3),
            Sample(TESTED, {"is_test": True}, outputs=("Out",)),
            Sample(TESTED, {"is_test": True, "bit_length": 3}, outputs=("Out",), lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad(TESTED, {}, "ArgumentTypeError", "Input(Iter)"),
            Bad(STEP, {"window_size": 0}, "ArgumentValueError", "window_size"),
            Bad(STEP, {"bit_length": 0}, "ArgumentValueError", "1 to 16"),
            Bad(dict(STEP, Iter=one(0, "int32")), {}, "DtypeError", "Input(Iter)"),
            Bad(dict(STEP, InScale=X), {}, "ShapeError", "Input(InScale)"),
        ],
    ),
    Row(
        "moving_average_abs_max_scale",
        [
            averaged(),
            averaged(moving_rate=0.5),
            Sample({"X": X}, {"is_test": True}, outputs=("Out",), lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad({"X": X}, {}, "ArgumentTypeError", "InAccum"),
            Bad({"X": X, "InState": X}, {"is_test": True}, "ShapeError", "Input(InState)"),
            Bad({"X": X.astype("int64")}, {"is_test": True}, "DtypeError", "int64"),
        ],
    ),
]
