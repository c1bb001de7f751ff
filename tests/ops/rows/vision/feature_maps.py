"""What feature maps tell: how the channels of two go together, and where the strongest places of one are."""

from tests.ops.row import Bad, Row, Sample, draw

FOUR = draw(2, 3, 4, 5)


def maps(y, x=(2, 3, 2, 4), dtype="float32"):
    return {"X": draw(*x, dtype=dtype), "Y": draw(*y, dtype=dtype, seed=1)}


def focus(axis, *indexes, x=FOUR, excluded=""):
    return Sample({"X": x}, {"axis": axis, "indexes": list(indexes)}, excluded=excluded)


ROWS = [
    Row(
        "fsp",
        [
            Sample(maps((2, 2, 2, 4))),
            Sample(maps((2, 3, 2, 4), dtype="float64")),
            Sample(maps((1, 5, 1, 1), (1, 2, 1, 1))),
        ],
        [
            Bad(maps((2, 2, 4, 2)), {}, "ShapeError", "Input(Y)"),
            Bad(maps((1, 2, 2, 4)), {}, "ShapeError", "Input(Y)"),
            Bad(maps((2, 2, 8)), {}, "ShapeError", "Input(Y)"),
            Bad(maps((2, 2, 2, 4), (2, 3, 8)), {}, "ShapeError", "Input(X)"),
            Bad(dict(maps((2, 2, 2, 4)), Y=draw(2, 2, 2, 4, dtype="float64")), {}, "DtypeError", "Input(Y)"),
        ],
    ),
    Row(
        "similarity_focus",
        [
            focus(1, 0),
            focus(1, 2, 0),
            focus(1, 0, 0),
            focus(2, 1, 3),
            focus(3, 4),
            focus(1, 1, x=draw(3, 2, 5, 2, dtype="float64")),
            focus(1, 0, x=draw(2, 3, 3, 5) * 0),
        ],
        [
            Bad({"X": FOUR}, {"axis": 0, "indexes": [0]}, "ArgumentValueError", "axis"),
            Bad({"X": FOUR}, {"axis": 1, "indexes": [3]}, "ArgumentValueError", "0 to 2"),
            Bad({"X": FOUR}, {"axis": 1, "indexes": [-1]}, "ArgumentValueError", "0 to 2"),
            Bad({"X": FOUR}, {"axis": 1, "indexes": []}, "ArgumentValueError", "indexes"),
            Bad({"X": FOUR[0]}, {"axis": 1, "indexes": [0]}, "ShapeError", "4 dimensions"),
            Bad({"X": draw(1, 2, 2, 2, high=3, dtype="int64")}, {"axis": 1, "indexes": [0]}, "DtypeError", "int64"),
        ],
    ),
]
