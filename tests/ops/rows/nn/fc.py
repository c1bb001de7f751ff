"""The fully connected operator of optimized models."""

from tests.ops.row import Bad, Row, Sample, draw


def connected(x, *w, bias=None, lods=None, **attrs):
    inputs = {"Input": draw(*x), "W": draw(*w)}
    if bias is not None:
        inputs["Bias"] = draw(*bias)
    return Sample(inputs, attrs, lods=lods)


GOOD = connected((2, 3, 4), 12, 5, bias=(5,)).inputs

ROWS = [
    Row(
        "fc",
        [
            connected((2, 3, 4), 12, 5),
            connected((2, 3, 4), 12, 5, bias=(5,), activation_type="relu", lods={"Input": [[0, 1, 2]]}),
            connected((2, 3, 4), 4, 5, bias=(1, 5), in_num_col_dims=2),
            connected((3, 4), 8, 9, bias=(5,), padding_weights=True),
            connected((3, 4), 8, 9, bias=(1, 5), padding_weights=True, activation_type="relu"),
        ],
        [
            Bad(GOOD, {"in_num_col_dims": 2}, "ShapeError", "Input(W)"),
            Bad(GOOD, {"in_num_col_dims": 3}, "ShapeError", "in_num_col_dims"),
            Bad(GOOD, {"padding_weights": True}, "ShapeError", "Input(W)"),
            Bad(GOOD, {"activation_type": "tanh"}, "ArgumentValueError", "tanh"),
            Bad(dict(GOOD, Bias=draw(2, 5)), {}, "ShapeError", "Input(Bias)"),
            Bad({"Input": draw(2, 3), "W": draw(3, 4)}, {"activation_type": "relu"}, "ArgumentTypeError", "Bias"),
            Bad(dict(GOOD, W=draw(12, 5, dtype="float64")), {}, "DtypeError", "Input(W)"),
        ],
    )
]
