"""Elementwise operators of two arrays."""

from tests.ops.row import Bad, Row, Sample, draw


def pairs(dtype="float32", **bounds):
    """Calls that every elementwise operator takes: equal shapes, trailing and inner broadcasts, either side smaller."""

    def two(x, y, axis=-1, lods=None):
        inputs = {"X": draw(*x, dtype=dtype, seed=1, **bounds), "Y": draw(*y, dtype=dtype, seed=2, **bounds)}
        return Sample(inputs, {} if axis == -1 else {"axis": axis}, lods=lods)

    return [
        two((2, 3), (2, 3)),
        two((2, 3, 4), (4,)),
        two((2, 3, 4), (3,), axis=1),
        two((2, 3, 4), (2, 3), axis=0),
        two((2, 3, 4), (3, 1), axis=1),
        two((2, 3), (1,)),
        two((4,), (2, 3, 4)),
        two((2, 1, 4), (2, 3, 4)),
        two((3, 2), (3, 2), lods={"X": [[0, 1, 3]]}),
        two((0, 3), (0, 3)),
    ]


def whole(op_dtypes=("int32", "int64")):
    """Calls with whole numbers."""
    return [
        Sample({"X": draw(2, 3, low=1, high=9, dtype=t, seed=1), "Y": draw(2, 3, low=1, high=9, dtype=t, seed=2)})
        for t in op_dtypes
    ]


ERRORS = [
    Bad({"X": draw(2, 3), "Y": draw(2, 4)}, {}, "ShapeError", "dimension 1"),
    Bad({"X": draw(2, 3), "Y": draw(3)}, {"axis": 2}, "ShapeError", "axis"),
    Bad({"X": draw(2, 3), "Y": draw(2, 3, dtype="float64")}, {}, "DtypeError", "float64"),
]

ROWS = [
    Row("elementwise_add", pairs() + whole(), ERRORS, double=True),
    Row("elementwise_mul", pairs() + whole(), ERRORS, double=True),
]
