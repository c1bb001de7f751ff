"""The recurrent layers of Paddle 2; tests/interop compares them with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def layers(mode, steps=3, n=2, width=4, size=2, count=1, both=False, lengths=None, dtype="float32", **attrs):
    ways = 2 if both else 1
    gates, widths = GATES[mode] * size, [width, *[size * ways] * (count - 1)]
    matrices = [
        draw(gates, m, dtype=dtype, seed=7 * k + j)
        for k in range(count * ways)
        for j, m in enumerate((widths[k // ways], size))
    ]
    biases = [draw(gates, dtype=dtype, seed=50 + k) for k in range(2 * count * ways)]
    inputs = {
        "Input": draw(steps, n, width, dtype=dtype),
        "PreState": [draw(count * ways, n, size, dtype=dtype, seed=90 + k) for k in range(2 if mode == "LSTM" else 1)],
        "WeightList": [*matrices, *biases],
    }
    if lengths is not None:
        inputs["SequenceLength"] = np.array(lengths, attrs.pop("of", "int32"))
    given = {
        "input_size": width,
        "hidden_size": size,
        "num_layers": count,
        "is_bidirec": both,
        "mode": mode,
        "is_test": True,
    }
    return Sample(inputs, {**given, **attrs}, ["Out", "State"], excluded=WHY, counts={"State": len(inputs["PreState"])})


def changed(sample, error, match, attrs=None, **inputs):
    return Bad({**sample.inputs, **inputs}, {**sample.attrs, **(attrs or {})}, error, match)


ONE = layers("GRU")

ROWS = [
    Row(
        "rnn",
        [
            *[layers(mode) for mode in GATES],
            *[layers(mode, count=2, both=True, lengths=[3, 1], is_test=False) for mode in GATES],
            layers("LSTM", both=True, dtype="float64", lengths=[2, 3], of="int64"),
            layers("GRU", count=2, dropout_prob=0.5),
            layers("LSTM", count=2, both=True, dropout_prob=0.5, is_test=False, seed=7),
            layers("GRU", count=3, lengths=[3, 1], dropout_prob=0.25, is_test=False, seed=3),
        ],
        [
            changed(ONE, "ArgumentValueError", "attribute 'mode' got 'MLP'", {"mode": "MLP"}),
            changed(ONE, "ArgumentValueError", "'dropout_prob' got 1.5, needs 0 to 1", {"dropout_prob": 1.5}),
            changed(ONE, "ArgumentValueError", "'num_layers' got 0", {"num_layers": 0}),
            changed(ONE, "ShapeError", "1 of them, needs 2 for LSTM", {"mode": "LSTM"}),
            changed(ONE, "ShapeError", "WeightList[0]", {"mode": "RNN_TANH"}),
            changed(ONE, "ShapeError", "4 of them, needs 8", {"num_layers": 2}, PreState=[draw(2, 2, 2)]),
            changed(ONE, "ShapeError", "SequenceLength", SequenceLength=np.ones(3, "int32")),
            changed(ONE, "DtypeError", "SequenceLength", SequenceLength=np.ones(2, "float32")),
            changed(ONE, "DtypeError", "PreState", PreState=[draw(1, 2, 2, dtype="float64")]),
        ],
    )
]
