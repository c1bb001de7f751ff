"""Operators that choose among elements or arrays by conditions and indices."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X, CUBE = draw(3, 4), draw(2, 3, 4)
LOD = [[0, 1, 3]]
BITS = draw(3, 4, dtype="bool")


def index(*values, dtype="int64"):
    return np.array(values, dtype)


def whole(*shape, dtype):
    return draw(*shape, low=0, high=9, dtype=dtype)


WHERE = [
    Sample({"Condition": BITS, "X": X, "Y": draw(3, 4, seed=1)}),
    Sample({"Condition": draw(5, dtype="bool"), "X": draw(5), "Y": draw(5, seed=1)}),
    Sample({"Condition": BITS, "X": X, "Y": -X}, lods={"X": LOD}),
    Sample({"Condition": BITS, "X": X, "Y": 2 * X}, lods={"X": LOD, "Y": [[0, 3]], "Condition": [[0, 2, 3]]}),
    *[Sample({"Condition": BITS, "X": whole(3, 4, dtype=t), "Y": -whole(3, 4, dtype=t)}) for t in ("int32", "int64")],
]
WHERE_ERRORS = [
    Bad({"Condition": BITS[0], "X": X, "Y": X}, {}, "ShapeError", "Condition"),
    Bad({"Condition": BITS, "X": X, "Y": X[:1]}, {}, "ShapeError", "Input(Y)"),
    Bad({"Condition": X, "X": X, "Y": X}, {}, "DtypeError", "bool"),
    Bad({"Condition": BITS, "X": X, "Y": X.astype("float64")}, {}, "DtypeError", "float64"),
]

NONZERO = [
    *[Sample({"Condition": c}, dynamic=True) for c in (BITS, BITS[0], draw(2, 2, 3, dtype="bool"))],
    Sample({"Condition": BITS & False}, dynamic=True, note="none"),
    *[
        Sample({"Condition": (whole(3, 4, dtype=t) - 4) * (whole(3, 4, dtype=t) > 4)}, dynamic=True, grads=())
        for t in ("float32", "float64", "int32", "int64")
    ],
    Sample({"Condition": BITS}, dynamic=True, lods={"Condition": LOD}),
]

SELECT = [
    Sample({"X": X, "Index": index(0, 2, 0)}),
    Sample({"X": X, "Index": index(3, 1, dtype="int32")}, {"dim": 1}),
    Sample({"X": CUBE, "Index": index(0, 2, 0, 1)}, {"dim": 1}),
    Sample({"X": CUBE, "Index": index(0, 2, 0)}, {"dim": -1}),
    Sample({"X": CUBE, "Index": index([1], [0])}, {"dim": 0}, note="Index [n, 1]"),
    Sample({"X": draw(5), "Index": index(4, 4, 0)}),
    Sample({"X": X, "Index": index(0, 2)}, {"dim": 1}, lods={"X": LOD}),
    *[Sample({"X": whole(3, 4, dtype=t), "Index": index(0, 2)}, {"dim": 1}) for t in ("int32", "int64")],
]
SELECT_ERRORS = [
    Bad({"X": X, "Index": index(4)}, {"dim": 1}, "IndexRangeError", "0 to 3"),
    Bad({"X": X, "Index": index(-1)}, {}, "IndexRangeError", "got -1"),
    Bad({"X": X, "Index": index([1, 0])}, {}, "ShapeError", "Index"),
    Bad({"X": X, "Index": index(1)}, {"dim": 2}, "ShapeError", "-2 to 1"),
    Bad({"X": X, "Index": draw(2)}, {}, "DtypeError", "int64"),
]

INDEX_SAMPLE = [
    Sample({"X": X, "Index": index([0, 3], [1, 1], [2, 0])}),
    Sample({"X": X, "Index": index([0, 2, 1, 1, 3], [1, 1, 0, 2, 2], [3, 2, 1, 0, 0], dtype="int32")}),
    Sample({"X": X, "Index": index([0], [1], [2])}, lods={"X": LOD}),
    *[Sample({"X": whole(2, 4, dtype=t), "Index": index([0, 3], [1, 1])}) for t in ("int32", "int64")],
]
INDEX_SAMPLE_ERRORS = [
    Bad({"X": X, "Index": index([0], [4], [1])}, {}, "IndexRangeError", "0 to 3"),
    Bad({"X": X, "Index": index([0], [-2], [1])}, {}, "IndexRangeError", "got -2"),
    Bad({"X": X, "Index": index([0, 1])}, {}, "ShapeError", "[3, -1]"),
    Bad({"X": CUBE, "Index": index([[0, 1]], [[0, 0]])}, {}, "ShapeError", "a matrix"),
    Bad({"X": X, "Index": X}, {}, "DtypeError", "int64"),
]

BOTH = [X, draw(3, 4, seed=1)]
THREE = [draw(2, 2, 3, seed=s) for s in range(3)]


def which(*values, dtype="int32"):
    return np.array(values, dtype)[:, None]


MULTIPLEX = [
    Sample({"Ids": which(1, 0, 1), "X": BOTH}),
    Sample({"Ids": which(2, 0), "X": THREE}),
    Sample({"Ids": which(0, 0), "X": THREE}),
    Sample({"Ids": which(1, 0, 1), "X": BOTH}, lods={"X": LOD}),
    *[Sample({"Ids": which(1, 0), "X": [whole(2, 2, dtype=t), -whole(2, 2, dtype=t)]}) for t in ("int32", "int64")],
]
MULTIPLEX_ERRORS = [
    Bad({"Ids": which(1, 2, 0), "X": BOTH}, {}, "IndexRangeError", "0 to 1"),
    Bad({"Ids": which(1, -1, 0), "X": BOTH}, {}, "IndexRangeError", "got -1"),
    Bad({"Ids": which(1, 0, 0, dtype="int64"), "X": BOTH}, {}, "DtypeError", "int32"),
    Bad({"Ids": which(1, 0, 0)[:, 0], "X": BOTH}, {}, "ShapeError", "[3, 1]"),
    Bad({"Ids": which(1, 0), "X": BOTH}, {}, "ShapeError", "[3, 1]"),
    Bad({"Ids": which(0, 0, 0), "X": [X]}, {}, "ArgumentValueError", "two"),
    Bad({"Ids": which(0, 0, 0), "X": [X, X[:, :1]]}, {}, "ShapeError", "X)[1]"),
    Bad({"Ids": which(0, 0, 0), "X": [X[:, 0], X[:, 0]]}, {}, "ShapeError", "rank 2"),
]


def hot(op, lead):
    """The row of one_hot or one_hot_v2; `lead` brings indices into the shape that it takes."""

    def call(*values, attrs=None, depth=None, lods=None, note="", dtype="int64"):
        inputs = {"X": lead(np.array(values, dtype))}
        if depth is not None:
            inputs["depth_tensor"] = np.array([depth], "int32")
        return Sample(inputs, attrs, lods=lods, note=note, dynamic=depth is not None)

    samples = [
        call(1, 0, 2, attrs={"depth": 3}),
        call([1, 2], [0, 1], attrs={"depth": 4}, dtype="int32"),
        call(1, -1, 5, attrs={"depth": 3, "allow_out_of_range": True}),
        call(1, 0, depth=4),
        call(1, 0, attrs={"depth": 9}, depth=2, note="the array counts"),
        call(1, 0, 2, attrs={"depth": 3}, lods={"X": LOD}),
        *[call(1, 0, attrs={"depth": 2, "dtype": t}) for t in (0, 1, 2, 3, 6)],
    ]
    errors = [
        Bad({"X": lead(index(1, 3))}, {"depth": 3}, "IndexRangeError", "0 to 2"),
        Bad({"X": lead(index(1, -1))}, {"depth": 3}, "IndexRangeError", "got -1"),
        Bad({"X": lead(index(1))}, {}, "ArgumentValueError", "at least 1"),
        Bad({"X": lead(draw(2))}, {"depth": 3}, "DtypeError", "int64"),
    ]
    return Row(op, samples, errors)


ONE_HOT = hot("one_hot", lambda ids: ids[..., None])
ONE_HOT.errors += [
    Bad({"X": index(1, 0)}, {"depth": 3}, "ShapeError", "[..., 1]"),
]

HALVES = {"index_num": 20, "nshards": 2, "shard_id": 0}
IDS = index([16], [1], [9])
SHARD = [
    Sample({"X": IDS}, HALVES),
    Sample({"X": IDS}, {"index_num": 20, "nshards": 2, "shard_id": 1, "ignore_value": -5}),
    Sample({"X": IDS}, {"index_num": 17, "nshards": 3, "shard_id": 1}),
    Sample({"X": index([16, 1], dtype="int32")}, {"index_num": 20, "nshards": 4, "shard_id": 3}),
    Sample({"X": IDS}, HALVES, lods={"X": LOD}),
]
SHARD_ERRORS = [
    Bad({"X": IDS}, {"index_num": 16, "nshards": 2, "shard_id": 0}, "IndexRangeError", "0 to 15"),
    Bad({"X": -IDS}, HALVES, "IndexRangeError", "got -16"),
    Bad({"X": IDS[:, 0]}, HALVES, "ShapeError", "rank 2"),
    Bad({"X": IDS}, {"index_num": 20, "nshards": 2, "shard_id": 2}, "ArgumentValueError", "0 to 1"),
    Bad({"X": IDS}, {"index_num": 20, "nshards": 0, "shard_id": 0}, "ArgumentValueError", "nshards"),
    Bad({"X": IDS}, {"index_num": 0, "nshards": 1, "shard_id": 0}, "ArgumentValueError", "index_num"),
    Bad({"X": draw(2, 1)}, HALVES, "DtypeError", "int64"),
]

ROWS = [
    Row("where", WHERE, WHERE_ERRORS, double=True),
    Row("where_index", NONZERO),
    Row("index_select", SELECT, SELECT_ERRORS),
    Row("index_sample", INDEX_SAMPLE, INDEX_SAMPLE_ERRORS),
    Row("multiplex", MULTIPLEX, MULTIPLEX_ERRORS),
    ONE_HOT,
    hot("one_hot_v2", lambda ids: ids),
    Row("shard_index", SHARD, SHARD_ERRORS),
]
