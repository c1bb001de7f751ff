"""Random calls of conditional random fields."""

import numpy as np

from tests.ops.row import Sample


def offsets(lengths):
    return [[0] + [int(n) for n in np.cumsum(lengths)]]


def sequences(d, labels):
    """Sequences with their labels: with a LoD, or padded with their lengths."""
    tags, count, dtype = d.int(1, 6), d.int(1, 4), d.one("float32", "float64")
    lengths, wide = d.sizes(count, 0, 7), d.one(1.0, 3.0, 30.0)
    if sum(lengths) == 0:
        lengths[0] = 2
    padded = bool(d.int(0, 1))
    lead = (count, max(lengths) + d.int(0, 2)) if padded else (sum(lengths),)
    inputs = {
        "Emission": d.floats(lead + (tags,), -wide, wide, dtype),
        "Transition": d.floats((tags + 2, tags), -2.0, 2.0, dtype),
    }
    last = (1,) if not padded or d.int(0, 1) else ()
    if labels:
        inputs["Label"] = d.indices(lead + last, tags, "int64")
    lods = {}
    if padded:
        inputs["Length"] = np.array(lengths, "int64").reshape((count,) + last)
    else:
        lods = {slot: offsets(lengths) for slot in ("Emission", "Label") if slot in inputs}
    return Sample(inputs, lods=lods)


CALLS = {
    "linear_chain_crf": lambda d: sequences(d, True),
    "crf_decoding": lambda d: sequences(d, d.int(0, 1)),
}
TOLERANCE = (2e-5, 1e-5)
