"""Random calls of chunk_eval and edit_distance."""

import numpy as np

from tests.ops.row import Sample

KINDS = {"IOB": 2, "IOE": 2, "IOBES": 4, "plain": 1}


def offsets(lengths):
    return [[0] + [int(n) for n in np.cumsum(lengths)]]


def chunk_eval(d):
    scheme, types, count = d.one(*sorted(KINDS)), d.int(1, 4), d.int(1, 4)
    lengths = [max(1, n) if i == 0 else n for i, n in enumerate(d.sizes(count, 0, 12))]
    attrs = {"num_chunk_types": types, "chunk_scheme": scheme}
    if d.int(0, 2) == 0:
        attrs["excluded_chunk_types"] = d.some(types)
    padded = d.int(0, 1)
    shape = (count, max(lengths) + d.int(0, 2)) if padded else (sum(lengths), 1)
    meant = d.indices(shape, types * KINDS[scheme] + 1, "int64")
    found = np.where(d.rng.rand(*shape) < 0.3, d.indices(shape, types * KINDS[scheme] + 1, "int64"), meant)
    inputs = {"Inference": found, "Label": meant}
    if padded:
        return Sample(dict(inputs, SeqLength=np.array(lengths, "int64")), attrs)
    return Sample(inputs, attrs, lods={slot: offsets(lengths) for slot in inputs})


def edit_distance(d):
    count, tokens, attrs = d.int(1, 4), d.int(1, 5), {"normalized": bool(d.int(0, 1))}
    inputs, lods, padded = {}, {}, d.int(0, 1)
    for slot in ("Hyps", "Refs"):
        lengths = d.sizes(count, 1 if slot == "Refs" and attrs["normalized"] else 0, 8)
        lengths[0] = max(lengths[0], 1)
        shape = (count, max(lengths) + d.int(0, 2)) if padded else (sum(lengths), 1)
        inputs[slot] = d.indices(shape, tokens, "int64")
        if padded:
            inputs[slot + "Length"] = np.array(lengths, "int64")
        else:
            lods[slot] = offsets(lengths)
    return Sample(inputs, attrs, lods=lods)


CALLS = {"chunk_eval": chunk_eval, "edit_distance": edit_distance}
