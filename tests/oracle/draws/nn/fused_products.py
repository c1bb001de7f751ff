"""Random calls of chains of matrix products as one operator."""

from tests.ops.row import Sample

REAL = ("float32", "float64")


def fusion_squared_mat_sub(d):
    m, k, n, dtype = d.int(1, 5), d.int(1, 5), d.int(1, 5), d.one(*REAL)
    inputs = {"X": d.floats((m, k), -1, 1, dtype), "Y": d.floats((k, n), -1, 1, dtype)}
    return Sample(inputs, {"scalar": d.number(-2, 2)}, grads=())


def fusion_repeated_fc_relu(d):
    widths, dtype = d.sizes(d.int(3, 6), 1, 5), d.one(*REAL)
    pairs = [(widths[i], widths[i + 1]) for i in range(len(widths) - 1)]
    inputs = {
        "X": d.floats((d.int(1, 4), widths[0]), -1, 1, dtype),
        "W": [d.floats(pair, -1, 1, dtype) for pair in pairs],
        "Bias": [d.floats((1, n), -1, 1, dtype) for _, n in pairs],
    }
    return Sample(inputs, counts={"ReluOut": len(pairs) - 1}, grads=())


CALLS = {"fusion_squared_mat_sub": fusion_squared_mat_sub, "fusion_repeated_fc_relu": fusion_repeated_fc_relu}
