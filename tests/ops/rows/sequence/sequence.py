"""Operators that compute over the rows of each sequence."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

POOLS = ("AVERAGE", "SUM", "SQRT", "MAX", "FIRST", "LAST")
LONG = [[0, 40]]
EMPTY = [[0, 2, 2, 6]]
NESTED = [[0, 2, 2, 3], [0, 2, 2, 6]]


def apart(*shape):
    """Numbers of which no two are near each other."""
    count = int(np.prod(shape))
    order = np.random.RandomState(count).permutation(count)
    return ((order - count // 2) * 0.25).reshape(shape).astype("float32")


def pool(pooltype, lod, rows=6, *more, **attrs):
    return Sample({"X": apart(rows, *(more or (3,)))}, {"pooltype": pooltype, **attrs}, lods={"X": lod}, dynamic=True)


def soft(lod, *shape, **more):
    return Sample({"X": draw(*shape)}, lods={"X": lod}, **more)


def conv(lod, rows=6, length=3, begin=-1, width=2, out=4, padding=0, **more):
    inputs = {"X": draw(rows, width), "Filter": draw(length * width, out)}
    attrs = {"contextLength": length, "contextStart": begin}
    if padding:
        inputs["PaddingData"] = draw(padding, width)
        attrs["paddingTrainable"] = True
    return Sample(inputs, attrs, lods={"X": lod}, **more)


X = draw(6, 2)

ROWS = [
    Row(
        "sequence_pool",
        [
            *[pool(kind, EMPTY, pad_value=0.5) for kind in POOLS],
            *[pool(kind, NESTED) for kind in POOLS],
            *[pool(kind, LONG, 40, 1) for kind in POOLS],
            *[Sample({"X": apart(6)}, {"pooltype": kind}, lods={"X": EMPTY}, dynamic=True) for kind in POOLS if kind != "MAX"],
            pool("MAX", [[0, 1, 6]], 6, 2, 3),
            pool("SQRT", [[0, 1, 6]], 6, 2, 3),
            pool("MAX", [[0, 6]], 6, 1, pad_value=-1.0),
            Sample({"X": np.array([[1, 2], [1, 2], [1, 3]], "float32")}, {"pooltype": "MAX"}, lods={"X": [[0, 3]]},
                   grads=(), dynamic=True, note="equal numbers"),
            Sample({"X": apart(6, 2)}, {"pooltype": "MAX", "is_test": True}, lods={"X": EMPTY}, grads=(), dynamic=True),
            Sample({"X": apart(6, 2)}, {"pooltype": "SUM", "is_test": True}, lods={"X": EMPTY}, dynamic=True),
            Sample({"X": draw(2, 2)}, {"pooltype": "SUM", "pad_value": 3.0}, lods={"X": [[0, 0, 0, 2]]}, dynamic=True,
                   note="more sequences than rows", excluded="Paddle wants at least as many rows as sequences"),
            Sample({"X": draw(0, 2)}, {"pooltype": "LAST", "pad_value": 3.0}, lods={"X": [[0, 0, 0]]}, dynamic=True,
                   note="nothing but empty sequences", excluded="Paddle wants at least as many rows as sequences"),
            Sample({"X": apart(6, 2)}, {"pooltype": "MIN", "pad_value": 2.0}, lods={"X": EMPTY}, dynamic=True,
                   excluded="Paddle has no such pooling"),
            Sample({"X": apart(6, 2)}, {"pooltype": "MIN"}, lods={"X": NESTED}, dynamic=True,
                   excluded="Paddle has no such pooling"),
            Sample({"X": draw(4, 2)}, {"pooltype": "SUM"}, lods={"X": [[0, 1, 2], [0, 1, 3], [0, 1, 2, 4]]},
                   dynamic=True, note="three levels", excluded="Paddle takes two levels at most"),
        ],
        [
            Bad({"X": X}, {"pooltype": "SUM"}, "LoDError", "no LoD"),
            Bad({"X": X}, {"pooltype": "MEAN"}, "ArgumentValueError", "'MEAN'", {"X": [[0, 6]]}),
            Bad({"X": X}, {"pooltype": "MAX"}, "LoDError", "last offset 5 at position 2 of level 0", {"X": [[0, 2, 5]]}),
            Bad({"X": draw(6)}, {"pooltype": "MAX"}, "ShapeError", "2 dimensions", {"X": [[0, 6]]}),
            Bad({"X": np.ones((6, 1), "int64")}, {"pooltype": "MAX"}, "DtypeError", "int64", {"X": [[0, 6]]}),
        ],
    ),
    Row(
        "sequence_softmax",
        [
            soft(EMPTY, 6, 1),
            soft([[0, 2, 6]], 6),
            soft(LONG, 40, 1),
            soft(NESTED, 6, 1),
            soft([[0, 1, 2]], 2, 1, note="sequences of one row"),
        ],
        [
            Bad({"X": draw(6, 1)}, {}, "LoDError", "no LoD"),
            Bad({"X": draw(6, 2)}, {}, "ShapeError", "[rows, 1]", {"X": [[0, 6]]}),
            Bad({"X": draw(6, 1, 1)}, {}, "ShapeError", "[rows, 1]", {"X": [[0, 6]]}),
            Bad({"X": draw(6, 1)}, {}, "LoDError", "level 1", {"X": [[0, 1], [0, 4]]}),
            Bad({"X": np.ones((6, 1), "int64")}, {}, "DtypeError", "int64", {"X": [[0, 6]]}),
        ],
    ),
    Row(
        "sequence_conv",
        [
            conv(EMPTY),
            conv(LONG, 40, length=5, begin=-2),
            conv([[0, 2, 6]], begin=0),
            conv([[0, 2, 6]], begin=-2),
            conv([[0, 2, 6]], begin=1),
            conv([[0, 1, 2, 6]], length=4, begin=-2, note="sequences shorter than the window"),
            conv([[0, 1, 6]], begin=2, note="a sequence that no window reaches",
                 excluded="Paddle's gradient of Filter is not that of its results, by differences"),
            conv([[0, 6]], length=1, begin=0, width=1, out=1),
            conv([[0, 2, 6]], padding=2),
            conv([[0, 1, 4, 6]], length=4, begin=-2, padding=3),
            conv([[0, 2, 6]], begin=1, padding=3),
            conv([[0, 2, 6]], begin=-3, excluded="Paddle refuses windows that end before their row"),
            Sample({"X": X, "Filter": draw(6, 2), "PaddingData": draw(2, 2)}, {"contextLength": 3, "contextStart": -1},
                   lods={"X": EMPTY}, grads=("X", "Filter"), note="padding that is not used"),
        ],
        [
            Bad({"X": X, "Filter": draw(6, 2)}, {"contextLength": 3}, "LoDError", "no LoD"),
            Bad({"X": X, "Filter": draw(6, 2)}, {"contextLength": 3}, "LoDError", "2 LoD levels", {"X": NESTED}),
            Bad({"X": X, "Filter": draw(5, 2)}, {"contextLength": 3}, "ShapeError", "[6, -1]", {"X": EMPTY}),
            Bad({"X": X, "Filter": draw(6, 2)}, {"contextLength": 0}, "ArgumentValueError", "contextLength", {"X": EMPTY}),
            Bad({"X": X, "Filter": draw(6, 2)}, {"contextLength": 3, "contextStride": 2}, "ArgumentValueError",
                "contextStride", {"X": EMPTY}),
            Bad({"X": X, "Filter": draw(6, 2)}, {"contextLength": 3, "paddingTrainable": True}, "ArgumentValueError",
                "PaddingData", {"X": EMPTY}),
            Bad({"X": X, "Filter": draw(6, 2), "PaddingData": draw(1, 2)},
                {"contextLength": 3, "paddingTrainable": True}, "ShapeError", "[2, 2]", {"X": EMPTY}),
            Bad({"X": X, "Filter": draw(6, 2, dtype="float64")}, {"contextLength": 3}, "DtypeError", "float64", {"X": EMPTY}),
        ],
    ),
]  # fmt: skip
