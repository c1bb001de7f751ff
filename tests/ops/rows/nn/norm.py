"""Normalisation."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

# SavedMean and SavedVariance are left alone by Paddle where it does not use those of the batch
RUNNING = ("Y", "MeanOut", "VarianceOut")


def batch(
    *shape,
    channels=None,
    dtype="float32",
    outputs=None,
    excluded="",
    grads=None,
    lods=None,
    momentum=None,
    note="",
    **attrs,
):
    c = shape[1] if channels is None else channels
    inputs = {
        "X": draw(*shape, low=-2, high=3, dtype=dtype),
        "Scale": draw(c, low=0.5, high=2, dtype=dtype, seed=1),
        "Bias": draw(c, dtype=dtype, seed=2),
        "Mean": draw(c, dtype=dtype, seed=3),
        "Variance": draw(c, low=0.5, high=2, dtype=dtype, seed=4),
    }
    if momentum is not None:
        inputs["MomentumTensor"] = np.array([momentum], dtype)
    return Sample(inputs, attrs, outputs=outputs, excluded=excluded, grads=grads, lods=lods, note=note)


def in_tests(*shape, **attrs):
    """Calls of which Paddle has no gradient: its outputs, then our own gradient."""
    why = "Paddle has no gradient of batch_norm in tests"
    made = {"outputs": RUNNING, "is_test": True}
    return [batch(*shape, dtype="float64", grads=(), **made, **attrs), batch(*shape, excluded=why, **made, **attrs)]


def layer(*shape, scale=True, shift=True, dtype="float32", lods=None, **attrs):
    size = int(np.prod(shape[attrs.get("begin_norm_axis", 1) :]))
    inputs = {"X": draw(*shape, low=-2, high=3, dtype=dtype)}
    if scale:
        inputs["Scale"] = draw(size, low=0.5, high=2, dtype=dtype, seed=1)
    if shift:
        inputs["Bias"] = draw(size, dtype=dtype, seed=2)
    return Sample(inputs, attrs, lods=lods)


def wrong(**changes):
    """The inputs of a batch_norm, some of them changed."""
    return dict(batch(2, 3, 4, 4).inputs, **changes)


ROWS = [
    Row(
        "batch_norm",
        [
            batch(4, 3),
            batch(4, 3, 5),
            batch(2, 3, 4, 5),
            batch(2, 3, 2, 3, 2),
            batch(2, 3, 4, 5, dtype="float64"),
            batch(4, 3, data_layout="NHWC"),
            batch(4, 5, 3, channels=3, data_layout="NHWC"),
            batch(2, 4, 5, 3, channels=3, data_layout="NHWC"),
            batch(2, 2, 3, 2, 3, channels=3, data_layout="NHWC"),
            batch(2, 3, 4, 5, momentum=0.3),
            batch(2, 3, 4, 5, epsilon=1e-3),
            *in_tests(2, 3, 4, 5),
            *in_tests(2, 4, 5, 3, channels=3, data_layout="NHWC"),
            *in_tests(4, 3),
            *in_tests(2, 3, 4, 5, trainable_statistics=True),
            batch(2, 3, 4, 5, outputs=RUNNING, use_global_stats=True),
            batch(2, 4, 5, 3, channels=3, data_layout="NHWC", outputs=RUNNING, use_global_stats=True),
            batch(2, 3, 4, 5, outputs=RUNNING, use_global_stats=True, trainable_statistics=True),
            batch(4, 3, lods={"X": [[0, 1, 4]]}),
            batch(1, 3, 4, 4),
            batch(5, 3, 6, 7),
            batch(5, 6, 7, 3, channels=3, data_layout="NHWC"),
            batch(90, 6),
            batch(20, 30, 1, 1),
            batch(1, 3),
            batch(1, 3, 1, 1, dtype="float64"),
            batch(1, 1, 1, 3, channels=3, data_layout="NHWC"),
            batch(1, 3, outputs=RUNNING, use_global_stats=True),
            batch(5, 3, 6, 7, outputs=RUNNING, use_global_stats=True),
            batch(90, 6, outputs=RUNNING, use_global_stats=True),
            *in_tests(5, 3, 6, 7),
        ],
        [
            Bad(wrong(X=draw(3)), {}, "ShapeError", "2 to 5"),
            Bad(wrong(X=draw(2, 1, 1, 1, 1, 3)), {}, "ShapeError", "2 to 5"),
            Bad(wrong(X=draw(0, 3, 4, 4)), {}, "ShapeError", "at least one"),
            Bad(wrong(Scale=draw(4)), {}, "ShapeError", "Input(Scale)"),
            Bad(wrong(Bias=draw(3, 1)), {}, "ShapeError", "Input(Bias)"),
            Bad(wrong(Mean=draw(4)), {}, "ShapeError", "Input(Mean)"),
            Bad(wrong(Variance=draw(2)), {}, "ShapeError", "Input(Variance)"),
            Bad(wrong(), {"data_layout": "NHWC"}, "ShapeError", "[4]"),
            Bad(wrong(), {"data_layout": "AnyLayout"}, "ArgumentValueError", "data_layout"),
            Bad(wrong(), {"data_layout": "CHWN"}, "ArgumentValueError", "data_layout"),
            Bad(wrong(), {"epsilon": 0.1}, "ArgumentValueError", "epsilon"),
            Bad(wrong(), {"epsilon": -1e-6}, "ArgumentValueError", "epsilon"),
            Bad(wrong(X=draw(2, 3, 4, 4, low=0, high=4, dtype="int64")), {}, "DtypeError", "int64"),
            Bad(wrong(Scale=draw(3, dtype="float64")), {}, "DtypeError", "Input(Scale)"),
        ],
        tolerance=(2e-5, 2e-6),
    ),
    Row(
        "layer_norm",
        [
            layer(3, 4),
            layer(3, 4, dtype="float64"),
            layer(3, 4, scale=False),
            layer(3, 4, shift=False),
            layer(3, 4, scale=False, shift=False),
            layer(2, 3, 4),
            layer(2, 3, 4, begin_norm_axis=2),
            layer(2, 3, 2, 2, begin_norm_axis=3, shift=False),
            layer(2, 3, 2, 2, begin_norm_axis=2, scale=False),
            layer(3, 4, epsilon=1e-3),
            layer(4, 3, lods={"X": [[0, 1, 4]]}),
            layer(1, 5),
            layer(20, 33),
            layer(4, 5, 6, 7, begin_norm_axis=2, shift=False),
            layer(4, 5, 6, 7, begin_norm_axis=3, scale=False),
            layer(2, 300, scale=False, shift=False),
        ],
        [
            Bad({"X": draw(3, 4)}, {"begin_norm_axis": 0}, "ArgumentValueError", "begin_norm_axis"),
            Bad({"X": draw(3, 4)}, {"begin_norm_axis": 2}, "ArgumentValueError", "begin_norm_axis"),
            Bad({"X": draw(3, 4)}, {"epsilon": 0.1}, "ArgumentValueError", "epsilon"),
            Bad({"X": draw(3, 4), "Scale": draw(3)}, {}, "ShapeError", "Input(Scale)"),
            Bad({"X": draw(3, 4), "Bias": draw(1, 4)}, {}, "ShapeError", "Input(Bias)"),
            Bad({"X": draw(3, 4, low=0, high=4, dtype="int64")}, {}, "DtypeError", "int64"),
            Bad({"X": draw(3, 4), "Scale": draw(4, dtype="float64")}, {}, "DtypeError", "Input(Scale)"),
        ],
        tolerance=(2e-5, 2e-6),
    ),
]
