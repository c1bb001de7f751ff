"""Reductions over some or all dimensions."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

ALL_NAMED = "Paddle returns uninitialised memory where dim names every dimension"
DEEP = "Paddle returns uninitialised memory for parts of rank 5"
LOD = {"X": [[0, 1, 3]]}

ATTRS = [
    {},
    {"dim": [1]},
    {"dim": [-1]},
    {"dim": [-1], "keep_dim": True},
    {"dim": [0, 2]},
    {"dim": [2, 0], "keep_dim": True},
    {"dim": [-1, 1]},
    {"reduce_all": True},
]
KEPT = {"reduce_all": True, "keep_dim": True}


def calls(draw_one, dtypes):
    """Calls that every reduction takes; `draw_one(*shape, dtype=...)` makes their inputs."""
    samples = [Sample({"X": draw_one(2, 3, 4, dtype=dtypes[0])}, attrs) for attrs in ATTRS]
    samples += [Sample({"X": draw_one(3, 4, dtype=t)}, {"dim": [1]}) for t in dtypes[1:]]
    samples += [Sample({"X": draw_one(3, 4, dtype=t)}, {"reduce_all": True}) for t in dtypes[1:]]
    first = dtypes[0]
    return samples + [
        Sample({"X": draw_one(2, 3, 4, dtype=first)}, KEPT, grads=()),
        Sample({"X": draw_one(5, dtype=first)}, note="a vector gives [1]"),
        Sample({"X": draw_one(5, dtype=first)}, {"keep_dim": True}),
        Sample({"X": draw_one(2, 2, 1, 2, 2, dtype=first)}, {"reduce_all": True}),
        Sample({"X": draw_one(3, 2, dtype=first)}, {"dim": [1]}, lods=LOD),
        Sample({"X": draw_one(3, 2, dtype=first)}, {"dim": [0]}, lods=LOD),
        Sample({"X": draw_one(3, 2, dtype=first)}, {"reduce_all": True}, lods=LOD),
    ]


def undefined(draw_one):
    """Calls for which Paddle's numbers mean nothing."""
    return [
        Sample({"X": draw_one(2, 3, dtype="float32")}, {"dim": [0, 1]}, excluded=ALL_NAMED),
        Sample({"X": draw_one(2, 3, dtype="float32")}, {"dim": [1, 0], "keep_dim": True}, excluded=ALL_NAMED),
        Sample({"X": draw_one(2, 2, 1, 2, 2, dtype="float32")}, {"dim": [1, 3]}, excluded=DEEP),
    ]


def distinct(*shape, dtype="float32"):
    """Numbers far from each other and from 0, in no order."""
    values = np.random.RandomState(len(shape)).permutation(int(np.prod(shape))) - 2
    return (
        (values.reshape(shape) * 0.25 + 0.125).astype(dtype)
        if dtype.startswith("f")
        else values.reshape(shape).astype(dtype)
    )


def other_dtypes():
    """Sums in another dtype than X's."""
    return [
        Sample({"X": draw(2, 3, low=-9, high=9, dtype="int64")}, {"dim": [1], "in_dtype": 3, "out_dtype": 5}),
        Sample({"X": draw(2, 3, low=-9, high=9)}, {"dim": [0], "in_dtype": 5, "out_dtype": 2}, grads=()),
        Sample({"X": draw(2, 3)}, {"reduce_all": True, "in_dtype": 5, "out_dtype": 6}, grads=()),
    ]


def errors(x):
    return [
        Bad({"X": x}, {"dim": [2]}, "ShapeError", "'dim'"),
        Bad({"X": x}, {"dim": [-3]}, "ShapeError", "-2 to 1"),
        Bad({"X": x}, {"dim": [1, -1]}, "ShapeError", "different"),
        Bad({"X": x}, {"dim": 1}, "ArgumentTypeError", "'dim'"),
    ]


NUMBERS = [*errors(draw(2, 3)), Bad({"X": draw(2, dtype="bool")}, {}, "DtypeError", "bool")]
NONE = [Bad({"X": draw(0, 3)}, {}, "ShapeError", "[0, 3]")]
TRUTHS = [*errors(draw(2, 3, dtype="bool")), Bad({"X": draw(2)}, {}, "DtypeError", "float32")]
NO_GRADIENT = Sample({"X": draw(2, 3)}, KEPT, excluded="Paddle's gradient of a full reduction with keep_dim fails")
UNWRITTEN = Sample(
    {"X": draw(2, 3)}, KEPT, excluded="Paddle's gradient of a full reduction with keep_dim holds memory not written"
)
DTYPES = ("float32", "float64", "int32", "int64")


def drawn(*shape, dtype):
    return draw(*shape, low=-3, high=3, dtype=dtype)


def near_one(*shape, dtype):
    return (
        draw(*shape, low=0.5, high=1.5, dtype=dtype)
        if dtype.startswith("f")
        else draw(*shape, low=-2, high=2, dtype=dtype)
    )


TIED = {"X": np.array([[1.0, 2, 2], [0, 0, 3], [-1, -1, -1]])}
ZEROS = {"X": np.array([[1.0, 2, 2], [0, 4, 3], [0, 0, 3]])}

ROWS = [
    Row(
        "reduce_sum",
        [*calls(drawn, DTYPES), *undefined(drawn), *other_dtypes(), Sample({"X": draw(0, 3)}), UNWRITTEN],
        NUMBERS,
        double=True,
    ),
    Row("reduce_mean", [*calls(drawn, DTYPES), *undefined(drawn), NO_GRADIENT], NUMBERS + NONE, double=True),
    Row(
        "reduce_max",
        [*calls(distinct, DTYPES), *undefined(distinct), NO_GRADIENT, Sample(TIED, {"dim": [1]}, note="ties")],
        NUMBERS + NONE,
    ),
    Row(
        "reduce_min",
        [*calls(distinct, DTYPES), *undefined(distinct), NO_GRADIENT, Sample(TIED, {"dim": [1]}, note="ties")],
        NUMBERS + NONE,
    ),
    Row(
        "reduce_prod",
        [
            *calls(near_one, DTYPES),
            *undefined(near_one),
            NO_GRADIENT,
            Sample(ZEROS, {"dim": [1]}, grads=(), note="zeros"),
            Sample(
                {"X": ZEROS["X"].astype("float32")},
                {"dim": [1]},
                excluded="Paddle's gradient of a product with zeros is NaN",
            ),
        ],
        NUMBERS,
    ),
    Row("reduce_all", calls(lambda *shape, dtype: draw(*shape, dtype=dtype), ("bool",)), TRUTHS),
    Row("reduce_any", calls(lambda *shape, dtype: draw(*shape, dtype=dtype), ("bool",)), TRUTHS),
]
