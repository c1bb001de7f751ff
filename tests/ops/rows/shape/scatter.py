"""Operators that write into rows of an array, or add to elements of it."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X, NEW = draw(4, 3), draw(2, 3, seed=1)
LOD = [[0, 1, 4]]
ROWS_KEEP = "real Paddle gives X a gradient in the rows that are replaced too"


def index(*values, dtype="int64"):
    return np.array(values, dtype)


def whole(*shape, dtype):
    return draw(*shape, low=0, high=9, dtype=dtype)


SCATTER = [
    Sample({"X": X, "Ids": index(2, 0), "Updates": NEW}, grads=("Updates",)),
    Sample({"X": X, "Ids": index(3, 1, dtype="int32"), "Updates": NEW}, grads=("Updates",)),
    Sample({"X": X, "Ids": index(1, 1), "Updates": NEW}, grads=(), note="the last one stays"),
    Sample({"X": X, "Ids": index(1, 1), "Updates": NEW}, {"overwrite": False}, grads=("Updates",)),
    Sample({"X": X, "Ids": index(3, 0), "Updates": NEW}, {"overwrite": False}, grads=("Updates",)),
    Sample({"X": X, "Ids": index(2, 0), "Updates": draw(2, 3, seed=2)}, excluded=ROWS_KEEP),
    Sample({"X": X, "Ids": index(2, 2), "Updates": draw(2, 3, seed=2)}, {"overwrite": False}, excluded=ROWS_KEEP),
    Sample({"X": draw(5), "Ids": index(4, 0), "Updates": draw(2)}, grads=("Updates",)),
    Sample({"X": draw(2, 3, 2), "Ids": index(1), "Updates": draw(1, 3, 2, seed=1)}, grads=("Updates",)),
    Sample({"X": X, "Ids": index(2, 0), "Updates": NEW}, {"overwrite": False}, grads=(), lods={"X": LOD}),
    *[
        Sample(
            {"X": whole(4, 2, dtype=t), "Ids": index(2, 0, 0), "Updates": whole(3, 2, dtype=t)}, {"overwrite": False}
        )
        for t in ("int32", "int64")
    ],
]
SCATTER_ERRORS = [
    Bad({"X": X, "Ids": index(2, 4), "Updates": NEW}, {}, "IndexRangeError", "0 to 3"),
    Bad({"X": X, "Ids": index(2, -1), "Updates": NEW}, {}, "IndexRangeError", "got -1"),
    Bad({"X": X, "Ids": index(2, -1), "Updates": NEW}, {"overwrite": False}, "IndexRangeError", "got -1"),
    Bad({"X": X, "Ids": index([2], [1]), "Updates": NEW}, {}, "ShapeError", "[n]"),
    Bad({"X": X, "Ids": index(2, 1, 0), "Updates": NEW}, {}, "ShapeError", "[3, 3]"),
    Bad({"X": X, "Ids": index(2), "Updates": NEW[0]}, {}, "ShapeError", "[1, 3]"),
    Bad({"X": X, "Ids": index(2, 1), "Updates": NEW.astype("float64")}, {}, "DtypeError", "float64"),
    Bad({"X": X, "Ids": draw(2), "Updates": NEW}, {}, "DtypeError", "int64"),
]

ADD = [
    Sample({"X": X, "Index": index([2], [0]), "Updates": NEW}),
    Sample({"X": X, "Index": index([2], [2]), "Updates": NEW}, note="one row twice"),
    Sample({"X": X, "Index": index([1, 2], [3, 0], [1, 2]), "Updates": draw(3)}, note="whole depth"),
    Sample({"X": draw(2, 3, 4), "Index": index([[1, 2]], [[1, 0]]), "Updates": draw(2, 1, 4)}),
    Sample({"X": draw(2, 3, 4), "Index": index([[1], [0]], dtype="int32"), "Updates": draw(1, 2, 3, 4)}),
    Sample(
        {"X": X, "Index": np.zeros((2, 0), "int64"), "Updates": draw(2, 4, 3)}, note="tuples of no length: all of X"
    ),
    Sample({"X": X, "Index": np.zeros((0, 1), "int64"), "Updates": draw(0, 3)}, grads=("X",), note="nothing to add"),
    Sample({"X": X, "Index": index([2], [0]), "Updates": NEW}, lods={"X": LOD}),
    *[
        Sample({"X": whole(4, 2, dtype=t), "Index": index([2], [0], [0]), "Updates": whole(3, 2, dtype=t)})
        for t in ("int32", "int64", "uint8")
    ],
]
ADD_ERRORS = [
    Bad({"X": X, "Index": index([4], [0]), "Updates": NEW}, {}, "IndexRangeError", "axis 0"),
    Bad({"X": X, "Index": index([1, -1]), "Updates": draw(1)}, {}, "IndexRangeError", "axis 1"),
    Bad({"X": X, "Index": index([1, 1]), "Updates": draw(2)}, {}, "ShapeError", "[1]"),
    Bad({"X": X, "Index": index(1, 1), "Updates": NEW}, {}, "ShapeError", "rank 2"),
    Bad({"X": X, "Index": index([1, 1, 1]), "Updates": draw(1)}, {}, "ShapeError", "at most 2"),
    Bad({"X": X, "Index": index([2], [0]), "Updates": NEW.astype("float64")}, {}, "DtypeError", "float64"),
    Bad({"X": X, "Index": draw(2, 1), "Updates": NEW}, {}, "DtypeError", "int64"),
]

ROWS = [Row("scatter", SCATTER, SCATTER_ERRORS), Row("scatter_nd_add", ADD, ADD_ERRORS)]
