"""Convolutions over volumes."""

from tests.ops.row import Bad, Row, Sample, draw

VOLUME = (2, 4, 3, 4, 3)
LAST = (2, 3, 4, 3, 4)
FILTERS = (4, 2, 2, 3, 2)


def conv(volume=VOLUME, filters=FILTERS, dtype="float32", groups=2, lods=None, note="", excluded="", **attrs):
    inputs = {"Input": draw(*volume, dtype=dtype, seed=1), "Filter": draw(*filters, dtype=dtype, seed=2)}
    return Sample(inputs, dict(attrs, groups=groups), lods=lods, note=note, excluded=excluded)


def with_residual():
    inputs = {"Input": draw(*VOLUME, seed=1), "Filter": draw(*FILTERS, seed=2)}
    inputs["ResidualData"] = draw(2, 4, 2, 2, 2, seed=3)
    why = "Paddle's plain kernels pass over ResidualData"
    return Sample(inputs, {"groups": 2}, grads=("Input", "Filter"), excluded=why)


def errors():
    x, w = draw(*VOLUME), draw(*FILTERS)
    both = {"Input": x, "Filter": w}
    good = {"groups": 2}
    return [
        Bad({"Input": x[0], "Filter": w}, good, "ShapeError", "Input(Input)"),
        Bad({"Input": x, "Filter": w[0]}, good, "ShapeError", "Input(Filter)"),
        Bad({"Input": x[:0], "Filter": w}, good, "ShapeError", "none of them 0"),
        Bad({"Input": x[:, :3], "Filter": w}, good, "ShapeError", "3 channels"),
        Bad(both, {"groups": 3}, "ShapeError", "groups"),
        Bad(both, {"groups": 0}, "ShapeError", "groups"),
        Bad({"Input": x, "Filter": w.astype("float64")}, good, "DtypeError", "float64"),
        Bad(both, {"strides": [0, 1, 1], **good}, "ArgumentValueError", "strides"),
        Bad(both, {"dilations": [1, 1], **good}, "ArgumentValueError", "dilations"),
        Bad(both, {"paddings": [1, 1, 1, 1], **good}, "ArgumentValueError", "paddings"),
        Bad(both, {"padding_algorithm": "HALF", **good}, "ArgumentValueError", "padding_algorithm"),
        Bad(both, {"data_format": "NCHW", **good}, "ArgumentValueError", "data_format"),
        Bad(both, {"dilations": [3, 1, 1], **good}, "ShapeError", "window"),
    ]


ROWS = [
    Row(
        "conv3d",
        [
            conv(),
            conv(filters=(3, 4, 2, 3, 2), groups=1),
            conv(filters=(3, 4, 1, 1, 1), groups=1),
            conv(filters=(4, 1, 2, 2, 2), groups=4, note="one channel a group"),
            conv(filters=(4, 1, 1, 2, 2), groups=4, note="one channel a group, one tap deep"),
            conv(strides=[2, 1, 3]),
            conv(strides=[1, 2, 2], paddings=[1, 0, 1]),
            conv(paddings=[1, 0, 0, 2, 1, 1]),
            conv(dilations=[2, 1, 2]),
            conv(dilations=[1, 2, 3], paddings=[1, 2, 1]),
            conv(padding_algorithm="SAME"),
            conv(padding_algorithm="SAME", strides=[2, 3, 1], dilations=[2, 2, 2]),
            conv(padding_algorithm="VALID", paddings=[1, 1, 1]),
            conv(LAST, data_format="NDHWC"),
            conv(LAST, data_format="NDHWC", strides=[2, 1, 1], paddings=[1, 0, 1, 1, 0, 1]),
            conv(data_format="AnyLayout"),
            conv(dtype="float64", strides=[2, 1, 1]),
            conv(lods={"Input": [[0, 1, 2]]}),
            conv((1, 2, 2, 2, 2), (2, 2, 2, 2, 2), "float16", 1, excluded="Paddle has no such kernel on the CPU"),
            with_residual(),
        ],
        errors(),
        tolerance=(2e-5, 2e-6),
        double=True,
    ),
]
