"""Random calls of an LSTM with attention to its input."""

import numpy as np

from tests.ops.row import Sample

TOLERANCE = (5e-5, 5e-6)


def attention_lstm(d):
    """Not with the activation identity: real Paddle writes nothing then."""
    starts = [0] + np.cumsum(d.sizes(d.int(1, 4), 1, 4)).tolist()
    m, size, count, dtype = d.int(1, 4), d.int(1, 4), len(starts) - 1, d.one("float32", "float64")
    shapes = {
        "X": (starts[-1], m), "C0": (count, size), "AttentionWeight": (m + size, 1), "LSTMWeight": (m + size, 4 * size),
        "LSTMBias": (1, 4 * size),
    }  # fmt: skip
    more = {"H0": (count, size), "AttentionBias": (1, 1), "AttentionScalar": (1, 1)}
    shapes.update((slot, shape) for slot, shape in more.items() if d.int(0, 1))
    if "AttentionScalar" in shapes and d.int(0, 1):
        shapes["AttentionScalarBias"] = (1, 1)
    inputs = {slot: d.floats(shape, -1, 1, dtype) for slot, shape in shapes.items()}
    attrs = {"cell_activation": d.one("tanh", "relu"), "candidate_activation": d.one("tanh", "sigmoid")}
    return Sample(inputs, attrs, outputs=("Hidden", "Cell"), lods={"X": [starts]}, grads=())


CALLS = {"attention_lstm": attention_lstm}
