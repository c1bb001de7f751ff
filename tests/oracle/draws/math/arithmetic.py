"""Random calls of operators on the numbers of one array, or of several of one shape."""

import numpy as np

from tests.ops.row import Sample

CODES = {
    "bool": 0,
    "int16": 1,
    "int32": 2,
    "int64": 3,
    "float16": 4,
    "float32": 5,
    "float64": 6,
    "uint8": 20,
    "int8": 21,
}


def reals(d):
    return d.one("float32", "float64")


def shape(d):
    s = d.shape(1, 5)
    return s if d.int(0, 11) else (0,) + s[1:]


def lods(d, s):
    return d.maybe_lod("X", s[0]) if len(s) > 1 else {}


def scale(d):
    s, dtype = shape(d), d.one("float32", "float64", "int32", "int64", "int16", "int8", "uint8")
    whole = d.rng.randint(0 if dtype == "uint8" else -9, 10, s)
    attrs = {"scale": d.number(-2, 2) if dtype[0] == "f" else float(d.int(0 if dtype == "uint8" else -3, 3))}
    attrs.update(bias=d.one(0.0, float(d.int(0, 3))), bias_after_scale=d.one(True, False))
    inputs = {"X": d.floats(s, dtype=dtype) if dtype[0] == "f" else whole.astype(dtype)}
    if dtype[0] == "f" and d.int(0, 3) == 0:
        inputs["ScaleTensor"] = d.floats((1,), dtype=dtype)
    return Sample(inputs, attrs, grads=("X",), lods=lods(d, s))


def cast(d):
    """float16 of whole numbers only: real Paddle was built to cut off what it has no bits for, others round."""
    source = d.one("bool", "int32", "int64", "float32", "float64", "uint8")
    target, s = d.one(*sorted(CODES)), shape(d)
    x = d.bits(s, "bool") if source == "bool" else d.rng.uniform(0, 100, s).astype(source)
    x = x.astype("int32").astype(source) if target == "float16" else x
    return Sample(
        {"X": x},
        {"in_dtype": CODES[source], "out_dtype": CODES[target]},
        grads=None if source[:2] == target[:2] == "fl" else (),
        lods=lods(d, s),
    )


def assign(d):
    s = d.shape(1, 5)
    return Sample({"X": d.array(s)}, lods=lods(d, s))


def added(d):
    s, dtype = d.shape(1, 5), d.one("float32", "float64", "int32", "int64")
    return Sample({"X": [d.array(s, dtype) for _ in range(d.int(1, 5))]}, lods=lods(d, s))


def mean(d):
    s = d.shape(1, 5)
    return Sample({"X": d.floats(s, dtype=reals(d))}, lods=lods(d, s))


def clip(d):
    s, dtype = shape(d), reals(d)
    low = d.number(-2, 1)
    high, inputs = low + d.one(0.5, 2.0), {"X": d.floats(s, dtype=dtype)}
    for slot, limit in (("Min", low), ("Max", high)):
        if d.int(0, 3) == 0:
            inputs[slot] = np.array([limit], dtype)
    return Sample(inputs, {"min": low, "max": high}, grads=("X",), lods=lods(d, s))


def power(d):
    s, dtype = shape(d), d.one("float32", "float64", "int32", "int64")
    if dtype[0] == "i":
        return Sample({"X": d.rng.randint(1, 6, s).astype(dtype)}, {"factor": float(d.int(0, 3))}, lods=lods(d, s))
    inputs = {"X": d.floats(s, 0.3, 3, dtype)}
    if d.int(0, 3) == 0:
        inputs["FactorTensor"] = d.floats((1,), dtype="float32")
    return Sample(inputs, {"factor": d.one(0.5, 1.0, 2.0, 3.0, d.number(-3, 3))}, grads=("X",), lods=lods(d, s))


def increment(d):
    return Sample({"X": d.array(d.one((1,), (1, 1)))}, {"step": d.number(-3, 3)}, grads=())


CALLS = {f.__name__: f for f in (scale, cast, assign, mean, clip, increment)}
CALLS.update({"sum": added, "pow": power})
