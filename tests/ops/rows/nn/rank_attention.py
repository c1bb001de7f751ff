"""Products with matrices that depend on ranks. Numbers: tests/ops/test_rank_attention.py."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

OFFSETS = np.array(
    [[1, 1, 0, 2, 1, 0, 0], [2, 1, 0, 2, 1, 0, 0], [1, 2, 2, 0, 0, 3, 1], [0, 1, 1, 0, 0, 0, 0]], "int32"
)
GOOD = {"X": draw(4, 2), "RankOffset": OFFSETS, "RankParam": draw(18, 5)}
NO_KERNEL = "Paddle has no kernel for CPUs"


def changed(row, column, value):
    offsets = OFFSETS.copy()
    offsets[row, column] = value
    return dict(GOOD, RankOffset=offsets)


ROWS = [
    Row(
        "rank_attention",
        [
            Sample(GOOD, grads=("RankParam",), excluded=NO_KERNEL),
            Sample(
                {"X": draw(4, 3), "RankOffset": OFFSETS[:, :5], "RankParam": draw(12, 2)}, {"MaxRank": 2},
                grads=("RankParam",), lods={"X": [[0, 1, 4]]}, excluded=NO_KERNEL,
            ),
        ],
        [
            Bad(GOOD, {"MaxRank": 2}, "ShapeError", "Input(RankOffset)"),
            Bad(GOOD, {"MaxRank": 0}, "ArgumentValueError", "MaxRank"),
            Bad(dict(GOOD, RankParam=draw(17, 5)), {}, "ShapeError", "Input(RankParam)"),
            Bad(dict(GOOD, RankOffset=OFFSETS.astype("int64")), {}, "DtypeError", "Input(RankOffset)"),
            Bad(changed(0, 2, 4), {}, "IndexRangeError", "rows of X"),
            Bad(changed(0, 0, 4), {}, "IndexRangeError", "ranks"),
        ],
    )
]  # fmt: skip
