"""Random calls of rounding to a few bits. A quotient near a half may be rounded either way: draws keep away from halves."""

import numpy as np

from tests.ops.row import Sample


def numbers(d):
    """Whole and quarter steps of the largest one, for which any order of computing rounds alike."""
    bits = d.int(3, 8)
    largest = 2 ** (bits - 1) - 1
    s = (d.int(1, 4),) + d.shape(1, 3)
    steps = d.rng.randint(-largest, largest, s) + d.rng.choice([0.0, 0.25, -0.25], s)
    return steps, largest, bits


def abs_max(d):
    steps, largest, bits = numbers(d)
    steps.reshape(len(steps), -1)[:, 0] = largest
    x = (steps * d.one(1.0, 0.5, 0.125)).astype("float32")
    return Sample({"X": x}, {"bit_length": bits}, lods=d.maybe_lod("X", len(x)))


def moving(d):
    """In training the scale comes out as the largest element: it was so before."""
    steps, largest, bits = numbers(d)
    steps.reshape(-1)[0] = largest
    x = steps.astype("float32")
    scale, state = np.array([largest], "float32"), np.array([d.one(1.0, 2.0, 4.0)], "float32")
    attrs = {"bit_length": bits, "moving_rate": d.one(0.5, 0.75)}
    inputs = {"X": x, "InScale": scale}
    if d.int(0, 2) == 0:
        return Sample(inputs, dict(attrs, is_test=True), outputs=("Out",))
    inputs.update(InAccum=scale * state, InState=state)
    return Sample(inputs, attrs, outputs=("Out", "OutScale", "OutState", "OutAccum"))


def fake_dequantize_max_abs(d):
    x, scale = d.floats(d.shape(1, 4), -127, 127).round(), d.floats((1,), 0.1, 3)
    return Sample({"X": x, "Scale": scale}, {"max_range": d.number(1, 127)})


def fake_channel_wise_dequantize_max_abs(d):
    x = d.floats(d.shape(2, 4), -127, 127).round()
    if d.int(0, 1):
        return Sample({"X": x, "Scales": [d.floats((x.shape[0],), 0.1, 3)]}, {"quant_bits": [d.int(2, 16)]})
    scales = [d.floats((x.shape[1],), 0.1, 3), d.floats((1,), 0.1, 3)]
    return Sample({"X": x, "Scales": scales}, {"quant_bits": d.sizes(2, 2, 8)})


CALLS = {f.__name__: f for f in (fake_dequantize_max_abs, fake_channel_wise_dequantize_max_abs)}
CALLS.update(fake_quantize_abs_max=abs_max, fake_channel_wise_quantize_abs_max=abs_max)
CALLS["fake_quantize_moving_average_abs_max"] = moving
CALLS["fake_quantize_dequantize_moving_average_abs_max"] = moving
