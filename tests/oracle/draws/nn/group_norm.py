"""Random calls of the normalisations of each image on its own."""

from tests.ops.row import Sample
from tests.oracle.windows import image

TOLERANCE = (1e-4, 2e-5)  # the differences from the mean lose digits


def scaled(d, shape, channels, dtype, scale, bias):
    inputs = {"X": d.floats(shape, -2, 3, dtype)}
    if scale:
        inputs["Scale"] = d.floats((channels,), 0.5, 2, dtype)
    if bias:
        inputs["Bias"] = d.floats((channels,), dtype=dtype)
    return inputs


def group_norm(d):
    """Images only: real Paddle takes the third and fourth dimension for the image's sizes, whatever the rank.

    No gradient without Scale: real Paddle's is not the derivative.
    """
    groups, dtype, layout = d.int(1, 3), d.one("float32", "float64"), d.one("NCHW", "NHWC")
    channels, scale = groups * d.int(1, 3), d.int(0, 3)
    shape = image(layout, d.int(1, 3), channels, d.sizes(2, 2, 5))
    inputs = scaled(d, shape, channels, dtype, scale, d.int(0, 3))
    attrs = {"groups": groups, "data_layout": layout, "epsilon": d.one(1e-5, 1e-3, 0.1)}
    return Sample(inputs, attrs, grads=None if scale else (), lods=d.maybe_lod("X", shape[0]))


def instance_norm(d):
    dtype, channels, dims = d.one("float32", "float64"), d.int(1, 4), d.int(1, 3)
    shape = (d.int(1, 3), channels) + tuple(d.sizes(dims, 2, 5))
    inputs = scaled(d, shape, channels, dtype, True, True)
    return Sample(inputs, {"epsilon": d.one(1e-5, 1e-3)}, lods=d.maybe_lod("X", shape[0]))


CALLS = {f.__name__: f for f in (group_norm, instance_norm)}
