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


def mine_hard_examples(d):
    """No two losses of an image alike: real Paddle's choice among such is not settled."""
    images, columns, dtype = d.int(1, 3), d.int(2, 12), d.one("float32", "float64")
    losses = [np.stack([d.order(columns) for _ in range(images)]).astype(dtype) / by for by in (columns, 1000)]
    matches = d.indices((images, columns), 6, "int32").clip(3) - np.int32(4)
    inputs = {"ClsLoss": losses[0], "MatchIndices": matches, "MatchDist": d.floats((images, columns), 0, 1, dtype)}
    if d.one(True, False):
        inputs["LocLoss"] = losses[1]
    attrs = {"mining_type": d.one("max_negative", "hard_example"), "sample_size": d.int(1, 8)}
    attrs.update(neg_pos_ratio=d.one(0.5, 1.0, 1.7, 3.0), neg_dist_threshold=d.one(0.3, 0.5, 0.9))
    return Sample(inputs, attrs, dynamic=True)


CALLS = {
    "bipartite_match": bipartite_match,
    "target_assign": target_assign,
    "mine_hard_examples": mine_hard_examples,
}
