"""Operators with indices as PaddlePaddle 2 has them; tests/interop compares them with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
X = draw(3, 4)
INDEX = np.array([[0, 2, 1, 0], [1, 0, 2, 2]])
SORTED = np.sort(draw(2, 5), -1)


def one(attrs=None, grads=None, dynamic=False, counts=None, outputs=None, **inputs):
    return Sample(inputs, attrs, excluded=WHY, grads=grads, dynamic=dynamic, counts=counts, outputs=outputs)


def whole(*shape, dtype="int64", low=-9):
    return draw(*shape, low=low, high=9, dtype=dtype)


def numbers(*shape):
    return [whole(*shape, dtype=t) for t in ("int32", "int64")]


def bad(error, match, attrs=None, **inputs):
    return Bad(inputs, attrs, error, match)


def put(how="assign", x=X, value=None, axis=0, **more):
    value = draw(2, 4, low=0.5, seed=4).astype(x.dtype) if value is None else value
    return one({"Axis": axis, "Reduce": how}, Input=x, Index=INDEX, Value=value, **more)


def triangle(type, *names):
    attrs = [dict(zip((*names, "offset", "dtype"), given)) for given in ((3, 3, 0, 3), (2, 4, 1, 2), (4, 2, -1, 3))]
    errors = [bad("ArgumentValueError", "sizes from 0 on", dict(zip(names, (-1, 2))))]
    return Row(type, [one(each) for each in attrs], errors)


LAST = np.array([1.0], "float32")
ROWS = [
    Row(
        "put_along_axis",
        [
            put(value=draw(2, 4, seed=4), grads=()),
            one({"Axis": 1}, Input=X, Index=np.array([[3, 0], [1, 2], [2, 0]]), Value=draw(3, 2, seed=4)),
            put("add"),
            put("mul", x=draw(3, 4, low=0.5)),
            one({"Axis": 1, "Reduce": "add"}, Input=X, Index=np.array([[3, 0], [1, 2], [2, 0]]), Value=draw(3, 2)),
            *(put("add", x=each) for each in numbers(3, 4)),
        ],
        [
            bad("ShapeError", "the rank of Input", {"Axis": 0}, Input=X, Index=np.array([0]), Value=X),
            bad("ShapeError", "Input(Value)", {"Axis": 0}, Input=X, Index=INDEX, Value=draw(2, 1)),
            bad("ArgumentValueError", "0 to 2", {"Axis": 0}, Input=X, Index=INDEX + 1, Value=draw(2, 4)),
            bad(
                "ArgumentValueError", "'Reduce'", {"Axis": 0, "Reduce": "mean"}, Input=X, Index=INDEX, Value=draw(2, 4)
            ),
            bad("DtypeError", "Input(Value)", {"Axis": 0}, Input=X, Index=INDEX, Value=draw(2, 4, dtype="float64")),
        ],
    ),
    Row(
        "index_add",
        [
            one(X=X, Index=np.array([0, 2, 0]), AddValue=draw(3, 4, seed=4)),
            one({"axis": -1}, X=X, Index=np.array([3, 1], "int32"), AddValue=draw(3, 2, seed=4)),
            *(one(X=each, Index=np.array([0]), AddValue=each[:1]) for each in numbers(3, 4)),
        ],
        [
            bad("ShapeError", "Input(AddValue)", X=X, Index=np.array([0, 1]), AddValue=draw(3, 4)),
            bad("ArgumentValueError", "0 to 2", X=X, Index=np.array([3]), AddValue=draw(1, 4)),
        ],
    ),
    Row(
        "repeat_interleave",
        [
            one({"Repeats": 2}, X=X),
            one({"Repeats": 3, "dim": 1}, X=X),
            one({"dim": 0}, X=X, RepeatsTensor=np.array([2, 0, 1]), dynamic=True),
            *(one({"Repeats": 2}, X=each) for each in numbers(2, 3)),
        ],
        [
            bad("ArgumentValueError", "1 or more", {}, X=X),
            bad("ShapeError", "[3]", {}, X=X, RepeatsTensor=np.array([1, 2])),
        ],
    ),
    Row(
        "searchsorted",
        [
            one(SortedSequence=SORTED, Values=draw(2, 3, seed=7)),
            one({"right": True, "out_int32": True}, SortedSequence=SORTED[0], Values=SORTED[:, 1:4]),
            one(SortedSequence=SORTED[0], Values=SORTED[1]),
            *(one(SortedSequence=np.sort(each), Values=each) for each in numbers(6)),
        ],
        [
            bad("ShapeError", "Input(Values)", SortedSequence=SORTED, Values=draw(3, 3)),
            bad("ShapeError", "2 dimensions", SortedSequence=SORTED, Values=draw(3)),
            bad("DtypeError", "Input(Values)", SortedSequence=SORTED, Values=whole(2, 3)),
        ],
    ),
    Row(
        "bincount",
        [
            one({"minlength": 4}, X=np.array([2, 0, 2, 1]), dynamic=True),
            one(X=np.array([5, 1], "int32"), dynamic=True),
            one(X=np.array([1, 1, 0]), Weights=draw(3), dynamic=True),
        ],
        [
            bad("ArgumentValueError", "from 0 on", X=np.array([1, -1])),
            bad("ShapeError", "one dimension", X=np.array([[1]])),
            bad("ShapeError", "Input(Weights)", X=np.array([1]), Weights=draw(2)),
        ],
    ),
    Row(
        "unique_consecutive",
        [
            one({"dtype": 3}, X=np.float32([1, 1, 2, 1, 1]), dynamic=True, outputs=["Out"]),
            one(
                {"return_inverse": True, "return_counts": True, "dtype": 3}, X=np.array([[1, 1], [2, 2]]), dynamic=True
            ),
            one(
                {"return_inverse": True, "return_counts": True, "dtype": 2, "axis": [0]},
                X=np.array([[1, 1], [1, 1], [2, 1]], "int32"),
                dynamic=True,
            ),
        ],
        [bad("ShapeError", "axis", {"axis": [2]}, X=X)],
    ),
    triangle("tril_indices", "rows", "cols"),
    triangle("triu_indices", "row", "col"),
    Row(
        "logspace",
        [
            one({"dtype": 5}, Start=LAST * 0, Stop=LAST * 2, Num=np.array([3], "int32"), Base=LAST * 10, dynamic=True),
            one(
                {"dtype": 3},
                Start=np.array([0]),
                Stop=np.array([3]),
                Num=np.array([4], "int32"),
                Base=np.array([2]),
                dynamic=True,
            ),
            one(
                {"dtype": 2},
                Start=np.array([0], "int32"),
                Stop=np.array([3], "int32"),
                Num=np.array([2], "int32"),
                Base=np.array([2], "int32"),
                dynamic=True,
            ),
        ],
        [
            bad(
                "ArgumentValueError",
                "1 or more",
                {"dtype": 5},
                Start=LAST,
                Stop=LAST,
                Num=np.array([0], "int32"),
                Base=LAST,
            ),
            bad("DtypeError", "Num", {"dtype": 5}, Start=LAST, Stop=LAST, Num=LAST, Base=LAST),
        ],
    ),
    Row(
        "empty",
        [Sample({}, {"shape": [2, 3], "dtype": kind}, excluded=WHY, outputs=[]) for kind in (0, 1, 2, 3, 5, 6)]
        + [one({"dtype": 3}, ShapeTensor=np.array([2, 1], "int32"), dynamic=True, outputs=[])],
        [bad("ShapeError", "sizes from 0 on", {"shape": [-1]})],
    ),
    Row(
        "diag_v2",
        [
            one(X=draw(3)),
            one({"offset": 1, "padding_value": 7.0}, X=draw(3)),
            one({"offset": -1}, X=X),
            one({"offset": 2}, X=X),
            *(one(X=each) for each in numbers(2)),
        ],
        [bad("ShapeError", "1 or 2 dimensions", X=draw(2, 2, 2))],
    ),
    Row(
        "broadcast_tensors",
        [
            one(X=[draw(3, 1), draw(4)], counts={"Out": 2}),
            *(one(X=[whole(2, 1, dtype=t), whole(3, dtype=t)], counts={"Out": 2}) for t in ("int32", "int64")),
            one(X=[draw(2, 1, dtype="bool"), draw(3, dtype="bool")], counts={"Out": 2}),
        ],
        [bad("ShapeError", "broadcast_tensors", X=[draw(3, 2), draw(4)])],
    ),
]
