"""One step of recurrent networks."""

import itertools

from tests.ops.row import Bad, Row, Sample, draw


def gru(n=3, size=4, bias=True, dtype="float32", lods=None, **attrs):
    inputs = {
        "Input": draw(n, 3 * size, dtype=dtype),
        "HiddenPrev": draw(n, size, dtype=dtype),
        "Weight": draw(size, 3 * size, dtype=dtype),
        "Bias": draw(1, 3 * size, dtype=dtype) if bias else None,
    }
    return Sample(inputs, attrs, lods=lods)


def lstm(n=3, size=4, dtype="float32", lods=None, **attrs):
    return Sample({"X": draw(n, 4 * size, dtype=dtype), "C_prev": draw(n, size, dtype=dtype)}, attrs, lods=lods)


def changed(sample, error, match, **inputs):
    return Bad({**sample.inputs, **inputs}, sample.attrs, error, match)


GRU = Row(
    "gru_unit",
    [
        gru(),
        gru(bias=False),
        gru(origin_mode=True),
        gru(size=1, origin_mode=True, bias=False, dtype="float64"),
        gru(n=1, size=8),
        *[gru(activation=a, gate_activation=g) for a, g in itertools.product(range(4), range(2)) if (a, g) != (2, 1)],
        gru(gate_activation=2),
        gru(gate_activation=3, activation=3, origin_mode=True),
        gru(lods={"Input": [[0, 1, 3]]}),
        gru(lods={"HiddenPrev": [[0, 1, 3]]}),
        *[gru(n=11, size=16, origin_mode=origin, bias=origin) for origin in (True, False)],  # for the kernel
        gru(n=11, size=16, dtype="float64"),
    ],
    [
        changed(gru(), "ShapeError", "3 gates", Input=draw(3, 11)),
        changed(gru(), "ShapeError", "[3, 4]", HiddenPrev=draw(3, 5)),
        changed(gru(), "ShapeError", "[3, 4]", HiddenPrev=draw(2, 4)),
        changed(gru(), "ShapeError", "[4, 12]", Weight=draw(4, 8)),
        changed(gru(), "ShapeError", "[1, 12]", Bias=draw(12)),
        changed(gru(), "DtypeError", "float64", HiddenPrev=draw(3, 4, dtype="float64")),
        changed(gru(activation=4), "ArgumentValueError", "identity"),
        changed(gru(gate_activation=-1), "ArgumentValueError", "identity"),
    ],
)

LSTM = Row(
    "lstm_unit",
    [
        lstm(),
        lstm(forget_bias=1.0),
        lstm(n=1, size=1, forget_bias=-0.5, dtype="float64"),
        lstm(lods={"X": [[0, 1, 3]]}),
        lstm(lods={"C_prev": [[0, 1, 3]]}),
    ],
    [
        changed(lstm(), "ShapeError", "4 gates", X=draw(3, 15)),
        changed(lstm(), "ShapeError", "4 gates", X=draw(3, 4, 4)),
        changed(lstm(), "ShapeError", "[3, 4]", C_prev=draw(3, 5)),
        changed(lstm(), "DtypeError", "float64", C_prev=draw(3, 4, dtype="float64")),
    ],
)

ROWS = [GRU, LSTM]
