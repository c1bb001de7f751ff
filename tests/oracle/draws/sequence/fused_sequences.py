"""Random calls of operators on sequences that optimized models have in the place of several."""

import numpy as np

from tests.ops.row import Sample

REAL = ("float32", "float64")
TOLERANCE = (2e-5, 2e-6)


def starts(d, count=None):
    return [0] + np.cumsum(d.sizes(count or d.int(1, 4), 1, 4)).tolist()


def fusion_seqconv_eltadd_relu(d):
    """As many rows before and behind as Paddle takes."""
    at, width, length, columns, dtype = starts(d), d.int(1, 4), d.int(1, 4), d.int(1, 4), d.one(*REAL)
    inputs = {
        "X": d.floats((at[-1], width), -1, 1, dtype), "Filter": d.floats((length * width, columns), -1, 1, dtype),
        "Bias": d.floats(d.one((columns,), (1, columns)), -1, 1, dtype),
    }  # fmt: skip
    attrs = {"contextLength": length, "contextStart": d.int(1 - length, 0)}
    return Sample(inputs, attrs, lods={"X": [at]}, grads=())


def pools(cvm):
    def call(d):
        count, width, dtype = d.int(1, 4), d.int(2, 5), d.one(*REAL)
        at = [starts(d, count) for _ in range(d.int(1, 3))]
        inputs = {"X": [d.floats((each[-1], width), 0.1, 3, dtype) for each in at]}
        if cvm:
            inputs["CVM"] = d.floats((count, 2), 0, 3, dtype)
        lods = {"X": [[each] for each in at]}
        return Sample(inputs, {"pooltype": d.one("SUM", "AVERAGE", "SQRT")}, lods=lods, grads=(), dynamic=True)

    return call


def fusion_seqexpand_concat_fc(d):
    at, widths, columns, dtype = starts(d), d.sizes(d.int(2, 4), 1, 4), d.int(1, 4), d.one(*REAL)
    count = len(at) - 1
    rows = [at[-1]] + [count] * (len(widths) - 1)
    inputs = {"X": [d.floats(shape, -1, 1, dtype) for shape in zip(rows, widths)]}
    inputs["FCWeight"] = d.floats((sum(widths), columns), -1, 1, dtype)
    if d.int(0, 1):
        inputs["FCBias"] = d.floats((1, columns), -1, 1, dtype)
    lods = {"X": [[at]] + [[list(range(count + 1))]] * (len(widths) - 1)}
    attrs = {"fc_activation": d.one("identity", "relu", "tanh", "sigmoid")}
    return Sample(inputs, attrs, lods=lods, grads=(), outputs=("Out",))


CALLS = {
    "fusion_seqconv_eltadd_relu": fusion_seqconv_eltadd_relu,
    "fusion_seqpool_concat": pools(False),
    "fusion_seqpool_cvm_concat": pools(True),
    "fusion_seqexpand_concat_fc": fusion_seqexpand_concat_fc,
}
