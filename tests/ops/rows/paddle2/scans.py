"""Running products and extremes, and elements chosen by rank, as PaddlePaddle 2 has them; tests/interop compares them with 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
X = np.random.RandomState(5).permutation(24).reshape(2, 3, 4).astype("float32") / 8 - 1
OFTEN = np.array([[3, 1, 1, 3, 2], [5, 5, 4, 6, 7]])


def one(x, attrs=None, slot="X", grads=None):
    return Sample({slot: x}, attrs, excluded=WHY, grads=grads)


def whole(slot="X"):
    return [one(draw(2, 3, low=-9, high=9, dtype=t), {}, slot) for t in ("int32", "int64")]


def bad(attrs, error, match, x=X, slot="X"):
    return Bad({slot: x}, attrs, error, match)


def running(type):
    samples = [one(X, {}, "x"), one(X, {"axis": 0}, "x"), one(X, {"axis": 1, "dtype": 2}, "x"), *whole("x")]
    samples.append(one(np.float32([1, np.nan, 2, 0, 2]), {}, "x", grads=()))
    return Row(type, samples, [bad({"axis": 3}, "ShapeError", "axis", slot="x")])


def extreme(type):
    samples = [
        one(X, {"dim": [1]}), one(X, {"dim": [0, -1], "keep_dim": True}), one(X, {"dim": [], "reduce_all": True}),
        one(np.float32([[2, 1, 2, 1], [0, 0, 0, 1]]), {"dim": [1]}, grads=()),
    ]  # fmt: skip
    whole = [one(draw(2, 3, low=-9, high=9, dtype=t), {"dim": [1]}) for t in ("int32", "int64")]
    return Row(type, samples + whole, [bad({"dim": [3]}, "ShapeError", "dim")])


ROWS = [
    Row(
        "cumprod",
        [
            one(X, {"dim": 1}),
            one(X * (np.abs(X) > 0.3), {"dim": -1}),
            one(draw(3), {"dim": 0}),
            *(one(draw(2, 3, low=-9, high=9, dtype=t), {"dim": 1}) for t in ("int32", "int64")),
        ],
        [bad({"dim": 3}, "ShapeError", "dim"), bad({"dim": 0}, "DtypeError", "float or integer", np.array([True]))],
    ),
    Row(
        "logcumsumexp",
        [
            one(X),
            one(X, {"axis": 0, "reverse": True}),
            one(X, {"axis": 1, "exclusive": True}, grads=()),
            one(X, {"flatten": True}),
        ],
        [bad({"axis": 3}, "ShapeError", "axis"), bad({}, "DtypeError", "float dtype", OFTEN)],
    ),
    running("cummax"),
    running("cummin"),
    Row(
        "kthvalue",
        [one(X, {"k": 2}), one(X, {"k": 3, "axis": 1, "keepdim": True}), *whole()],
        [bad({"k": 5}, "ArgumentValueError", "1 to 4"), bad({"k": 0}, "ArgumentValueError", "1 to 4")],
    ),
    Row(
        "mode",
        [
            one(OFTEN),
            one(OFTEN.astype("int32"), {"keepdim": True}),
            one(OFTEN.T.astype("float32"), {"axis": 0}, grads=()),
            one(X),
        ],
        [bad({"axis": 3}, "ShapeError", "axis")],
    ),
    extreme("reduce_amax"),
    extreme("reduce_amin"),
]
