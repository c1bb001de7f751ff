"""Random calls of what draws with probabilities of an input."""

from tests.ops.row import Sample
from tests.oracle.draws.random.random import seed

RANDOM = True


def sampling_id(d):
    p = d.floats((d.int(1, 20), d.int(1, 6)), 0.1, 1.0, "float64")
    x = (p / p.sum(axis=1, keepdims=True)).astype(d.one("float32", "float64"))
    return Sample({"X": x}, d.one({"seed": seed(d)}, {"seed": seed(d), "min": 0.2, "max": 0.6}))


CALLS = {f.__name__: f for f in (sampling_id,)}
