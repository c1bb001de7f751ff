"""Random calls of beam_search and gather_tree."""

import numpy as np

from tests.ops.row import Sample


def beam_search(d):
    sources, words, beam = d.int(1, 3), d.int(1, 5), d.int(1, 4)
    counts = d.sizes(sources, 0, 4)
    counts[0] = max(counts[0], 1)
    starts = [0] + [int(n) for n in np.cumsum(counts)]
    rows = starts[-1]
    scores = d.floats((rows, words), 0.1, 1.0)
    if d.int(0, 2) == 0:
        scores = (np.round(scores * 3) / 4 + 0.125).astype("float32")  # many are equal
    inputs = {
        "pre_ids": d.indices((rows, 1), 4, "int64"),
        "pre_scores": d.floats((rows, 1), -1.0, 1.0),
        "scores": scores,
    }
    lod = [starts, list(range(rows + 1))]
    lods = {"scores": lod}
    if d.int(0, 2):
        inputs["ids"], lods["ids"] = d.indices((rows, words), 4, "int64"), lod
    attrs = {"level": 0, "beam_size": beam, "end_id": d.int(0, 3), "is_accumulated": bool(d.int(0, 1))}
    outputs = ["selected_ids", "selected_scores", "parent_idx"]
    return Sample(inputs, attrs, outputs=outputs, grads=(), lods=lods)


def gather_tree(d):
    steps, n, beams, dtype = d.int(1, 5), d.int(1, 3), d.int(1, 4), d.one("int32", "int64")
    shape = (steps, n, beams)
    return Sample({"Ids": d.indices(shape, 9, dtype), "Parents": d.indices(shape, beams, dtype)}, grads=())


CALLS = {"beam_search": beam_search, "gather_tree": gather_tree}
