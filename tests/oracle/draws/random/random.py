"""Random calls of random numbers: with a seed the very numbers of real Paddle, without one only shape and dtype."""

import numpy as np

from tests.ops.row import Sample

FLOAT32, FLOAT64, INT32, INT64 = 5, 6, 2, 3
RANDOM = True


def seed(d):
    return d.one(0, 1, d.int(2, 99999), 2147483647, -d.int(1, 99))


def shaped(d, attrs):
    """One of the forms in which a shape may come."""
    s, form = d.shape(1, 4, 6), d.one("attribute", "attribute", "tensor", "list")
    attrs = dict(attrs, seed=seed(d), shape=list(s))
    if form == "tensor":
        return Sample({"ShapeTensor": np.array(s, d.one("int32", "int64"))}, dict(attrs, shape=[1]))
    if form == "list":
        parts = [np.array([n], "int32") for n in s]
        return Sample({"ShapeTensorList": parts}, dict(attrs, shape=[d.one(-1, n) for n in s]))
    return Sample({}, attrs)


def uniform_random(d):
    low = d.number(-3, 3)
    attrs = {"min": low, "max": low + d.one(0.5, 4.0), "dtype": d.one(FLOAT32, FLOAT64)}
    if d.int(0, 3):
        return shaped(d, attrs)
    rows, columns, step = d.int(1, 5), d.int(1, 5), d.int(0, 4)
    count = d.int(1, (rows * columns - 1) // (step + 1) + 1)
    attrs.update(diag_num=count, diag_step=step, diag_val=d.number(-9, 9), shape=[rows, columns], seed=d.int(1, 99))
    return Sample({}, attrs)


def gaussian_random(d):
    return shaped(d, {"mean": d.number(-3, 3), "std": d.number(0, 3), "dtype": d.one(FLOAT32, FLOAT64)})


def like(d, attrs):
    """As many rows as an array has."""
    x, s = d.array(d.shape()), list(d.shape())
    taken, place = d.int(0, x.ndim - 1), d.int(0, len(s) - 1)
    s[place] = -1
    attrs = dict(attrs, shape=s, input_dim_idx=taken, output_dim_idx=place, seed=seed(d))
    return Sample({"Input": x}, attrs)


def uniform_random_batch_size_like(d):
    low = d.number(-3, 3)
    return like(d, {"min": low, "max": low + d.one(0.5, 4.0), "dtype": d.one(FLOAT32, FLOAT64)})


def gaussian_random_batch_size_like(d):
    return like(d, {"mean": d.number(-3, 3), "std": d.number(0, 3), "dtype": d.one(FLOAT32, FLOAT64)})


def truncated_gaussian_random(d):
    attrs = {"mean": d.number(-3, 3), "std": d.number(0.1, 3), "shape": list(d.shape(1, 4, 6)), "seed": seed(d)}
    return Sample({}, attrs)


def randint(d):
    low = d.int(-99, 99)
    return shaped(d, {"low": low, "high": low + d.one(1, 5, 100000), "dtype": d.one(INT32, INT64)})


def randperm(d):
    return Sample({}, {"n": d.int(1, 60), "seed": seed(d), "dtype": d.one(INT32, INT64)})


CALLS = {
    f.__name__: f
    for f in (
        uniform_random,
        gaussian_random,
        uniform_random_batch_size_like,
        gaussian_random_batch_size_like,
        truncated_gaussian_random,
        randint,
        randperm,
    )
}
