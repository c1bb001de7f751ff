"""Random calls of comparisons and logic."""

import numpy as np

from tests.ops.row import Sample

ODD = (0.0, 1.0, -2.0, np.nan, np.inf, -np.inf)


def few(d, shape, dtype=None):
    """Small whole numbers, so that some are equal."""
    return d.rng.randint(0, 3, shape).astype(dtype or d.one("float32", "float64", "int32", "int64"))


def comparison(d):
    """Y is the smaller one: where X is, real Paddle gives the result X's shape."""
    x, y, axis = d.broadcast()
    a = few(d, x)
    return Sample({"X": a, "Y": few(d, y, a.dtype.name)}, {"axis": axis}, lods=d.maybe_lod("X", x[0]))


def equal_reduce(d):
    x, y, axis = d.broadcast()
    a = few(d, x)
    b = few(d, y, a.dtype.name)
    return (
        Sample({"X": a, "Y": d.one(a.copy(), b)}, {"axis": axis if d.int(0, 1) else -1})
        if x == y
        else Sample({"X": a * 0, "Y": b * d.int(0, 1)}, {"axis": axis})
    )


def logical(d):
    s = d.shape()
    return Sample({"X": d.bits(s, "bool"), "Y": d.bits(s, "bool")}, lods=d.maybe_lod("X", s[0]))


def logical_not(d):
    s = d.shape()
    return Sample({"X": d.bits(s, "bool")}, lods=d.maybe_lod("X", s[0]))


def question(d):
    """Whether some element is odd, or all are finite."""
    s, dtype = d.shape(), d.one("float32", "float64", "int32", "int64")
    odd = d.int(0, 1) and dtype[0] == "f"
    return Sample({"X": d.rng.choice(ODD if odd else ODD[:3], s).astype(dtype)}, lods=d.maybe_lod("X", s[0]))


def is_empty(d):
    s = d.shape()
    return Sample({"X": d.array(s if d.int(0, 1) else (0,) + s[1:])})


def allclose(d):
    s, dtype = d.shape(1, 2, 3), d.one("float32", "float64")
    x = d.rng.choice((1.0, -3.0, 5.5, np.nan) if d.int(0, 1) else (1.0, -3.0, 5.5), s).astype(dtype)
    y = (x * (1 + d.one(0.0, 1e-6, 1e-3, 0.2)) + d.one(0.0, 1e-9, 1e-2)).astype(dtype)
    attrs = {"equal_nan": d.one(True, False)}
    if d.int(0, 1):
        attrs.update(rtol=d.number(0, 0.3), atol=d.number(0, 0.02))
    return Sample({"Input": x, "Other": y}, attrs)


CALLS = dict.fromkeys(("less_than", "less_equal", "greater_than", "greater_equal", "equal", "not_equal"), comparison)
CALLS.update(dict.fromkeys(("logical_and", "logical_or", "logical_xor"), logical))
CALLS.update(dict.fromkeys(("isfinite", "isinf", "isnan"), question))
CALLS.update(equal_reduce=equal_reduce, logical_not=logical_not, is_empty=is_empty, allclose=allclose)
