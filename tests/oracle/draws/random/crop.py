"""Random calls of crops at random places."""

import numpy as np

from tests.ops.row import Sample

RANDOM = True


def random_crop(d):
    """The last dimensions, of each element of the others by itself."""
    x = d.array(d.shape(2, 4, 6), d.one("float32", "float64", "int32"))
    s = [d.int(1, n) for n in x.shape[d.int(1, x.ndim - 1) :]]
    return Sample({"X": x, "Seed": np.array([d.int(-99, 99999)], "int64")}, {"shape": s})


CALLS = {f.__name__: f for f in (random_crop,)}
