"""Some columns of several matrices."""

from tests.ops.row import Bad, Row, Sample, draw


def two(dtype="float32"):
    return {"X": [draw(2, 4, low=-9, high=9, dtype=dtype), draw(2, 4, low=-9, high=9, dtype=dtype, seed=1)]}


LOD = {"X": [[[0, 1, 2]], [[0, 2]]]}
SAMPLES = [
    Sample(two(), {"start_index": 1, "length": 2}),
    Sample(two(), {"start_index": 3}),
    Sample(two(), lods=LOD),
    Sample({"X": [draw(3, 2)]}, {"length": 1}),
    Sample(two("int32"), {"start_index": 1}),
    Sample(two("int64"), {"length": 3}),
]
BEHIND = {"start_index": -2}
OUTSIDE = "real Paddle reads outside of X"
ERRORS = [
    Bad(two(), {"start_index": 4}, "ArgumentValueError", "start_index"),
    Bad(two(), {"start_index": -5}, "ArgumentValueError", "start_index"),
    Bad(two(), {"start_index": 1, "length": 4}, "ArgumentValueError", "length"),
    Bad(two(), {"length": 0}, "ArgumentValueError", "length"),
    Bad({"X": [draw(2, 4), draw(2, 3)]}, {}, "ShapeError", "X[1]"),
    Bad({"X": [draw(2, 4), draw(1, 4)]}, {}, "ShapeError", "X[1]"),
    Bad({"X": [draw(2, 2, 2)]}, {}, "ShapeError", "X[0]"),
    Bad({"X": [draw(2, 4), draw(2, 4, dtype="float64")]}, {}, "DtypeError", "X[1]"),
]

ROWS = [
    Row("partial_concat", [*SAMPLES, Sample(two(), BEHIND)], ERRORS),
    Row("partial_sum", [*SAMPLES, Sample(two(), BEHIND, excluded=OUTSIDE)], ERRORS),
]
