"""Random calls of fused_embedding_seq_pool; not of sparse gradients with a padding, which real Paddle trains."""

import numpy as np

from tests.ops.row import Sample


def fused_embedding_seq_pool(d):
    rows, lengths = d.int(1, 9), d.sizes(d.int(1, 4), 0, 5)
    lengths[0] = max(lengths[0], 1)
    inputs = {
        "W": d.floats((rows, d.int(1, 6)), dtype=d.one("float32", "float64")),
        "Ids": d.indices((sum(lengths), 1), rows, "int64"),
    }
    attrs = d.one({"is_sparse": True}, {"padding_idx": d.int(0, rows - 1)}, {})
    return Sample(inputs, attrs, lods={"Ids": [[0] + [int(n) for n in np.cumsum(lengths)]]})


CALLS = {"fused_embedding_seq_pool": fused_embedding_seq_pool}
