"""Operators that put elements in order, and that find equal ones."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X, CUBE = draw(3, 4), draw(2, 3, 4)
LOD = [[0, 1, 3]]
TIES = np.array([1, 3, 1, 3, 2], "float32")
ANY = "of many equal elements real Paddle takes any"


def whole(*values, dtype):
    return np.array(values, dtype)


ARGSORT = [
    Sample({"X": X}),
    Sample({"X": X}, {"axis": 0, "descending": True}),
    Sample({"X": CUBE}, {"axis": 1}),
    Sample({"X": CUBE}, {"axis": -3, "descending": True}),
    Sample({"X": TIES}, {"axis": 0}, grads=()),
    Sample({"X": TIES}, {"axis": 0, "descending": True}, grads=()),
    Sample({"X": np.zeros((1, 40), "float32")}, {"descending": True}, grads=(), excluded=ANY),
    Sample({"X": X}, lods={"X": LOD}),
    *[Sample({"X": whole([3, 1, 2], [5, 9, -1], dtype=t)}, {"descending": True}) for t in ("int32", "int64")],
]
ARGSORT_ERRORS = [Bad({"X": X}, {"axis": 2}, "ShapeError", "-2 to 1")]

UNIQUE = [
    Sample({"X": whole(3, 1, 3, 2, 1, dtype=t)}, {"dtype": d}, dynamic=True, grads=())
    for t, d in (("int64", 2), ("int64", 3), ("int32", 3), ("float32", 2), ("float64", 3))
] + [
    Sample({"X": whole(5, dtype="int64")}, {"dtype": 2}, dynamic=True),
    Sample({"X": whole(dtype="int64")}, {"dtype": 3}, dynamic=True, note="nothing"),
    Sample({"X": whole(4, 4, 0, dtype="int64")}, {"dtype": 3}, dynamic=True, lods={"X": LOD}),
]
UNIQUE_ERRORS = [
    Bad({"X": whole([1, 2], dtype="int64")}, {"dtype": 2}, "ShapeError", "[n]"),
    Bad({"X": whole(1, 2, dtype="int64")}, {"dtype": 5}, "DtypeError", "int32 or int64"),
    Bad({"X": whole(1, 2, dtype="int64")}, {}, "ArgumentTypeError", "dtype"),
]

ROWS = [
    Row("argsort", ARGSORT, ARGSORT_ERRORS, double=True),
    Row("unique", UNIQUE, UNIQUE_ERRORS),
    Row("unique_with_counts", UNIQUE, UNIQUE_ERRORS),
]
