"""Random calls of matrix products."""

import numpy as np

from tests.ops.row import Sample


def matmul(d):
    """Matrices, batches of them with or against one matrix, and vectors."""
    n, k, m = d.sizes(3, 1, 5)
    dtype, batch = d.one("float32", "float64"), d.shape(1, 2)
    kind = d.one("both", "x", "y", "none", "none", "vector x", "vector y", "vectors")
    attrs = {"transpose_X": d.one(True, False), "transpose_Y": d.one(True, False), "alpha": d.one(1.0, d.number(-2, 2))}
    x, y = (k, n) if attrs["transpose_X"] else (n, k), (m, k) if attrs["transpose_Y"] else (k, m)
    x, y = batch + x if kind in ("both", "x") else x, batch + y if kind in ("both", "y") else y
    if kind.startswith("vector"):  # a vector is a row on the left, a column on the right
        attrs.update(transpose_X=False, transpose_Y=False)
        lead = d.one((), batch)
        x = (k,) if kind != "vector y" else lead + (n, k)
        y = (k,) if kind != "vector x" else lead + (k, m)
    inputs = {"X": d.floats(x, dtype=dtype), "Y": d.floats(y, dtype=dtype)}
    return Sample(inputs, attrs, lods=d.maybe_lod("X", n) if x == (n, k) and len(y) == 2 else {})


def mul(d):
    """Each side is flattened to a matrix: both have the same product of dimensions in the middle."""
    dtype, inner = d.one("float32", "float64"), d.shape(1, 2)
    x, y = d.shape(1, 2), d.shape(1, 2)
    middle = d.one(inner, inner[::-1], (int(np.prod(inner)),))
    inputs = {"X": d.floats(x + inner, dtype=dtype), "Y": d.floats(middle + y, dtype=dtype)}
    attrs = {"x_num_col_dims": len(x), "y_num_col_dims": len(middle)}
    return Sample(inputs, attrs, lods=d.maybe_lod("X", x[0]))


CALLS = {f.__name__: f for f in (matmul, mul)}
