"""Random calls of the operators that write into arrays."""

import numpy as np

from tests.ops.row import Sample


def scatter(d):
    """Without repeats where rows are replaced; Paddle's gradient of X is not compared, see tests/ops/rows/shape/scatter.py."""
    s, overwrite = d.shape(), d.one(True, False)
    x, count = d.array(s), d.int(1, s[0])
    ids = np.array(d.order(s[0])[:count]) if overwrite else d.indices((count,), s[0])
    inputs = {"X": x, "Ids": ids.astype(d.one("int32", "int64")), "Updates": d.array((count,) + s[1:], x.dtype.name)}
    return Sample(inputs, {"overwrite": overwrite}, grads=("Updates",))


def scatter_nd_add(d):
    """No integers: of these Paddle picks others than the indices say."""
    s = d.shape()
    depth, lead, x = d.int(1, len(s)), d.shape(1, 2, 3), d.array(s, d.one("float32", "float64"))
    index = np.stack([d.indices(lead, n, "int64") for n in s[:depth]], -1).astype(d.one("int32", "int64"))
    return Sample({"X": x, "Index": index, "Updates": d.array(lead + s[depth:], x.dtype.name)})


CALLS = {"scatter": scatter, "scatter_nd_add": scatter_nd_add}
