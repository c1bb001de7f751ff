"""Elementwise operators of two arrays."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

SWAPPED = "Paddle swaps X and Y where X has fewer dimensions"


def two(x, y, axis=-1, dtype="float32", low=-1.0, high=1.0, lods=None, note="", swaps=False):
    """A call with arrays of these shapes; no two elements of them are equal."""
    inputs = {
        "X": draw(*x, dtype=dtype, low=low, high=high, seed=1),
        "Y": draw(*y, dtype=dtype, low=low, high=high, seed=2),
    }
    excluded = SWAPPED if swaps and len(x) < len(y) else ""
    return Sample(inputs, {} if axis == -1 else {"axis": axis}, lods=lods, note=note, excluded=excluded)


def pairs(**given):
    """Calls that every elementwise operator takes: equal shapes, trailing and inner broadcasts, either side smaller."""
    shapes = [
        ((2, 3), (2, 3)),
        ((2, 3, 4), (4,)),
        ((2, 3, 4), (3,), 1),
        ((2, 3, 4), (2, 3), 0),
        ((2, 3, 4), (3, 1), 1),
        ((2, 3, 4), (3, 4), 1),
        ((2, 3, 2, 2), (3,), 1),
        ((2, 3), (1,)),
        ((2, 3), (1,), 0),
        ((4,), (2, 3, 4)),
        ((3,), (2, 3, 4), 1),
        ((2, 1, 4), (2, 3, 4)),
        ((2, 3, 4), (2, 1, 4)),
        ((2, 1), (1, 3)),
        ((2, 3), (3, 1, 1)),
    ]
    return [two(*s, **given) for s in shapes] + [
        two((3, 2), (3, 2), lods={"X": [[0, 1, 3]]}, **given),
        two((3, 2), (2,), lods={"X": [[0, 1, 3]], "Y": [[0, 1, 2]]}, **given),
        two((2, 3), (2, 3), dtype="float64", **given),
        two((0, 3), (0, 3), **given),
    ]


def whole(low=-9, high=9):
    """Calls with whole numbers other than 0."""

    def drawn(dtype, shape, seed):
        array = draw(*shape, low=low, high=high, dtype=dtype, seed=seed)
        return np.where(array == 0, 3, array).astype(dtype)

    def sample(dtype, x, y):
        return Sample({"X": drawn(dtype, x, 1), "Y": drawn(dtype, y, 2)})

    return [sample(t, x, y) for t in ("int32", "int64") for x, y in (((3, 4), (3, 4)), ((3, 4), (4,)))]


def at(x, y, note, dtype="float64"):
    """A call at points of interest."""
    return Sample({"X": np.array(x, dtype), "Y": np.array(y, dtype)}, note=note)


ERRORS = [
    Bad({"X": draw(2, 3), "Y": draw(2, 4)}, {}, "ShapeError", "dimension 1"),
    Bad({"X": draw(2, 3), "Y": draw(2)}, {}, "ShapeError", "dimension 1"),
    Bad({"X": draw(2, 3), "Y": draw(3)}, {"axis": 2}, "ShapeError", "axis"),
    Bad({"X": draw(2, 3, 4), "Y": draw(3, 4)}, {"axis": 2}, "ShapeError", "[3, 4]"),
    Bad({"X": draw(2, 3), "Y": draw(3)}, {"axis": -2}, "ShapeError", "axis"),
    Bad({"X": draw(2, 3), "Y": draw(2, 3, dtype="float64")}, {}, "DtypeError", "float64"),
    Bad({"X": draw(2, 3, dtype="bool"), "Y": draw(2, 3, dtype="bool", seed=1)}, {}, "DtypeError", "bool"),
]
BY_ZERO = [
    Bad({"X": np.array([4, 5]), "Y": np.array([2, 0])}, {}, "ArgumentValueError", "0 at [1]"),
    Bad({"X": np.array([[4], [5]]), "Y": np.array([0, 1])}, {}, "ArgumentValueError", "0 at [0]"),
]
INF = float("inf")
NAN = float("nan")
NAN_WINS = "Paddle takes Y where X is NaN; here NaN stays NaN"
LOST = Sample({"X": np.array([NAN, 1.0]), "Y": np.array([1.0, NAN])}, excluded=NAN_WINS)
TIES = at([1, 2, 3, 0], [1, 3, 2, -0.0], "ties")

ROWS = [
    Row("elementwise_add", [*pairs(), *whole(), at([INF, 1e308], [-INF, 1e308], "no number")], ERRORS, double=True),
    Row("elementwise_sub", [*pairs(), *whole(), at([INF, 1], [INF, -INF], "no number")], ERRORS, double=True),
    Row("elementwise_mul", [*pairs(), *whole(), at([INF, 1e200], [0, 1e200], "no number")], ERRORS, double=True),
    Row(
        "elementwise_div",
        [*pairs(low=0.5, high=2.0), *whole(), at([1, 0, -1, -0.0], [0, 0, 0, 2], "by zero")],
        ERRORS + BY_ZERO,
        double=True,
    ),
    Row("elementwise_max", [*pairs(), *whole(), TIES, LOST], ERRORS, double=True),
    Row("elementwise_min", [*pairs(), *whole(), TIES, LOST], ERRORS, double=True),
    Row(
        "elementwise_pow",
        [
            *pairs(low=0.5, high=2.0, swaps=True),
            *whole(low=-3, high=3),
            Sample({"X": np.array([0, 2]), "Y": np.array([-1, 62])}, excluded="Paddle makes an integer of infinity"),
            Sample({"X": draw(2, 3, low=0.5, high=2.0), "Y": np.array([2.0], "float32")}, note="the square"),
            Sample(
                {"X": draw(2, 3), "Y": np.array([2.0], "float32")}, grads=("X",), note="the square of negative numbers"
            ),
            at([-2, -2, 0, 0, 0, 2, -2, NAN], [2, 3, 0, -1, 2, 0.5, 0.5, 0], "of zero and less"),
        ],
        ERRORS,
        double=True,
    ),
    Row(
        "elementwise_mod",
        [
            *pairs(swaps=True),
            *whole(),
            at([5, -5, 5, -5, 0], [3, 3, -3, -3, 2], "signs"),
            Sample({"X": np.array([1.0, -1.0]), "Y": np.array([INF, INF])}, excluded="Paddle computes infinity * 0"),
            at([1, INF], [0, 2], "no number"),
        ],
        ERRORS + BY_ZERO,
    ),
    Row(
        "elementwise_floordiv",
        [
            *whole(),
            two((2, 3, 4), (3,), 1, dtype="int64", low=1, high=9),
            two((3,), (2, 3), dtype="int32", low=1, high=9, swaps=True),
            two((3, 2), (3, 2), dtype="int32", low=1, high=9, lods={"X": [[0, 1, 3]]}),
        ],
        ERRORS[:-2]
        + BY_ZERO
        + [
            Bad({"X": draw(2), "Y": draw(2, seed=1)}, {}, "DtypeError", "floor"),
            Bad({"X": draw(2, dtype="int32"), "Y": draw(2, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
    ),
]
