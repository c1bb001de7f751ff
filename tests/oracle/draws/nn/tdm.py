"""Random calls of operators on trees of items."""

import numpy as np

from tests.ops.row import Sample

CODES = {"int32": 2, "int64": 3}


def tdm_child(d):
    nodes, children, dtype, result = d.int(2, 9), d.int(1, 3), d.one("int32", "int64"), d.one("int32", "int64")
    tree = d.rng.randint(0, nodes, (nodes, 3 + children)).astype(dtype)
    x = d.rng.randint(0, nodes, d.shape(1, 3)).astype(d.one("int32", "int64"))
    return Sample({"X": x, "TreeInfo": tree}, {"child_nums": children, "dtype": CODES[result]})


def tdm_sampler(d):
    sizes, leaves = d.sizes(d.int(1, 3), 2, 30), d.int(1, 5)
    offsets = [0] + np.cumsum(sizes).tolist()
    ways = np.stack([d.rng.randint(offsets[i], offsets[i + 1], leaves) + 1 for i in range(len(sizes))], 1)
    ways[d.rng.rand(*ways.shape) < 0.2] = 0
    nodes = np.arange(1, offsets[-1] + 1).reshape(-1, 1)
    attrs = {
        "neg_samples_num_list": [d.int(0, min(n - 1, 8)) for n in sizes], "layer_offset_lod": offsets, "dtype": d.one(2, 3),
        "output_positive": d.one(True, False), "seed": d.int(1, 2**31 - 1),
    }  # fmt: skip
    dtype = d.one("int32", "int64")
    x = d.rng.randint(0, leaves, (d.int(1, 6), 1)).astype(d.one("int32", "int64"))
    if not attrs["output_positive"] and not any(attrs["neg_samples_num_list"]):
        attrs["output_positive"] = True
    inputs = {"X": x, "Travel": ways.astype(dtype), "Layer": nodes.astype(dtype)}
    return Sample(inputs, attrs, outputs=("Out", "Labels", "Mask"))


CALLS = {"tdm_child": tdm_child, "tdm_sampler": tdm_sampler}
RANDOM = True
