"""Batch normalisation with an activation whose gradient is computed from what comes out."""

from tests.ops.row import Bad, Row, Sample, draw

IN_PLACE = "Paddle's gradient works in place, and a Program for it cannot be made with fluid.gradients"
LEAKY, ELU = {"activation": "leaky_relu", "alpha": 0.2}, {"activation": "elu", "alpha": 0.7}


def given(*shape, dtype="float32", channels=None):
    c = channels or shape[1]
    return {
        "X": draw(*shape, dtype=dtype),
        "Scale": draw(c, low=0.5, high=2, dtype=dtype),
        "Bias": draw(c, dtype=dtype, seed=5),
        "Mean": draw(c, dtype=dtype, seed=6),
        "Variance": draw(c, low=0.5, high=2, dtype=dtype, seed=7),
    }


OUTPUTS = ("Y", "MeanOut", "VarianceOut", "SavedMean", "SavedVariance")


def both(shape=(2, 3, 2, 2), dtype="float32", channels=None, **attrs):
    """The outputs are Paddle's; then the gradient is the derivative."""
    outputs = OUTPUTS[:3] if attrs.get("use_global_stats") or attrs.get("is_test") else OUTPUTS
    other = (shape[0] + 1, *shape[1:])
    return [
        Sample(given(*shape, dtype=dtype, channels=channels), attrs, outputs=outputs, grads=()),
        Sample(given(*other, dtype=dtype, channels=channels), attrs, outputs=outputs, excluded=IN_PLACE),
    ]


ROWS = [
    Row(
        "inplace_abn",
        [
            *both(),
            *both(activation="identity"),
            *both(**LEAKY),
            *both(activation="leaky_relu", alpha=1.5),
            *both(**ELU),
            *both(dtype="float64", momentum=0.5, epsilon=1e-3, **ELU),
            *both(use_global_stats=True, **LEAKY),
            *both(is_test=True, **ELU),
            *both((3, 2, 2, 4), channels=4, data_layout="NHWC", **LEAKY),
            Sample(given(1, 3), LEAKY, outputs=OUTPUTS, grads=()),
            Sample(given(1, 4), ELU, outputs=OUTPUTS, excluded=IN_PLACE),
        ],
        [
            Bad(given(2, 3, 2, 2), {"activation": "relu"}, "ArgumentValueError", "activation"),
            Bad(given(2, 3, 2, 2), {"activation": "elu", "alpha": 0.0}, "ArgumentValueError", "alpha"),
            Bad(given(2, 3, 2, 2), {"epsilon": 0.1}, "ArgumentValueError", "epsilon"),
            Bad(given(2, 3, 2, 2, channels=4), {}, "ShapeError", "Input(Scale)"),
        ],
        tolerance=(1e-5, 3e-6),
    )
]
