"""Random calls of the operators that put elements in another order, or repeat them."""

import numpy as np

from tests.ops.row import Sample


def reverse(d):
    s = d.shape()
    return Sample({"X": d.array(s)}, {"axis": d.some(len(s))})


def flip(d):
    s = d.shape()
    return Sample({"X": d.array(s)}, {"dims": d.some(len(s))})


def roll(d):
    s = d.shape()
    dims = d.some(len(s))
    return Sample({"X": d.array(s)}, {"dims": dims, "shifts": [d.int(-9, 9) for _ in dims]})


def expand_as(d):
    s = d.shape()
    x = d.array(s)
    return Sample({"X": x, "target_tensor": np.zeros([n * d.int(1, 3) for n in s], x.dtype)}, grads=("X",))


def meshgrid(d):
    dtype, count = d.one("float32", "float64", "int32", "int64"), d.int(2, 4)
    return Sample({"X": [d.array((d.int(1, 4),), dtype) for _ in range(count)]}, counts={"Out": count})


def unbind(d):
    s = d.shape()
    axis = d.int(-len(s), len(s) - 1)
    return Sample({"X": d.array(s)}, {"axis": axis}, counts={"Out": s[axis]})


def diag(d):
    return Sample({"Diagonal": d.array((d.int(1, 6),))})


def diag_embed(d):
    s = d.shape(1, 3)
    first, second = d.order(len(s) + 1)[:2]
    return Sample({"Input": d.array(s)}, {"offset": d.int(-2, 2), "dim1": first, "dim2": second})


CALLS = {f.__name__: f for f in (reverse, flip, roll, expand_as, meshgrid, unbind, diag, diag_embed)}
