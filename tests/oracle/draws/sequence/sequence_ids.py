"""Random calls of operators on sequences of ids, and of masks."""

import numpy as np

from tests.ops.row import Sample
from tests.oracle.draws.sequence.sequence import levels, offsets, ragged


def sequence_enumerate(d):
    lengths = ragged(d)
    attrs = {"win_size": d.int(2, 6), "pad_value": d.int(-3, 3)}
    return Sample({"X": d.indices((sum(lengths), 1), 9)}, attrs, lods={"X": [offsets(lengths)]})


def sequence_erase(d):
    lengths = ragged(d)
    return Sample({"X": d.indices((sum(lengths), 1), 5)}, {"tokens": d.some(5)}, lods={"X": levels(d, lengths)})


def sequence_mask(d):
    shape, dtype = d.shape(1, 2), d.one("float32", "float64", "int32", "int64")
    x = d.floats(shape, 0, 5, dtype) if dtype[0] == "f" else d.indices(shape, 6, dtype)
    inputs, attrs = {"X": x}, {"out_dtype": d.one(0, 2, 3, 5, 6, 20), "maxlen": d.one(-1, 1, 4, 7)}
    if d.int(0, 3) == 0:
        inputs["MaxLenTensor"] = np.array([d.int(1, 7)], "int32")
    return Sample(inputs, attrs, grads=())


def sequence_scatter(d):
    lengths, width, dtype = ragged(d, 4), d.int(1, 6), d.one("float32", "float64", "int32", "int64")
    shape = (sum(lengths), 1) if d.int(0, 1) else (sum(lengths),)
    inputs = {
        "X": d.array((len(lengths) + d.int(0, 1), width), dtype),
        "Ids": d.indices(shape, width, "int64"),
        "Updates": d.array(shape, dtype),
    }
    return Sample(inputs, lods={"Ids": [offsets(lengths)], "Updates": [offsets(lengths)]})


CALLS = {
    "sequence_enumerate": sequence_enumerate, "sequence_erase": sequence_erase, "sequence_mask": sequence_mask,
    "sequence_scatter": sequence_scatter,
}  # fmt: skip
