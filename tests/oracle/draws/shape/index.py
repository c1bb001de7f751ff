"""Random calls of operators that pick elements of an array, and that find them."""

import numpy as np

from tests.ops.row import Sample


def gather(d):
    x = d.array(d.shape())
    shape = d.one((d.int(1, 6),), (d.int(1, 6), 1))
    return Sample(
        {"X": x, "Index": d.indices(shape, len(x))},
        {"overwrite": d.one(True, False)},
        lods=d.maybe_lod("Index", shape[0]),
    )


def gather_nd(d):
    x = d.array(d.shape())
    depth = d.int(1, x.ndim)
    shape, dtype = d.shape(1, 2), d.one("int32", "int64")
    parts = [d.indices(shape, n, dtype) for n in x.shape[:depth]]
    return Sample({"X": x, "Index": np.stack(parts, -1)})


def top_k(d):
    """No equal elements: of those real Paddle takes any."""
    x = d.apart(d.shape(1, 3, 9), d.one("float32", "float64"))
    k = d.int(1, x.shape[-1])
    inputs, attrs = d.one(({}, {"k": k}), ({"K": np.array([k], "int32")}, {"k": 1}))
    return Sample({"X": x, **inputs}, attrs, lods=d.maybe_lod("X", len(x)) if x.ndim > 1 else {})


def found(d):
    s = d.shape(1, 4)
    x = d.one(d.array(s), d.rng.randint(0, 3, s).astype(d.one("float32", "int64")))
    attrs = {"axis": d.int(-len(s), len(s) - 1), "keepdims": d.one(True, False), "dtype": d.one(-1, 2, 3)}
    return Sample({"X": x}, attrs)


CALLS = {"gather": gather, "gather_nd": gather_nd, "top_k": top_k, "arg_max": found, "arg_min": found}
