"""Random calls of normalisation over batches and over layers."""

import numpy as np

from tests.ops.row import Sample
from tests.oracle.windows import image

TOLERANCE = (1e-4, 2e-5)  # the differences from the mean lose digits
RUNNING = ("Y", "MeanOut", "VarianceOut")  # the others real Paddle leaves alone where it does not use the batch's


def batch_norm(d):
    """Of a batch's own statistics with gradients, or of the running ones without: real Paddle has no such gradient."""
    dtype, layout, channels, dims = d.one("float32", "float64"), d.one("NCHW", "NHWC"), d.int(1, 4), d.int(0, 3)
    shape = image(layout, d.int(2, 5), channels, d.sizes(dims, 1, 4))
    inputs = {slot: d.floats((channels,), 0.5, 2, dtype) for slot in ("Scale", "Bias", "Mean", "Variance")}
    inputs["X"] = d.floats(shape, -2, 3, dtype)
    if d.int(0, 3) == 0:
        inputs["MomentumTensor"] = d.floats((1,), 0, 1)
    attrs = {"epsilon": d.one(1e-5, 1e-3), "momentum": d.number(0, 1), "data_layout": layout}
    kind = d.one("batch", "batch", "batch", "test", "global")
    attrs.update(is_test=kind == "test", use_global_stats=kind == "global")
    attrs["trainable_statistics"] = kind != "batch" and d.int(0, 3) == 0
    outputs, lods = None if kind == "batch" else RUNNING, d.maybe_lod("X", shape[0])
    return Sample(inputs, attrs, outputs=outputs, grads=() if kind == "test" else None, lods=lods)


def layer_norm(d):
    shape = d.shape(1, 3) + (d.int(2, 7),)
    begin, dtype = d.int(1, len(shape) - 1), d.one("float32", "float64")
    size = int(np.prod(shape[begin:]))
    inputs = {"X": d.floats(shape, -2, 3, dtype)}
    if d.int(0, 2):
        inputs["Scale"] = d.floats((size,), 0.5, 2, dtype)
    if d.int(0, 2):
        inputs["Bias"] = d.floats((size,), dtype=dtype)
    attrs = {"begin_norm_axis": begin, "epsilon": d.one(1e-5, 1e-3)}
    return Sample(inputs, attrs, lods=d.maybe_lod("X", shape[0]))


CALLS = {f.__name__: f for f in (batch_norm, layer_norm)}
