"""Long short-term memory with attention to its input."""

from tests.ops.row import Bad, Row, Sample, draw

M, D = 3, 2
LODS = {"X": [[0, 2, 5]]}


def attended(*optional, **attrs):
    inputs = {
        "X": draw(5, M), "C0": draw(2, D), "AttentionWeight": draw(M + D, 1), "LSTMWeight": draw(D + M, 4 * D),
        "LSTMBias": draw(1, 4 * D),
    }  # fmt: skip
    every = {
        "H0": draw(2, D, seed=1), "AttentionBias": draw(1, 1, low=0.5), "AttentionScalar": draw(1, 1, low=0.3, seed=1),
        "AttentionScalarBias": draw(1, 1, low=-0.2, high=0.2, seed=2),
    }  # fmt: skip
    inputs.update((slot, every[slot]) for slot in optional)
    return Sample(inputs, attrs, outputs=("Hidden", "Cell"), lods=LODS, grads=())


GOOD = attended().inputs

ROWS = [
    Row(
        "attention_lstm",
        [
            attended(),
            attended("H0", "AttentionBias"),
            attended("AttentionScalar"),
            attended("H0", "AttentionBias", "AttentionScalar", "AttentionScalarBias"),
            attended("AttentionBias", cell_activation="relu", candidate_activation="identity"),
        ],
        [
            Bad(GOOD, {}, "LoDError", "no LoD"),
            Bad(dict(GOOD, C0=draw(3, D)), {}, "LoDError", "Input(X)", lods=LODS),
            Bad(dict(GOOD, LSTMWeight=draw(D + M, 4)), {}, "ShapeError", "Input(LSTMWeight)"),
            Bad(dict(GOOD, AttentionWeight=draw(M, 1)), {}, "ShapeError", "Input(AttentionWeight)"),
            Bad(dict(GOOD, AttentionScalarBias=draw(1, 1)), {}, "ArgumentTypeError", "AttentionScalar"),
            Bad(GOOD, {"gate_activation": "softmax"}, "ArgumentValueError", "gate_activation"),
            Bad(dict(GOOD, LSTMBias=draw(1, 8, dtype="float64")), {}, "DtypeError", "Input(LSTMBias)"),
        ],
    )
]
