"""Random calls of affine_grid and grid_sampler."""

import numpy as np

from tests.ops.row import Sample


def affine_grid(d):
    n, size = d.int(1, 3), [d.int(2, 6), d.int(2, 6)]
    inputs, shape = {"Theta": d.floats((n, 2, 3), dtype=d.one("float32", "float64"))}, [n, d.int(1, 3)] + size
    if d.one(True, False):
        return Sample(inputs, {"output_shape": shape})
    return Sample(dict(inputs, OutputShape=np.array(shape, "int32")), grads=("Theta",))


def grid_sampler(d):
    n, h, w, dtype = d.int(1, 3), d.int(1, 6), d.int(1, 6), d.one("float32", "float64")
    x = d.floats((n, d.int(1, 3), h, w), dtype=dtype)
    return Sample({"X": x, "Grid": d.floats((n, h, w, 2), -1.8, 1.8, dtype)})


CALLS = {f.__name__: f for f in (affine_grid, grid_sampler)}
