"""Random calls of one step of recurrent networks."""

from tests.ops.row import Sample


def gru_unit(d):
    n, size, dtype = d.int(1, 5), d.int(1, 9), d.one("float32", "float64")
    inputs = {
        "Input": d.floats((n, 3 * size), -1.0, 1.0, dtype),
        "HiddenPrev": d.floats((n, size), -1.0, 1.0, dtype),
        "Weight": d.floats((size, 3 * size), -1.0, 1.0, dtype),
    }
    if d.int(0, 3):
        inputs["Bias"] = d.floats((1, 3 * size), dtype=dtype)
    attrs = {"activation": d.int(0, 3), "gate_activation": d.int(0, 3), "origin_mode": bool(d.int(0, 1))}
    return Sample(inputs, attrs)


def lstm_unit(d):
    n, size, dtype = d.int(1, 5), d.int(1, 9), d.one("float32", "float64")
    inputs = {"X": d.floats((n, 4 * size), dtype=dtype), "C_prev": d.floats((n, size), dtype=dtype)}
    return Sample(inputs, {"forget_bias": d.number(-2.0, 2.0)})


CALLS = {"gru_unit": gru_unit, "lstm_unit": lstm_unit}
