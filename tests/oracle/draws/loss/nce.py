"""Random calls of nce, all with a seed."""

import numpy as np

from tests.ops.row import Sample


def tables(d, classes):
    """Tables as of an alias method: which class takes another's place, and how often."""
    keep = d.rng.uniform(0.0, 1.0, classes).astype("float32")
    alias = d.indices((classes,), classes, "int32")
    alias[d.rng.rand(classes) < 0.3] = -1
    shares = d.rng.uniform(0.05, 1.0, classes)
    return {
        "CustomDistProbs": (shares / shares.sum()).astype("float32"),
        "CustomDistAlias": alias,
        "CustomDistAliasProbs": np.where(alias == -1, np.float32(1), keep),
    }


def nce(d):
    n, width, classes, dtype = d.int(1, 5), d.int(1, 6), d.int(2, 40), d.one("float32", "float64")
    sampler, negatives = d.int(0, 2), d.int(1, 30)
    inputs = {
        "Input": d.floats((n, width), dtype=dtype),
        "Label": d.indices((n, d.int(1, 3)), classes, "int64"),
        "Weight": d.floats((classes, width), -1.0, 1.0, dtype),
    }
    if d.int(0, 1):
        inputs["Bias"] = d.floats((classes, 1), -1.0, 1.0, dtype)
    if d.int(0, 1):
        inputs["SampleWeight"] = d.floats((n, 1), 0.1, 2.0, dtype)
    if sampler == 2:
        inputs.update(tables(d, classes))
    attrs = {"num_total_classes": classes, "num_neg_samples": negatives, "sampler": sampler}
    attrs.update(seed=d.int(1, 2**31 - 1), is_sparse=bool(d.int(0, 1)))
    if d.int(0, 5) == 0:
        attrs["custom_neg_classes"] = [d.int(0, classes - 1) for _ in range(negatives)]
    return Sample(inputs, attrs)


CALLS = {"nce": nce}
