"""Operators that pick elements of an array, and that find them."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X = draw(3, 2, 4)
LOD = [[0, 1, 3]]


def index(*values, dtype="int64"):
    return np.array(values, dtype)


def whole(*shape, dtype):
    return draw(*shape, low=0, high=9, dtype=dtype)


GATHER = [
    Sample({"X": X, "Index": index(2, 0)}),
    Sample({"X": X, "Index": index(1, 0, 1, 2)}, {"overwrite": False}, note="a row twice"),
    Sample({"X": X, "Index": index(2, dtype="int32")}),
    Sample({"X": X, "Index": index([1], [0])}, note="Index [n, 1]"),
    Sample({"X": draw(5), "Index": index(4, 2, 0)}),
    Sample({"X": draw(3, 2), "Index": index(2, 1)}, lods={"X": LOD}),
    Sample({"X": draw(3, 2), "Index": index(2, 1, 0)}, lods={"Index": LOD}),
    Sample({"X": X, "Index": np.zeros(0, "int64")}, grads=(), note="no rows"),
    *[Sample({"X": whole(3, 2, dtype=t), "Index": index(1, 0)}) for t in ("int32", "int64", "uint8")],
]
GATHER_ERRORS = [
    Bad({"X": X, "Index": index(0, 3)}, {}, "IndexRangeError", "0 to 2"),
    Bad({"X": X, "Index": index(0, -1, -7)}, {}, "IndexRangeError", "got -7"),
    Bad({"X": X, "Index": index(-1, dtype="int32")}, {}, "IndexRangeError", "got -1"),
    Bad({"X": X, "Index": index([0, 1], [1, 0])}, {}, "ShapeError", "[n] or [n, 1]"),
    Bad({"X": X, "Index": draw(2)}, {}, "DtypeError", "int64 or int32"),
    Bad({"X": X, "Index": index(1, dtype="int16")}, {}, "DtypeError", "int16"),
    Bad({"X": X, "Index": np.array([True, False, True])}, {}, "DtypeError", "bool"),
]

GATHER_ND = [
    Sample({"X": X, "Index": index([0, 1], [2, 0], [0, 1])}, dynamic=True),
    Sample({"X": X, "Index": index([0, 1, 3], [1, 1, 0])}, note="whole depth", dynamic=True),
    Sample({"X": X, "Index": index([[0], [1]], [[1], [2]])}, note="Index of rank 3"),
    Sample({"X": X, "Index": index([1], dtype="int32").reshape(1, 1)}),
    Sample({"X": draw(3, 2), "Index": index([0, 1], [2, 0], [0, 1])}, lods={"Index": LOD}, dynamic=True),
    *[Sample({"X": whole(3, 2, dtype=t), "Index": index([1], [0])}) for t in ("int32", "int64", "uint8", "bool")],
]
GATHER_ND_ERRORS = [
    Bad({"X": X, "Index": index([3])}, {}, "IndexRangeError", "axis 0"),
    Bad({"X": X, "Index": index([0, -1])}, {}, "IndexRangeError", "got -1"),
    Bad({"X": X, "Index": index(1)}, {}, "ShapeError", "rank"),
    Bad({"X": X, "Index": index([0, 0, 0, 0])}, {}, "ShapeError", "at most 3"),
]

TIES = "of equal elements real Paddle takes any"
TOP_K = [
    Sample({"X": draw(3, 5)}),
    Sample({"X": draw(3, 5)}, {"k": 2}),
    Sample({"X": draw(3, 5)}, {"k": 5}),
    Sample({"X": draw(6)}, {"k": 3}),
    Sample({"X": draw(2, 3, 4)}, {"k": 2}),
    Sample({"X": draw(0, 4)}, {"k": 2}),
    Sample({"X": draw(3, 5), "K": index(2, dtype="int32")}, {"k": 1}, note="K", dynamic=True),
    Sample({"X": draw(3, 5, dtype="float64")}, {"k": 2}),
    Sample({"X": draw(3, 4)}, {"k": 2}, lods={"X": LOD}),
    Sample({"X": np.array([[1, 3, 3, 2, 3], [0, 0, 0, 0, 0]], "float32")}, note="equal elements, k=1", grads=()),
    Sample({"X": np.array([[1, 3, 3, 2, 3], [0, 0, 0, 0, 0]], "float32")}, {"k": 3}, grads=(), excluded=TIES),
]
NANS = np.array([[1, np.nan, 3], [np.nan, 2, np.nan], [-np.inf, np.inf, -np.inf]], "float32")
TOP_K += [Sample({"X": NANS}, {"k": k}, grads=(), excluded="real Paddle takes NaN for any number") for k in (1, 2, 3)]
TOP_K_ERRORS = [
    Bad({"X": draw(3, 5)}, {"k": 6}, "ArgumentValueError", "1 to 5"),
    Bad({"X": draw(3, 5)}, {"k": 0}, "ArgumentValueError", "got 0"),
    Bad({"X": draw(3, 5), "K": index(9)}, {}, "ArgumentValueError", "got 9"),
]

FOUND = [
    Sample({"X": X}, {"axis": 0}),
    Sample({"X": X}, {"axis": -1}),
    Sample({"X": X}, {"axis": 1, "keepdims": True}),
    Sample({"X": X}, {"axis": 1, "dtype": 2}),
    Sample({"X": X}, {"axis": 1, "dtype": 3}),
    Sample({"X": draw(5)}, {"axis": 0}, note="a scalar comes out"),
    Sample({"X": draw(5)}, {"axis": 0, "keepdims": True}),
    Sample({"X": np.array([[1, 3, 3, 1], [0, 0, 0, 0]], "float32")}, {"axis": 1}, note="equal elements"),
    Sample({"X": draw(3, 4)}, {"axis": 1}, lods={"X": LOD}),
    *[Sample({"X": whole(3, 4, dtype=t)}, {"axis": 1}) for t in ("int32", "int64", "int16", "uint8")],
]
FOUND_ERRORS = [
    Bad({"X": X}, {"axis": 3}, "ShapeError", "-3 to 2"),
    Bad({"X": X}, {"axis": -4}, "ShapeError", "-4"),
    Bad({"X": X}, {}, "ArgumentTypeError", "axis"),
]

ROWS = [
    Row("gather", GATHER, GATHER_ERRORS, double=True),
    Row("gather_nd", GATHER_ND, GATHER_ND_ERRORS, double=True),
    Row("top_k", TOP_K, TOP_K_ERRORS),
    Row("arg_max", FOUND, FOUND_ERRORS),
    Row("arg_min", FOUND, FOUND_ERRORS),
]
