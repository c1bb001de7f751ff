"""Recurrent networks with the projection of their input."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

LODS = {"X": [[0, 2, 5]]}
D = 2


def network(gates, bias, lods=LODS, outputs=("Hidden",), states=(), **attrs):
    inputs = {"X": draw(5, 3), "WeightX": draw(3, gates * D, seed=1), "WeightH": draw(D, gates * D, seed=2)}
    if bias:
        inputs["Bias"] = draw(1, bias * D, seed=3)
    inputs.update((name, draw(2, D, seed=4 + i)) for i, name in enumerate(states))
    return Sample(inputs, attrs, outputs=outputs, lods=lods, grads=())


IDS = np.array([[1], [0], [3], [2], [1]])


def looked_up(bias=7, states=(), ids=IDS, **attrs):
    inputs = {"Ids": ids, "Embeddings": draw(4, 4 * D), "WeightH": draw(D, 4 * D, seed=2), "Bias": draw(1, bias * D)}
    inputs.update((name, draw(2, D, seed=4 + i)) for i, name in enumerate(states))
    return Sample(inputs, attrs, outputs=("Hidden", "Cell"), lods={"Ids": [[0, 2, 5]]}, grads=())


BOTH, RELU = ("Hidden", "Cell"), {"candidate_activation": "relu", "cell_activation": "identity"}
GRU, LSTM, FOUND = network(3, 3).inputs, network(4, 7).inputs, looked_up().inputs

ROWS = [
    Row(
        "fusion_gru",
        [
            network(3, 3),
            network(3, 0, use_seq=False),
            network(3, 3, states=["H0"], is_reverse=True),
            network(3, 3, states=["H0"], origin_mode=True, use_seq=False),
            network(3, 3, states=["H0"], origin_mode=True),
            network(3, 3, activation="relu", gate_activation="sigmoid"),
            network(3, 3, lods={"X": [[0, 5]]}),
        ],
        [
            Bad(GRU, {}, "LoDError", "no LoD"),
            Bad(dict(GRU, WeightX=draw(3, 5)), {}, "ShapeError", "Input(WeightX)", lods=LODS),
            Bad(dict(GRU, Bias=draw(1, 5)), {}, "ShapeError", "Input(Bias)", lods=LODS),
            Bad(GRU, {"activation": "elu"}, "ArgumentValueError", "activation", lods=LODS),
            Bad(dict(GRU, H0=draw(3, 2)), {}, "ShapeError", "Input(H0)", lods=LODS),
        ],
    ),
    Row(
        "fusion_lstm",
        [
            network(4, 7, outputs=BOTH),
            network(4, 4, outputs=BOTH, use_peepholes=False, use_seq=False),
            network(4, 7, outputs=BOTH, states=["H0", "C0"], is_reverse=True),
            network(4, 4, outputs=BOTH, states=["H0", "C0"], use_peepholes=False),
            network(4, 7, outputs=BOTH, states=["H0", "C0"], use_seq=False, **RELU),
        ],
        [
            Bad(LSTM, {}, "LoDError", "no LoD"),
            Bad(dict(LSTM, WeightX=draw(3, 6)), {}, "ShapeError", "Input(WeightX)", lods=LODS),
            Bad(LSTM, {"use_peepholes": False}, "ShapeError", "Input(Bias)", lods=LODS),
            Bad(dict(LSTM, H0=draw(2, 2)), {}, "ArgumentTypeError", "Input(C0)", lods=LODS),
            Bad(dict(LSTM, H0=draw(3, 2), C0=draw(3, 2)), {}, "ShapeError", "Input(H0)", lods=LODS),
        ],
    ),
    Row(
        "fused_embedding_fc_lstm",
        [
            looked_up(),
            looked_up(4, use_peepholes=False),
            looked_up(states=["H0", "C0"], is_reverse=True),
            looked_up(states=["H0", "C0"], use_seq=False),
        ],
        [
            Bad(FOUND, {}, "LoDError", "no LoD"),
            Bad(dict(FOUND, Ids=IDS + 1), {}, "IndexRangeError", "Input(Ids)", lods={"Ids": [[0, 5]]}),
            Bad(dict(FOUND, Ids=IDS.astype("int32")), {}, "DtypeError", "Input(Ids)"),
            Bad(dict(FOUND, Embeddings=draw(4, 7)), {}, "ShapeError", "Input(Embeddings)"),
        ],
    ),
]
