"""Comparisons and logic."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

CLOSE = "Paddle takes floats for equal where |x - y| < 1e-8: infinity never is"
LOST = "Paddle leaves the LoD of rows that are gone"
SMALLER = "Paddle gives the result X's shape where X is the smaller one"
NAN = float("nan")
INF = float("inf")


def two(x, y, axis=-1, dtype="float32", excluded="", lods=None):
    """A call with small whole numbers, so that some are equal."""
    inputs = {"X": draw(*x, low=0, high=2, dtype="int32", seed=1), "Y": draw(*y, low=0, high=2, dtype="int32", seed=2)}
    inputs = {k: v.astype(dtype) for k, v in inputs.items()}
    return Sample(inputs, {} if axis == -1 else {"axis": axis}, excluded=excluded, lods=lods)


def comparison(name):
    special = {"X": np.array([NAN, 1, NAN, INF, -INF, 0.0]), "Y": np.array([1, NAN, NAN, 1, INF, -0.0])}
    infinite = {"X": np.array([INF, -INF, 0.0]), "Y": np.array([INF, -INF, 1e-9])}
    return Row(
        name,
        [
            *[two((3, 4), (3, 4), dtype=t) for t in ("float32", "float64", "int32", "int64")],
            two((2, 3, 4), (4,)),
            two((2, 3, 4), (3,), 1),
            two((2, 3), (2, 1)),
            two((2, 3), (1,), dtype="int64"),
            two((4,), (2, 3, 4), excluded=SMALLER),
            two((2, 1), (1, 3), excluded=SMALLER),
            two((3, 2), (3, 2), lods={"X": [[0, 1, 3]]}),
            Sample(special, note="NaN and infinity"),
            Sample(infinite, excluded=CLOSE if name in ("equal", "not_equal") else ""),
            Sample(
                {"X": draw(4, dtype="bool", seed=1), "Y": draw(4, dtype="bool", seed=2)},
                excluded="Paddle compares no bools",
            ),
        ],
        [
            Bad({"X": draw(2, 3), "Y": draw(2, 4)}, {}, "ShapeError", "dimension 1"),
            Bad({"X": draw(2, 3), "Y": draw(3)}, {"axis": 2}, "ShapeError", "axis"),
            Bad({"X": draw(2, 3), "Y": draw(2, 3, dtype="float64")}, {}, "DtypeError", "float64"),
        ],
    )


def truths(*shape, seed=1):
    return draw(*shape, dtype="bool", seed=seed)


def logical(name):
    return Row(
        name,
        [
            Sample({"X": truths(3, 4), "Y": truths(3, 4, seed=2)}),
            Sample({"X": truths(8), "Y": truths(8, seed=2)}),
            Sample({"X": truths(3, 2), "Y": truths(3, 2, seed=2)}, lods={"X": [[0, 1, 3]]}),
        ],
        [
            Bad({"X": truths(2, 3), "Y": truths(3)}, {}, "ShapeError", "[2, 3]"),
            Bad({"X": draw(2, 3), "Y": draw(2, 3, seed=1)}, {}, "DtypeError", "float32"),
            Bad({"X": truths(2), "Y": draw(2, dtype="int64")}, {}, "DtypeError", "Input(Y)"),
        ],
    )


def question(name):
    def of(*values, **given):
        return Sample({"X": np.array(values, given.pop("dtype", "float32"))}, **given)

    return Row(
        name,
        [
            of(1, 2),
            of(1, INF),
            of(NAN, 1),
            of(-INF, NAN, dtype="float64"),
            of(1, 2, dtype="int32"),
            of(1, 2, dtype="int64"),
            Sample({"X": draw(2, 3, 4)}),
            Sample({"X": draw(3, 2)}, lods={"X": [[0, 1, 3]]}),
        ],
    )


def whole():
    equal = draw(2, 3, seed=1)
    return Row(
        "equal_reduce",
        [
            *[
                Sample({"X": np.array([[1, 2]], t), "Y": np.array([[1, 2]], t)})
                for t in ("float32", "float64", "int32", "int64")
            ],
            Sample({"X": equal, "Y": equal}),
            Sample({"X": equal, "Y": draw(2, 3, seed=2)}),
            Sample({"X": np.ones((2, 3)), "Y": np.ones(3)}),
            Sample({"X": np.ones((2, 3)), "Y": np.ones(2)}, {"axis": 0}),
            Sample({"X": np.ones((2, 3)), "Y": np.array([[1.0], [2.0]])}),
            Sample({"X": np.ones(3), "Y": np.ones((2, 3))}, excluded=SMALLER),
            Sample({"X": np.array([NAN]), "Y": np.array([NAN])}),
            Sample({"X": np.array([INF, 0.0]), "Y": np.array([INF, 0.0])}, excluded=CLOSE),
            Sample({"X": np.ones((3, 2)), "Y": np.ones((3, 2))}, lods={"X": [[0, 1, 3]]}, excluded=LOST),
        ],
        [
            Bad({"X": draw(2, 3), "Y": draw(2, 4)}, {}, "ShapeError", "dimension 1"),
            Bad({"X": draw(2), "Y": draw(2, dtype="float64")}, {}, "DtypeError", "float64"),
        ],
    )


NEAR = np.array([1.0, 2.0], "float32")
ODD = np.array([1, np.nan, np.nan], "float32")


def near(x, y, lods=None, note="", **attrs):
    return Sample({"Input": x, "Other": np.array(y, x.dtype)}, attrs, lods=lods, note=note)


ALLCLOSE = [
    near(NEAR, [1, 2.00001]),
    near(NEAR, [1, 2.001]),
    near(NEAR, [1, 2.1], rtol=0.1),
    near(NEAR, [1, 1.75], atol=0.25, rtol=0.0),
    near(NEAR * 0, [0, 1e-7], atol=1e-6),
    near(ODD, ODD),
    near(ODD, ODD, equal_nan=True),
    near(ODD, [1, 2, np.nan], equal_nan=True),
    near(np.array([np.inf, 1], "float32"), [np.inf, 1], note="infinity is not close to itself"),
    near(NEAR.astype("float64"), [1, 2 + 1e-9]),
    near(draw(2, 3), draw(2, 3)),
    near(NEAR, [1, 2], lods={"Input": [[0, 2]]}),
]
ALLCLOSE_ERRORS = [
    Bad({"Input": NEAR, "Other": NEAR[:1]}, {}, "ShapeError", "[2]"),
    Bad({"Input": NEAR, "Other": NEAR.astype("float64")}, {}, "DtypeError", "float64"),
    Bad({"Input": NEAR.astype("int32"), "Other": NEAR.astype("int32")}, {}, "DtypeError", "int32"),
]

ROWS = (
    [comparison(n) for n in ("less_than", "less_equal", "greater_than", "greater_equal", "equal", "not_equal")]
    + [whole()]
    + [logical(n) for n in ("logical_and", "logical_or", "logical_xor")]
    + [
        Row(
            "logical_not",
            [Sample({"X": truths(3, 4)}), Sample({"X": truths(3, 2)}, lods={"X": [[0, 1, 3]]})],
            [Bad({"X": draw(2, 3)}, {}, "DtypeError", "float32")],
        )
    ]
    + [question(n) for n in ("isfinite", "isinf", "isnan")]
    + [
        Row(
            "is_empty",
            [
                *[Sample({"X": draw(2, 3, low=0, high=2, dtype=t)}) for t in ("float32", "float64", "int32", "int64")],
                Sample({"X": draw(0, 3)}),
            ],
        )
    ]
    + [Row("allclose", ALLCLOSE, ALLCLOSE_ERRORS)]
)
