"""Normalisation of each image on its own."""

from tests.ops.row import Bad, Row, Sample, draw

IMAGE = (2, 6, 2, 3)
LAST = (2, 2, 3, 6)
RANK = "Paddle takes the size of the image from the third and fourth dimension, whatever the rank"
UNSCALED = "Paddle's gradient is not the derivative where there is no Scale"


def inputs(shape, dtype="float32", channels=6, scale=True, bias=True):
    given = {"X": draw(*shape, dtype=dtype, seed=1)}
    if scale:
        given["Scale"] = draw(channels, low=0.5, high=1.5, dtype=dtype, seed=2)
    if bias:
        given["Bias"] = draw(channels, dtype=dtype, seed=3)
    return given


def group(groups=3, shape=IMAGE, dtype="float32", scale=True, bias=True, excluded="", lods=None, grads=None, **attrs):
    given = inputs(shape, dtype, 6, scale, bias)
    return Sample(given, dict(attrs, groups=groups), excluded=excluded, lods=lods, grads=grads)


ROWS = [
    Row(
        "instance_norm",
        [
            Sample(inputs(IMAGE)),
            Sample(inputs(IMAGE), {"epsilon": 1e-3}),
            Sample(inputs((2, 6, 4))),
            Sample(inputs((2, 6, 2, 3, 2))),
            Sample(inputs((1, 1, 3, 3), channels=1)),
            Sample(inputs(IMAGE, "float64")),
            Sample(inputs(IMAGE), lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad(inputs((6,)), {}, "ShapeError", "2 to 5 dimensions"),
            Bad(inputs((2, 6, 0)), {}, "ShapeError", "at least one element"),
            Bad(inputs(IMAGE), {"epsilon": 0.1}, "ArgumentValueError", "epsilon"),
            Bad(inputs(IMAGE, channels=5), {}, "ShapeError", "Input(Scale)"),
            Bad(dict(inputs(IMAGE), Bias=draw(6, dtype="float64")), {}, "DtypeError", "Input(Bias)"),
            Bad(dict(inputs(IMAGE), X=draw(*IMAGE, high=3, dtype="int64")), {}, "DtypeError", "Input(X)"),
        ],
        tolerance=(1e-4, 1e-5),
    ),
    Row(
        "group_norm",
        [
            group(),
            group(1),
            group(6),
            group(2, epsilon=0.1),
            group(scale=False, grads=()),
            group(bias=False),
            group(scale=False, bias=False, grads=()),
            group(shape=(2, 6, 4), excluded=RANK),
            group(shape=(2, 6, 2, 2, 2), excluded=RANK),
            group(1, (4, 6), excluded=RANK),
            group(shape=LAST, data_layout="NHWC"),
            group(2, LAST, data_layout="NHWC", bias=False),
            group(2, scale=False, excluded=UNSCALED),
            group(2, scale=False, bias=False, excluded=UNSCALED),
            group(dtype="float64"),
            group(lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad(inputs((6,)), {"groups": 2}, "ShapeError", "2 to 5 dimensions"),
            Bad(inputs(IMAGE), {"groups": 0}, "ArgumentValueError", "groups"),
            Bad(inputs(IMAGE), {"groups": 4}, "ArgumentValueError", "a divisor of the 6 channels"),
            Bad(inputs(IMAGE), {"groups": 2, "epsilon": -1.0}, "ArgumentValueError", "epsilon"),
            Bad(inputs(IMAGE), {"groups": 2, "data_layout": "CHWN"}, "ArgumentValueError", "data_layout"),
            Bad(inputs(IMAGE, channels=5), {"groups": 2}, "ShapeError", "Input(Scale)"),
            Bad(dict(inputs(IMAGE), Bias=draw(6, dtype="float64")), {"groups": 2}, "DtypeError", "Input(Bias)"),
        ],
        tolerance=(1e-4, 1e-5),
    ),
]
