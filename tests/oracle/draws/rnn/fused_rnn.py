"""Random calls of recurrent networks with the projection of their input."""

import numpy as np

from tests.ops.row import Sample

REAL = ("float32", "float64")
TOLERANCE = (5e-5, 5e-6)


def sequences(d):
    return [0] + np.cumsum(d.sizes(d.int(1, 4), 1, 4)).tolist()


def fusion_gru(d):
    starts, m, size, dtype = sequences(d), d.int(1, 4), d.int(1, 4), d.one(*REAL)
    inputs = {
        "X": d.floats((starts[-1], m), -1, 1, dtype), "WeightX": d.floats((m, 3 * size), -1, 1, dtype),
        "WeightH": d.floats((size, 3 * size), -1, 1, dtype),
    }  # fmt: skip
    if d.int(0, 1):
        inputs["Bias"] = d.floats((1, 3 * size), -1, 1, dtype)
    if d.int(0, 1):
        inputs["H0"] = d.floats((len(starts) - 1, size), -1, 1, dtype)
    attrs = {"is_reverse": d.one(True, False), "use_seq": d.one(True, False), "origin_mode": d.one(True, False)}
    return Sample(inputs, attrs, outputs=("Hidden",), lods={"X": [starts]}, grads=())


def states(d, inputs, count, size, dtype):
    if d.int(0, 1):
        inputs.update((name, d.floats((count, size), -1, 1, dtype)) for name in ("H0", "C0"))
    return inputs


def lstm_attrs(d):
    attrs = {name: d.one(True, False) for name in ("is_reverse", "use_seq", "use_peepholes")}
    return dict(attrs, cell_activation=d.one("tanh", "relu"), candidate_activation=d.one("tanh", "relu", "sigmoid"))


def fusion_lstm(d):
    starts, m, size, dtype, attrs = sequences(d), d.int(1, 4), d.int(1, 4), d.one(*REAL), lstm_attrs(d)
    inputs = {
        "X": d.floats((starts[-1], m), -1, 1, dtype), "WeightX": d.floats((m, 4 * size), -1, 1, dtype),
        "WeightH": d.floats((size, 4 * size), -1, 1, dtype),
        "Bias": d.floats((1, (7 if attrs["use_peepholes"] else 4) * size), -1, 1, dtype),
    }  # fmt: skip
    inputs = states(d, inputs, len(starts) - 1, size, dtype)
    return Sample(inputs, attrs, outputs=("Hidden", "Cell"), lods={"X": [starts]}, grads=())


def fused_embedding_fc_lstm(d):
    starts, size, dtype, attrs = sequences(d), d.int(1, 4), d.one(*REAL), lstm_attrs(d)
    inputs = {
        "Ids": d.indices((starts[-1], 1), 5, "int64"), "Embeddings": d.floats((5, 4 * size), -1, 1, dtype),
        "WeightH": d.floats((size, 4 * size), -1, 1, dtype),
        "Bias": d.floats((1, (7 if attrs["use_peepholes"] else 4) * size), -1, 1, dtype),
    }  # fmt: skip
    inputs = states(d, inputs, len(starts) - 1, size, dtype)
    return Sample(inputs, attrs, outputs=("Hidden", "Cell"), lods={"Ids": [starts]}, grads=())


CALLS = {
    "fusion_gru": fusion_gru,
    "fusion_lstm": fusion_lstm,
    "fused_embedding_fc_lstm": fused_embedding_fc_lstm,
}
