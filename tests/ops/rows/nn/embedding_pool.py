"""Looking up the rows of a table for whole sequences, and adding them up."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

IDS = np.array([[1], [2], [3], [2], [5]], "int64")
PAIRS = np.array([[4, 3], [4, 3], [2, 1], [6, 1]], "int64").reshape(4, 2, 1)


def call(*offsets, ids=IDS, excluded="", **attrs):
    inputs, lods = {"W": draw(7, 3), "Ids": ids}, {"Ids": [list(offsets)]}
    return Sample(inputs, attrs, lods=lods, dynamic=True, excluded=excluded)


def bad(error, match, attrs=None, **inputs):
    return Bad(dict(call(0, 5).inputs, **inputs), attrs, error, match)


ROWS = [
    Row(
        "fused_embedding_seq_pool",
        [
            call(0, 2, 5),
            call(0, 2, 2, 5),
            call(0, 5, padding_idx=2),
            call(0, 3, 5, is_sparse=True),
            call(0, 3, 4, ids=PAIRS),
            call(0, 3, 4, ids=PAIRS.reshape(4, 1, 2, 1), padding_idx=2),
            call(0, 3, 5, is_sparse=True, padding_idx=3, excluded="real Paddle trains the padding where it is sparse"),
        ],
        [
            bad("LoDError", "no LoD"),
            bad("ArgumentValueError", "'sum'", {"combiner": "mean"}),
            bad("ShapeError", "Input(Ids)", Ids=IDS.reshape(1, 5)),
            bad("ShapeError", "Input(Ids)", Ids=IDS[:, 0]),
            bad("DtypeError", "int64", Ids=IDS.astype("int32")),
            bad("IndexRangeError", "from 0 to 6", Ids=IDS + 2),
            bad("ShapeError", "Input(W)", W=draw(7)),
        ],
    ),
]
