"""Random calls of shuffles."""

import numpy as np

from tests.ops.row import Sample


def shuffle_batch(d):
    shape, seed = d.shape(2, 4), np.array([d.int(-(2**31), 2**31 - 1)])
    return Sample({"X": d.array(shape, d.one("float32", "float64", "int32", "int64")), "Seed": seed})


CALLS = {"shuffle_batch": shuffle_batch}
