"""Layers of long short-term memory over sequences of one length; tests/ops/test_cudnn_lstm.py has PyTorch's numbers."""

from tests.ops.row import Bad, Row, Sample, draw

NO_CPU = "real Paddle has this operator on a GPU only"


def lstm(steps=4, n=3, features=5, size=2, layers=1, both=False, dtype="float32", **attrs):
    ways = 2 if both else 1
    widths = [features, *[size * ways] * (layers - 1)]
    count = sum(4 * size * (width + size + 2) * ways for width in widths)
    inputs = {
        "Input": draw(steps, n, features, dtype=dtype),
        "InitH": draw(layers * ways, n, size, dtype=dtype),
        "InitC": draw(layers * ways, n, size, dtype=dtype, seed=1),
        "W": draw(count, dtype=dtype),
    }
    given = {"input_size": features, "hidden_size": size, "num_layers": layers, "is_bidirec": both, **attrs}
    return Sample(inputs, given, excluded=NO_CPU)


def changed(sample, error, match, **inputs):
    return Bad({**sample.inputs, **inputs}, sample.attrs, error, match)


ROWS = [
    Row(
        "cudnn_lstm",
        [
            lstm(),
            lstm(layers=3),
            lstm(both=True, size=3),
            lstm(layers=2, both=True),
            lstm(steps=1, n=1, features=1, size=1, dtype="float64"),
            lstm(layers=2, dropout_prob=0.5, seed=3),
            lstm(layers=3, both=True, dropout_prob=0.25, seed=7),
            lstm(layers=2, dropout_prob=0.5, is_test=True, max_len=4),
            lstm(layers=2, dropout_prob=1.0, seed=3),
            lstm(steps=9, n=4, features=15, size=5),
            lstm(steps=6, n=7, features=13, size=5, layers=2, both=True, dropout_prob=0.5, seed=3),
        ],
        [
            changed(lstm(), "ShapeError", "[-1, -1, 5]", Input=draw(4, 3, 6)),
            changed(lstm(), "ShapeError", "[1, 3, 2]", InitH=draw(1, 4, 2)),
            changed(lstm(layers=2), "ShapeError", "[2, 3, 2]", InitC=draw(1, 3, 2)),
            changed(lstm(), "ShapeError", "[72]", W=draw(71)),
            changed(lstm(), "DtypeError", "float64", InitC=draw(1, 3, 2, dtype="float64")),
            changed(lstm(dropout_prob=1.5), "ArgumentValueError", "dropout_prob"),
            changed(lstm(num_layers=0), "ArgumentValueError", "num_layers"),
        ],
    )
]
