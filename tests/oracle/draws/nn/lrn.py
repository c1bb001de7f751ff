"""Random calls of local response normalisation, and of the spectral normalisation of weights."""

import numpy as np

from tests.ops.row import Sample
from tests.oracle.windows import image


def lrn(d):
    """float32 only: real Paddle has no other kernel."""
    layout = d.one("NCHW", "NHWC", "AnyLayout")
    x = d.floats(image(layout, d.int(1, 3), d.int(1, 8), d.sizes(2, 1, 4)))
    attrs = {"n": d.one(1, 3, 5, 7), "k": d.number(0.5, 2), "alpha": d.number(0, 0.5), "beta": d.number(0.2, 1.5)}
    return Sample({"X": x}, dict(attrs, data_format=layout), lods=d.maybe_lod("X", len(x)))


def spectral_norm(d):
    """No gradient: real Paddle's is not the derivative."""
    s, dtype = d.shape(2, 5), d.one("float32", "float64")
    dim = d.int(0, 1)
    inputs = {"Weight": d.floats(s, 0.1, 1, dtype), "U": d.floats((s[dim],), 0.2, 1, dtype)}
    inputs["V"] = d.floats((int(np.prod(s)) // s[dim],), 0.2, 1, dtype)
    return Sample(inputs, {"dim": dim, "power_iters": d.int(0, 5), "eps": d.one(1e-12, 1e-3)}, grads=())


CALLS = {f.__name__: f for f in (lrn, spectral_norm)}
