"""Random calls of the fully connected operator of optimized models."""

import numpy as np

from tests.ops.row import Sample


def fc(d):
    shape, columns, padded, dtype = d.shape(2, 4), d.int(1, 5), d.one(True, False), d.one("float32", "float64")
    dims, more = d.int(1, len(shape) - 1), 4 if padded else 0
    rows = int(np.prod(shape[dims:]))
    attrs = {"in_num_col_dims": dims, "padding_weights": padded}
    inputs = {"Input": d.floats(shape, dtype=dtype), "W": d.floats((rows + more, columns + more), dtype=dtype)}
    if padded or d.int(0, 1):
        inputs["Bias"] = d.floats(d.one((columns,), (1, columns)), dtype=dtype)
        attrs["activation_type"] = d.one("", "relu")
    return Sample(inputs, attrs, lods=d.maybe_lod("Input", shape[0]))


CALLS = {"fc": fc}
