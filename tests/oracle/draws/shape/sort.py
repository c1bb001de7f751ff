"""Random calls of the operators that put elements in order, and that find equal ones."""

import numpy as np

from tests.ops.row import Sample


def argsort(d):
    """No equal elements: of many Paddle takes any."""
    s = d.shape()
    x = np.array(d.order(int(np.prod(s)))).reshape(s).astype(d.one("float32", "float64", "int32", "int64"))
    return Sample({"X": x}, {"axis": d.int(-len(s), len(s) - 1), "descending": d.one(True, False)})


def unique(d):
    x = d.indices((d.int(1, 12),), 5).astype(d.one("float32", "float64", "int32", "int64"))
    return Sample({"X": x}, {"dtype": d.one(2, 3)}, grads=())


CALLS = {"argsort": argsort, "unique": unique, "unique_with_counts": unique}
