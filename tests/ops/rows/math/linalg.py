"""Products of vectors and matrices beyond matmul, triangles and traces, running sums."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHOLE = ("int32", "int64")
LATER = "1.8.5 has no such operator"


def pair(x, y, dtype="float32", low=-1.0, high=1.0, attrs=None, **more):
    inputs = {"X": draw(*x, low=low, high=high, dtype=dtype), "Y": draw(*y, low=low, high=high, dtype=dtype, seed=1)}
    return Sample(inputs, attrs, **more)


def whole(x, y, attrs=None):
    return [pair(x, y, dtype=t, low=-5, high=5, attrs=attrs) for t in WHOLE]


def bad(x, y, error, match, attrs=None, dtype="float32"):
    sample = pair(x, y, dtype=dtype, high=5)
    return Bad(sample.inputs, attrs or {}, error, match)


def eighths(*shape):
    """Numbers whose products float16 holds exactly."""
    return (np.round(8 * draw(*shape)) / 8).astype("float16")


MIXED = Bad({"X": draw(3, 3, 3), "Y": draw(3, 3, 3, dtype="float64")}, {}, "DtypeError", "float64")
MIXED_ROWS = Bad({"X": draw(3, 3), "Y": draw(3, 3, dtype="float64")}, {}, "DtypeError", "float64")


def bmm():
    samples = [
        pair((2, 3, 4), (2, 4, 2)),
        pair((2, 3, 4), (2, 4, 2), dtype="float64"),
        pair((1, 1, 3), (1, 3, 1)),
        pair((3, 2, 2), (3, 2, 1), lods={"X": [[0, 1, 3]]}),
    ]
    errors = [
        bad((2, 3), (3, 2), "ShapeError", "Input(X)"),
        bad((2, 3, 4), (4, 2), "ShapeError", "Input(Y)"),
        bad((2, 3, 4), (1, 4, 2), "ShapeError", "a batch of 2"),
        bad((2, 3, 4), (2, 3, 2), "ShapeError", "rows: 4"),
        bad((2, 3, 4), (2, 4, 2), "DtypeError", "int64", dtype="int64"),
        MIXED,
    ]
    return Row("bmm", samples, errors, double=True)


def mv():
    def one(x, vector, dtype="float32", **more):
        return Sample({"X": draw(*x, dtype=dtype), "Vec": draw(*vector, dtype=dtype)}, excluded=LATER, **more)

    samples = [
        one((2, 3), (3,)),
        one((2, 3), (3,), "float64"),
        one((1, 1), (1,)),
        one((3, 2), (2,), lods={"X": [[0, 1, 3]]}),
    ]
    errors = [
        Bad({"X": draw(2, 3), "Vec": draw(2)}, {}, "ShapeError", "[3]"),
        Bad({"X": draw(2, 3), "Vec": draw(3, 1)}, {}, "ShapeError", "Input(Vec)"),
        Bad({"X": draw(3), "Vec": draw(3)}, {}, "ShapeError", "Input(X)"),
        Bad({"X": draw(2, 3), "Vec": draw(3, dtype="float64")}, {}, "DtypeError", "Input(Vec)"),
        Bad({"X": draw(2, 3, high=5, dtype="int64"), "Vec": draw(3)}, {}, "DtypeError", "int64"),
    ]
    return Row("mv", samples, errors)


def dot():
    samples = [
        pair((4,), (4,)),
        pair((2, 3), (2, 3)),
        pair((2, 3), (2, 3), dtype="float64"),
        pair((3, 1), (3, 1), lods={"X": [[0, 1, 3]]}),
    ]
    errors = [
        bad((2, 2, 3), (2, 2, 3), "ShapeError", "Input(X)"),
        bad((2, 3), (1, 3), "ShapeError", "the shape of X"),
        bad((2, 3), (3,), "ShapeError", "the shape of X"),
        MIXED_ROWS,
    ]
    return Row("dot", samples + whole((2, 3), (2, 3)), errors, double=True)


def kron():
    samples = [
        pair((2, 3), (2, 2)),
        pair((2, 3), (2, 2), dtype="float64"),
        pair((3,), (2, 2)),
        pair((2, 3, 1), (2,)),
        pair((2,), (3,)),
        pair((1, 2, 3), (2, 1, 2)),
        pair((3, 2), (1, 2), lods={"X": [[0, 1, 3]]}),
        Sample({"X": eighths(2, 2), "Y": eighths(2, 1)}, grads=()),
    ]
    return Row("kron", samples + whole((2, 1), (2, 2)), [MIXED_ROWS], double=True)


def cross():
    samples = [
        pair((2, 3), (2, 3)),
        pair((3, 2), (3, 2)),
        pair((3, 2), (3, 2), dtype="float64"),
        pair((3, 3), (3, 3)),
        pair((3, 3), (3, 3), attrs={"dim": 1}),
        pair((3, 3), (3, 3), attrs={"dim": -2}),
        pair((2, 3, 2), (2, 3, 2)),
        pair((3,), (3,)),
        pair((3, 3), (3, 3), attrs={"dim": -1}, lods={"X": [[0, 1, 3]]}),
    ]
    errors = [
        bad((3, 2), (3, 2), "ShapeError", "'dim'", {"dim": 1}),
        bad((2, 2), (2, 2), "ShapeError", "size 3"),
        bad((2, 3), (1, 3), "ShapeError", "the shape of X"),
        bad((2, 3), (2, 3), "ArgumentValueError", "'dim'", {"dim": 2}),
        bad((2, 3), (2, 3), "ArgumentValueError", "'dim'", {"dim": -3}),
        MIXED_ROWS,
    ]
    return Row("cross", samples + whole((3, 2), (3, 2)), errors, double=True)


def added(shape, x, y, dtype="float32", attrs=None, **more):
    inputs = {
        "Input": draw(*shape, dtype=dtype, seed=2),
        "X": draw(*x, dtype=dtype),
        "Y": draw(*y, dtype=dtype, seed=1),
    }
    return Sample(inputs, attrs, **more)


def addmm():
    samples = [
        added((2, 4), (2, 3), (3, 4)),
        added((2, 4), (2, 3), (3, 4), "float64", {"Alpha": 0.1, "Beta": 0.3}, note="the factors are float32"),
        added((2, 4), (2, 3), (3, 4), attrs={"Alpha": 2.0, "Beta": 0.5}),
        added((2, 4), (2, 3), (3, 4), attrs={"Alpha": 0.0}),
        added((1, 4), (2, 3), (3, 4)),
        added((2, 1), (2, 3), (3, 4), attrs={"Beta": -2.0}),
        added((1, 1), (2, 3), (3, 4)),
        added((3, 1), (3, 2), (2, 1), lods={"Input": [[0, 1, 3]], "X": [[0, 2, 3]]}),
    ]

    def wrong(*shapes, match):
        sample = added(*shapes)
        return Bad(sample.inputs, {}, "ShapeError", match)

    errors = [
        wrong((4,), (2, 3), (3, 4), match="Input(Input)"),
        wrong((3, 4), (2, 3), (3, 4), match="Input(Input)"),
        wrong((2, 4), (2, 3), (2, 4), match="3 rows"),
        wrong((2, 4), (2, 3, 1), (3, 4), match="Input(X)"),
        Bad({**samples[0].inputs, "Input": draw(2, 4, dtype="float64")}, {}, "DtypeError", "Input(Input)"),
    ]
    return Row("addmm", samples, errors)


def tensor_product():
    def one(dtype="float32", bias=True, n=2, **more):
        inputs = {
            "X": draw(n, 3, dtype=dtype),
            "Y": draw(n, 4, dtype=dtype, seed=1),
            "Weight": draw(5, 3, 4, dtype=dtype, seed=2),
        }
        return Sample({**inputs, "Bias": draw(1, 5, dtype=dtype, seed=3)} if bias else inputs, **more)

    samples = [one(), one("float64"), one(bias=False), one(n=3, lods={"X": [[0, 1, 3]]}), one(n=1)]

    def wrong(slot, value, error="ShapeError"):
        return Bad({**one().inputs, slot: value}, {}, error, f"Input({slot})")

    errors = [
        wrong("X", draw(2, 3, 1)),
        wrong("Y", draw(3, 4)),
        wrong("Y", draw(4)),
        wrong("Weight", draw(5, 4, 3)),
        wrong("Weight", draw(12)),
        wrong("Bias", draw(5)),
        wrong("Bias", draw(1, 4)),
        wrong("Weight", draw(5, 3, 4, dtype="float64"), "DtypeError"),
    ]
    return Row("bilinear_tensor_product", samples, errors)


def inverse():
    def one(*shape, dtype="float32", **more):
        return Sample({"Input": draw(*shape, dtype=dtype) + 2 * np.eye(shape[-1], dtype=dtype)}, excluded=LATER, **more)

    samples = [one(3, 3), one(3, 3, dtype="float64"), one(2, 2, 2), one(2, 1, 3, 3), one(1, 1), one(0, 2, 2)]
    samples.append(one(3, 2, 2, lods={"Input": [[0, 1, 3]]}))
    errors = [
        Bad({"Input": draw(2, 3)}, {}, "ShapeError", "square"),
        Bad({"Input": draw(2)}, {}, "ShapeError", "square"),
        Bad({"Input": np.zeros((2, 2), "float32")}, {}, "ArgumentValueError", "full rank"),
        Bad({"Input": draw(2, 2, high=5, dtype="int64")}, {}, "DtypeError", "int64"),
    ]
    return Row("inverse", samples, errors)


def cholesky():
    def one(*shape, dtype="float32", **attrs):
        root = draw(*shape, dtype=dtype)
        product = np.matmul(root, root.swapaxes(-1, -2)) + np.eye(shape[-1], dtype=dtype)
        return Sample({"X": product}, attrs, excluded=LATER)

    samples = [one(3, 3), one(3, 3, dtype="float64"), one(3, 3, upper=True), one(2, 2, 2), one(2, 1, 2, 2, upper=True)]
    errors = [
        Bad({"X": draw(2, 3)}, {}, "ShapeError", "square"),
        Bad({"X": -np.eye(2, dtype="float32")}, {}, "ArgumentValueError", "positive definite"),
        Bad({"X": draw(2, 2, high=5, dtype="int64")}, {}, "DtypeError", "int64"),
    ]
    return Row("cholesky", samples, errors)


def trace():
    def one(*shape, dtype="float32", low=-1.0, high=1.0, lods=None, **attrs):
        return Sample({"Input": draw(*shape, dtype=dtype, low=low, high=high)}, attrs, lods=lods)

    samples = [
        one(3, 4),
        one(3, 4, dtype="float64"),
        one(3, 4, offset=1),
        one(3, 4, offset=-2),
        one(2, 3, 4),
        one(2, 3, 4, dim1=0, dim2=2),
        one(2, 3, 4, dim1=2, dim2=0, offset=1),
        one(2, 3, 2, 2, dim1=1, dim2=-1, offset=-1),
        one(3, 2, 2, lods={"Input": [[0, 1, 3]]}),
        *[one(3, 3, dtype=t, low=-5, high=5) for t in WHOLE],
    ]
    errors = [
        Bad({"Input": draw(3)}, {}, "ShapeError", "rank 2"),
        Bad({"Input": draw(3, 3)}, {"dim1": 0, "dim2": -2}, "ArgumentValueError", "'dim2'"),
        Bad({"Input": draw(3, 3)}, {"dim1": 2}, "ArgumentValueError", "'dim1'"),
        Bad({"Input": draw(3, 3, dtype="bool")}, {}, "DtypeError", "bool"),
    ]
    return Row("trace", samples, errors, double=True)


def tril_triu():
    def one(*shape, lower, dtype="float32", low=-1.0, high=1.0, lods=None, **attrs):
        return Sample({"X": draw(*shape, dtype=dtype, low=low, high=high)}, {"lower": lower, **attrs}, lods=lods)

    samples = [
        *[one(3, 4, lower=lower, diagonal=d) for lower in (True, False) for d in (0, 1, -1)],
        one(3, 3, lower=True, dtype="float64"),
        one(2, 4, 3, lower=False),
        one(3, 3, lower=True, diagonal=-5),
        one(3, 3, lower=True, diagonal=5),
        one(3, 2, lower=False, lods={"X": [[0, 1, 3]]}),
        *[one(3, 3, lower=False, dtype=t, low=-5, high=5) for t in WHOLE],
    ]
    errors = [
        Bad({"X": draw(3)}, {"lower": True}, "ShapeError", "rank 2"),
        Bad({"X": draw(3, 3)}, {}, "ArgumentTypeError", "lower"),
        Bad({"X": draw(3, 3, dtype="bool")}, {"lower": True}, "DtypeError", "bool"),
    ]
    return Row("tril_triu", samples, errors, double=True)


def cumsum():
    def one(*shape, dtype="float32", low=-1.0, high=1.0, lods=None, excluded="", **attrs):
        return Sample({"X": draw(*shape, dtype=dtype, low=low, high=high)}, attrs, lods=lods, excluded=excluded)

    samples = [
        one(2, 3),
        one(4),
        one(2, 3, dtype="float64"),
        *[one(2, 3, 2, axis=1, exclusive=e, reverse=r) for e in (False, True) for r in (False, True)],
        one(3, 2, axis=0, exclusive=True),
        one(3, 2, axis=1, reverse=True, lods={"X": [[0, 1, 3]]}),
        one(2, 3, 2, axis=-2, excluded="Paddle counts from the back for -1 only"),
        *[one(2, 3, axis=0, dtype=t, low=-5, high=5) for t in WHOLE],
    ]
    errors = [
        Bad({"X": draw(2, 3)}, {"axis": 2}, "ArgumentValueError", "'axis'"),
        Bad({"X": draw(2, 3)}, {"axis": -3}, "ArgumentValueError", "'axis'"),
        Bad({"X": draw(2, 3, dtype="bool")}, {}, "DtypeError", "bool"),
    ]
    return Row("cumsum", samples, errors, double=True)


ROWS = [
    bmm(),
    mv(),
    dot(),
    kron(),
    cross(),
    addmm(),
    tensor_product(),
    inverse(),
    cholesky(),
    trace(),
    tril_triu(),
    cumsum(),
]
