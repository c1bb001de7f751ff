"""Random calls of operators of models of clicks."""

import numpy as np

from tests.ops.row import Sample


def cvm(d):
    rows, use, dtype = d.int(1, 6), d.one(True, False), d.one("float32", "float64")
    lods = {"X": [[0, d.int(0, rows), rows]]} if d.int(0, 2) == 0 else {}
    counts = 2 if lods else rows
    inputs = {"X": d.floats((rows, d.int(3, 7)), 0, 9, dtype), "CVM": d.floats((counts, 2), 0, 9, dtype)}
    return Sample(inputs, {"use_cvm": use}, lods=lods)


def hash_(d):
    rows, dtype = d.int(1, 6), d.one("int32", "int64")
    x = d.rng.randint(-(2**31), 2**31 - 1, (rows, d.int(1, 20))).astype(dtype)
    attrs = {"num_hash": d.int(1, 4), "mod_by": d.one(1, 10, 100000, 2**31 - 1, 2**40 + 3, 2**63 - 1)}
    return Sample({"X": x}, attrs, lods=d.maybe_lod("X", rows))


def filter_by_instag(d):
    """Instances are rows, or sequences that are not empty; each has tags. No gradient of whole numbers."""
    lengths = d.sizes(d.int(1, 5), 1, 3)
    tags = d.sizes(len(lengths), 1, 3)
    is_lod = d.one(True, False)
    rows = sum(lengths) if is_lod else len(lengths)
    inputs = {
        "Ins": d.array((rows, d.int(1, 4)), d.one("float32", "float64", "int64")),
        "Ins_tag": d.indices((sum(tags), 1), 6, "int64"),
        "Filter_tag": np.array(d.order(6)[: d.int(1, 3)], "int64"),
    }
    lods = {"Ins_tag": [[0, *np.cumsum(tags).tolist()]]}
    if is_lod:
        lods["Ins"] = [[0, *np.cumsum(lengths).tolist()]]
    return Sample(inputs, {"is_lod": is_lod, "out_val_if_empty": d.int(-3, 3)}, lods=lods)


CALLS = {"cvm": cvm, "hash": hash_, "filter_by_instag": filter_by_instag}
