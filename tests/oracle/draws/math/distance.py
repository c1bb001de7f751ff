"""Random calls of norms, distances and cosines."""

from tests.ops.row import Sample


def floats(d, shape):
    return d.floats(shape, dtype=d.one("float32", "float64"))


def norm(d):
    s = d.shape()
    return Sample({"X": floats(d, s)}, {"axis": d.int(-len(s), len(s) - 1), "epsilon": d.number(1e-6, 1.0)})


def p_norm(d):
    s = d.shape(2)
    attrs = {"porder": d.one(1.0, 2.0, d.number(0.5, 4.0)), "axis": d.int(-len(s), len(s) - 1)}
    return Sample({"X": floats(d, s)}, {**attrs, "keepdim": d.one(True, False)})


def frobenius_norm(d):
    s = d.shape(2)
    axes = d.some(len(s) - 1)
    every = not d.int(0, 3)
    attrs = {"dim": list(range(len(s))) if every else axes, "reduce_all": every}
    return Sample({"X": floats(d, s)}, {**attrs, "keep_dim": not every and d.one(True, False)})


def squared_l2_norm(d):
    return Sample({"X": d.floats(d.shape())})


def clip_by_norm(d):
    return Sample({"X": d.floats(d.shape(1, 3))}, {"max_norm": d.number(0.1, 9.0)})


def dist(d):
    s = d.shape()
    one_for_all = tuple(d.one(1, n) for n in s)[d.int(0, len(s) - 1) :]
    dtype = d.one("float32", "float64")
    p = d.one(0.0, 1.0, 2.0, float("inf"), float("-inf"), d.number(0.5, 4.0))
    return Sample({"X": d.floats(s, dtype=dtype), "Y": d.floats(one_for_all, dtype=dtype)}, {"p": p})


def cos_sim(d):
    s = d.shape(2)
    return Sample({"X": d.floats(s), "Y": d.floats((d.one(1, s[0]),) + s[1:])})


CALLS = {f.__name__: f for f in (norm, p_norm, frobenius_norm, squared_l2_norm, clip_by_norm, dist, cos_sim)}
