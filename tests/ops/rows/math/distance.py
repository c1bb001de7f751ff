"""Lengths of vectors and distances between them."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

INF = float("inf")


def one(*shape, dtype="float32", attrs=None, **more):
    return Sample({"X": away(draw(*shape, dtype=dtype), 0.0)}, attrs, **more)


def whole(**attrs):
    return Bad({"X": draw(2, 3, high=5, dtype="int64")}, attrs, "DtypeError", "int64")


def norm():
    samples = [
        one(2, 3, attrs={"axis": 1}),
        one(2, 3, attrs={"axis": 1}, dtype="float64"),
        one(2, 3, 4, attrs={"axis": 1}),
        one(2, 3, 4, attrs={"axis": -3, "epsilon": 0.5}),
        one(2, 3, attrs={"axis": -1, "epsilon": 0.1}, dtype="float64", note="epsilon is a float32"),
        one(3, 2, attrs={"axis": 1}, lods={"X": [[0, 1, 3]]}),
        Sample({"X": np.zeros((2, 3), "float32")}, {"axis": 1}, grads=(), note="of length 0"),
    ]
    errors = [
        Bad({"X": draw(2, 3)}, {"axis": 2}, "ArgumentValueError", "'axis'"),
        Bad({"X": draw(2, 3)}, {}, "ArgumentTypeError", "'axis'"),
        whole(axis=1),
    ]
    return Row("norm", samples, errors)


def p_norm():
    vector = "Paddle gives rank 0, results here are of rank 1 or more"
    samples = [
        one(2, 3),
        one(2, 3, dtype="float64"),
        *[one(2, 3, 2, attrs={"porder": p, "axis": 1}) for p in (0.5, 1.0, 2.0, 3.0, 2.5)],
        one(2, 3, attrs={"porder": 3.0, "axis": 0, "keepdim": True}),
        one(2, 3, attrs={"axis": -2}),
        one(4, attrs={"porder": 1.5}, excluded=vector),
        one(4, attrs={"keepdim": True}),
        one(3, 2, lods={"X": [[0, 1, 3]]}),
        Sample({"X": np.array([[0.0, 0.0], [0.0, 2.0], [-1.0, 2.0]])}, {"epsilon": 1e-3}, note="zeros"),
        Sample({"X": np.array([[0.0, 0.0], [0.0, 2.0]])}, {"porder": 1.0}, note="zeros"),
    ]
    errors = [
        *[Bad({"X": draw(2, 3)}, {"porder": p}, "ArgumentValueError", "'porder'") for p in (0.0, -1.0, INF)],
        Bad({"X": draw(2, 3)}, {"axis": 2}, "ArgumentValueError", "'axis'"),
        whole(),
    ]
    return Row("p_norm", samples, errors)


def frobenius_norm():
    samples = [
        one(2, 3, attrs={"dim": [0, 1], "reduce_all": True}),
        one(2, 3, attrs={"dim": [0, 1], "reduce_all": True}, dtype="float64"),
        one(
            2,
            3,
            attrs={"dim": [0, 1], "reduce_all": True, "keep_dim": True},
            excluded="Paddle refuses the two together",
        ),
        one(2, 3, 2, attrs={"dim": [1, 2], "keep_dim": True}),
        one(2, 3, 2, attrs={"dim": [-1, 0]}),
        one(2, 3),
        one(3, attrs={"reduce_all": True}),
        one(3, 2, attrs={"dim": [1]}, lods={"X": [[0, 1, 3]]}),
        Sample({"X": np.zeros((2, 2), "float32")}, {"dim": [1]}, grads=(), note="of length 0"),
    ]
    errors = [Bad({"X": draw(2, 3)}, {"dim": [2]}, "ShapeError", "'dim'"), whole()]
    return Row("frobenius_norm", samples, errors)


def squared_l2_norm():
    samples = [one(2, 3), one(4), one(3, 2, lods={"X": [[0, 1, 3]]}), one(20, 30)]
    return Row("squared_l2_norm", samples, [whole()])


def clip_by_norm():
    def clipped(*shape, most, **more):
        return one(*shape, attrs={"max_norm": most}, **more)

    right = "Paddle gives NaN"
    samples = [
        clipped(2, 3, most=1.0),
        clipped(2, 3, most=100.0),
        clipped(2, 3, 2, most=0.1),
        clipped(3, 2, most=0.5, lods={"X": [[0, 1, 3]]}),
        Sample({"X": np.zeros((2, 3), "float32")}, {"max_norm": 1.0}, excluded=right, note="of length 0"),
    ]
    errors = [
        Bad({"X": draw(2, 3)}, {"max_norm": -1.0}, "ArgumentValueError", "'max_norm'"),
        Bad({"X": draw(2, 3)}, {"max_norm": 0.0}, "ArgumentValueError", "'max_norm'"),
        Bad({"X": draw(2, 3)}, {}, "ArgumentTypeError", "'max_norm'"),
        whole(max_norm=1.0),
    ]
    return Row("clip_by_norm", samples, errors)


def pair(x, y, attrs=None, dtype="float32", **more):
    return Sample({"X": draw(*x, dtype=dtype), "Y": draw(*y, dtype=dtype, seed=1)}, attrs, **more)


def dist():
    equal = draw(2, 3)
    samples = [
        pair((2, 3), (2, 3)),
        pair((2, 3), (2, 3), dtype="float64"),
        *[pair((2, 3), (3,), {"p": p}) for p in (1.0, 3.0, 0.5, -1.0, INF, -INF)],
        pair((2, 3), (2, 3), {"p": 0.0}, grads=()),
        pair((1, 3), (2, 1), {"p": 3.0}),
        pair((2, 1, 2), (3, 1), {"p": 1.5}),
        pair((1,), (1,)),
        pair((3, 2), (3, 2), lods={"X": [[0, 1, 3]]}),
        Sample({"X": equal, "Y": equal}, {"p": 2.0}, grads=(), note="no distance"),
        Sample({"X": np.array([1.0, 2.0, 5.0]), "Y": np.array([1.0, 3.0, 4.0])}, {"p": INF}, note="equal gaps"),
        Sample({"X": np.array([1.0, 2.0, 5.0]), "Y": np.array([1.0, 3.0, 4.0])}, {"p": 1.0}, note="a gap of 0"),
    ]
    errors = [
        Bad({"X": draw(2, 3), "Y": draw(2, 4)}, {}, "ShapeError", "Input(Y)"),
        Bad({"X": draw(2, 3), "Y": draw(2, 3, dtype="float64")}, {}, "DtypeError", "Input(Y)"),
        Bad({"X": draw(0, 3), "Y": draw(1, 3)}, {}, "ShapeError", "one element"),
    ]
    return Row("dist", samples, errors)


def cos_sim():
    samples = [
        pair((2, 3), (2, 3)),
        pair((2, 3), (1, 3)),
        pair((2, 3, 2), (2, 3, 2)),
        pair((2, 3, 2), (1, 3, 2)),
        pair((3, 2), (3, 2), lods={"X": [[0, 1, 3]]}),
        Sample({"X": np.zeros((2, 3), "float32"), "Y": draw(2, 3)}, grads=(), note="of length 0"),
    ]
    errors = [
        Bad({"X": draw(3), "Y": draw(3)}, {}, "ShapeError", "Input(X)"),
        Bad({"X": draw(3, 2), "Y": draw(2, 2)}, {}, "ShapeError", "Input(Y)"),
        Bad({"X": draw(3, 2), "Y": draw(3, 1)}, {}, "ShapeError", "Input(Y)"),
        Bad({"X": draw(3, 2), "Y": draw(2)}, {}, "ShapeError", "Input(Y)"),
        Bad({"X": draw(3, 2), "Y": draw(3, 2, dtype="float64")}, {}, "DtypeError", "Input(Y)"),
    ]
    return Row("cos_sim", samples, errors)


ROWS = [norm(), p_norm(), frobenius_norm(), squared_l2_norm(), clip_by_norm(), dist(), cos_sim()]
