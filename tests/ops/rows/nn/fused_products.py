"""Chains of matrix products as one operator."""

from tests.ops.row import Bad, Row, Sample, draw

X, Y = draw(2, 3), draw(3, 4, seed=1)
WEIGHTS = [draw(3, 4, seed=2), draw(4, 2, seed=3), draw(2, 3, seed=4)]
BIASES = [draw(4, seed=5), draw(1, 2, seed=6), draw(3, seed=7)]


def layers(count, **changes):
    return dict({"X": X, "W": WEIGHTS[:count], "Bias": BIASES[:count]}, **changes)


ROWS = [
    Row(
        "fusion_squared_mat_sub",
        [
            Sample({"X": X, "Y": Y}, grads=()),
            Sample({"X": X, "Y": Y}, {"scalar": 0.5}, grads=(), lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad({"X": X, "Y": draw(4, 3)}, {}, "ShapeError", "Input(Y)"),
            Bad({"X": draw(2, 3, 1), "Y": Y}, {}, "ShapeError", "Input(X)"),
            Bad({"X": X, "Y": Y.astype("float64")}, {}, "DtypeError", "Input(Y)"),
        ],
    ),
    Row(
        "fusion_repeated_fc_relu",
        [
            Sample(layers(3), counts={"ReluOut": 2}, grads=()),
            Sample(layers(2), counts={"ReluOut": 1}, grads=(), lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad(layers(1), {}, "ArgumentValueError", "Input(W)"),
            Bad(layers(3, Bias=BIASES[:2]), {}, "ArgumentValueError", "2 biases"),
            Bad(layers(2, W=WEIGHTS[1:]), {}, "ShapeError", "W[0]"),
            Bad(layers(2, Bias=BIASES[1:]), {}, "ShapeError", "Bias[0]"),
        ],
    ),
]
