"""Random calls of scales for quantisation that follow the data."""

import numpy as np

from tests.ops.row import Sample


def one(d, low, high):
    return d.floats((1,), low, high)


def fake_quantize_range_abs_max(d):
    inputs = {"X": d.floats(d.shape()), "InScale": one(d, 0.1, 4)}
    if d.int(0, 2) == 0:
        return Sample(inputs, {"is_test": True, "bit_length": d.int(2, 16)}, outputs=("Out",))
    inputs["Iter"] = np.array([d.int(0, 20)])
    attrs = {"window_size": d.int(1, 8), "bit_length": d.int(2, 16)}
    return Sample(inputs, attrs, outputs=("Out", "OutScale", "OutScales"))


def moving_average_abs_max_scale(d):
    shape = d.shape()
    inputs = {"X": d.floats(shape), "InAccum": one(d, 0.1, 4), "InState": one(d, 0.5, 3)}
    outputs = ("Out", "OutScale", "OutState", "OutAccum")
    return Sample(inputs, {"moving_rate": d.number(0, 1)}, outputs=outputs, lods=d.maybe_lod("X", shape[0]), grads=())


CALLS = {
    "fake_quantize_range_abs_max": fake_quantize_range_abs_max,
    "moving_average_abs_max_scale": moving_average_abs_max_scale,
}
