"""Numbers rounded to a few bits."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X = draw(2, 3, 2, low=-2, high=2)
STEPS = np.array([[127, 0.5, 1.5, -2.5, -0.25]], "float32")
TIES = ((np.arange(-9.0, 10.0) + 0.5).reshape(1, 19) * [[3 / 127], [9 / 127]]).astype("float32")
LOD = {"X": [[0, 1, 2]]}
WIDE = "Paddle has no kernel of this dtype"


def one(value, dtype="float32"):
    return np.array([value], dtype)


def moving(x=X, dtype="float32", **attrs):
    inputs = {"X": x.astype(dtype), "InScale": one(1.5, dtype), "InAccum": one(3, dtype), "InState": one(2, dtype)}
    return Sample(inputs, attrs, outputs=("Out", "OutScale", "OutState", "OutAccum"))


def tested(scale, x=X, **attrs):
    return Sample({"X": x, "InScale": one(scale)}, dict(attrs, is_test=True), outputs=("Out",))


def both(x=X):
    return [
        Sample({"X": x}),
        Sample({"X": x}, {"bit_length": 4}),
        Sample({"X": x}, {"bit_length": 16}),
        Sample({"X": STEPS}),
        Sample({"X": np.append(TIES, [[3], [9]], axis=1).astype("float32")}, note="halves"),
        Sample({"X": x * 0}),
        Sample({"X": x}, {"bit_length": 5}, lods=LOD),
    ]


BITS = [
    Bad({"X": X}, {"bit_length": 0}, "ArgumentValueError", "1 to 16"),
    Bad({"X": X}, {"bit_length": 17}, "ArgumentValueError", "1 to 16"),
    Bad({"X": X.astype("int64")}, {}, "DtypeError", "int64"),
]
AVERAGES = [
    moving(),
    moving(bit_length=4, moving_rate=0.5),
    moving(STEPS),
    tested(1.5),
    tested(0.0),
    tested(0.7, bit_length=3),
    tested(3.0, TIES),
]
AVERAGES_ERRORS = [
    Bad({"X": X, "InScale": one(1.5)}, {}, "ArgumentTypeError", "InAccum"),
    Bad({"X": X, "InScale": X}, {"is_test": True}, "ShapeError", "Input(InScale)"),
    Bad({"X": X, "InScale": one(1, "float64")}, {"is_test": True}, "DtypeError", "Input(InScale)"),
    Bad({"X": X, "InScale": one(1)}, {"is_test": True, "bit_length": 0}, "ArgumentValueError", "1 to 16"),
]
WHOLE = (X * 50).round()
TWO = [draw(3, low=0.5, high=2, seed=1), one(0.5)]

ROWS = [
    Row("fake_quantize_abs_max", both(), BITS),
    Row("fake_channel_wise_quantize_abs_max", both(), BITS),
    Row(
        "fake_dequantize_max_abs",
        [
            Sample({"X": WHOLE, "Scale": one(1.5)}, {"max_range": 127.0}),
            Sample({"X": WHOLE, "Scale": one(1.5)}, {"max_range": 7.0}, lods=LOD),
            Sample({"X": WHOLE, "Scale": np.array(1.5, "float32")}, {"max_range": 127.0}),
            Sample({"X": WHOLE, "Scale": np.array([[1.5], [2]], "float32")}, {"max_range": 127.0}),
        ],
        [Bad({"X": WHOLE, "Scale": one(1, "float64")}, {"max_range": 127.0}, "DtypeError", "Input(Scale)")],
    ),
    Row(
        "fake_channel_wise_dequantize_max_abs",
        [
            Sample({"X": WHOLE, "Scales": [np.array([1.5, 2], "float32")]}),
            Sample({"X": WHOLE, "Scales": [np.array([1.5, 2], "float32")]}, {"quant_bits": [4]}),
            Sample({"X": WHOLE, "Scales": TWO}, {"quant_bits": [8, 8]}),
            Sample({"X": WHOLE, "Scales": TWO}, {"quant_bits": [8, 5]}),
        ],
        [
            Bad({"X": WHOLE, "Scales": TWO}, {}, "ArgumentValueError", "one or two"),
            Bad({"X": WHOLE, "Scales": TWO[:1]}, {}, "ShapeError", "Scales[0]"),
            Bad({"X": WHOLE, "Scales": TWO}, {"quant_bits": [8, 0]}, "ArgumentValueError", "quant_bits"),
        ],
    ),
    Row("fake_quantize_moving_average_abs_max", AVERAGES, AVERAGES_ERRORS),
    Row("fake_quantize_dequantize_moving_average_abs_max", AVERAGES, AVERAGES_ERRORS),
]
