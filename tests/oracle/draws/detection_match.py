"""Random calls of the operators that match boxes with boxes, and that hand out what was matched."""

import numpy as np

from tests.ops.row import Sample


def bipartite_match(d):
    rows, columns = d.int(2, 8), d.int(1, 8)
    alike = d.floats((rows, columns), 0, 1, d.one("float32", "float64"))
    attrs = {"match_type": d.one("bipartite", "per_prediction"), "dist_threshold": d.one(0.25, 0.5, 0.75)}
    return Sample({"DistMat": alike}, attrs, lods=d.one({}, {"DistMat": [[0, 1, rows]]}))


def target_assign(d):
    """Negatives only with K = 1: else real Paddle writes their weights to other places."""
    first, columns, negatives = d.int(1, 3), d.int(1, 6), d.one(True, False)
    x = d.array((first + 2, d.int(1, 3), 1 if negatives else d.int(1, 4)), d.one("float32", "int32"))
    indices = np.stack([d.indices((columns,), size + 1, "int32") - np.int32(1) for size in (first, 2)])
    inputs, lods = {"X": x, "MatchIndices": indices}, {"X": [[0, first, first + 2]]}
    if negatives:
        inputs["NegIndices"], lods["NegIndices"] = d.indices((3, 1), columns, "int32"), [[0, 1, 3]]
    return Sample(inputs, {"mismatch_value": d.int(-1, 5)}, lods=lods)


CALLS = {"bipartite_match": bipartite_match, "target_assign": target_assign}
