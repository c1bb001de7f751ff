"""Functions of one array, element by element; softmax."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, away, draw

WHOLE = [Bad({"X": draw(2, 3, low=1, high=5, dtype="int64")}, {}, "DtypeError", "int64")]


def calls(low=-3.0, high=3.0, kinks=(), points=None, attrs=()):
    """Calls that every function takes: ranks 1 to 4, both dtypes, LoD, no element at all, and the points where it bends.

    attrs: further attributes to call it with.
    """

    def sample(*shape, dtype="float32", attrs=None, **more):
        return Sample({"X": away(draw(*shape, low=low, high=high, dtype=dtype), *kinks)}, attrs, **more)

    at = np.array(list(kinks) if points is None else points, "float64")  # float64: no differences are taken there
    return (
        [sample(2, 3, 4), sample(7), sample(2, 1, 3, 2), sample(3, 4, dtype="float64")]
        + [sample(4, 2, lods={"X": [[0, 2], [0, 1, 4]]}), sample(0, 3)]
        + [sample(3, 5, attrs=a) for a in attrs]
        + ([Sample({"X": at}, note="bends")] if at.size else [])
    )


def whole(low=-4, high=4):
    """Calls with whole numbers."""
    return [Sample({"X": draw(2, 3, low=low, high=high, dtype=t)}) for t in ("int32", "int64")]


def row(op, errors=WHOLE, double=True, tolerance=(1e-5, 1e-6), integers=(), **given):
    return Row(op, calls(**given) + list(integers), errors, double=double, tolerance=tolerance)


FAR = (-100.0, -20.0, 0.0, 20.0, 100.0)


def softmax(*shape, axis=None, dtype="float32", **more):
    x = draw(*shape, low=-4, high=4, dtype=dtype)
    return Sample({"X": x}, {} if axis is None else {"axis": axis}, **more)


ROWS = [
    row("relu", kinks=(0.0,)),
    row("leaky_relu", kinks=(0.0,), attrs=[{"alpha": 0.3}, {"alpha": 0.0}]),
    row("sigmoid", points=FAR),
    row("logsigmoid", points=FAR),
    row("tanh", points=FAR),
    row("tanh_shrink", points=FAR),
    row("softplus", points=FAR),
    row("softsign", kinks=(0.0,), points=FAR),
    row("softshrink", kinks=(-0.5, 0.5, -0.2, 0.2), attrs=[{"lambda": 0.2}]),
    row("hard_shrink", kinks=(-0.5, 0.5, -0.2, 0.2), attrs=[{"threshold": 0.2}]),
    row("thresholded_relu", kinks=(1.0, 0.4), attrs=[{"threshold": 0.4}]),
    row("exp", errors=(), integers=whole(), points=(-800.0, 0.0, 700.0)),
    row("log", low=0.1),
    row("log1p", low=-0.9, points=(0.0, 1e-9, -1e-9)),
    row("sqrt", low=0.1),
    row("rsqrt", low=0.1),
    row("square", errors=(), integers=whole()),
    row("reciprocal", low=0.2),
    row("abs", errors=(), integers=whole(), kinks=(0.0,)),
    row("ceil", kinks=(-2.0, -1.0, 0.0, 1.0, 2.0), points=(-1.0, 0.0, 2.0, 2.5, -2.5)),
    row("floor", kinks=(-2.0, -1.0, 0.0, 1.0, 2.0), points=(-1.0, 0.0, 2.0, 2.5, -2.5)),
    # three halves: Paddle rounds whole vectors of the processor to even and the elements left over away from 0
    row("round", kinks=(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5), points=(-2.5, 0.5, 2.5)),
    row("sin"),
    row("cos"),
    row("asin", low=-0.9, high=0.9, tolerance=(2e-5, 1e-6)),
    row("acos", low=-0.9, high=0.9, tolerance=(2e-5, 1e-6)),
    row("atan", points=FAR),
    row("erf", points=(-9.0, -3.0, 0.0, 3.0, 9.0)),
    row("sign", kinks=(0.0,)),
    row("gelu", points=(-30.0, -3.0, 0.0, 3.0, 30.0), attrs=[{"approximate": True}]),
    Row(
        "softmax",
        [
            softmax(3, 4),
            softmax(3, 4, dtype="float64"),
            softmax(5),
            softmax(2, 3, 4),
            softmax(2, 3, 4, axis=0),
            softmax(2, 3, 4, axis=1),
            softmax(2, 3, 4, axis=-2),
            softmax(2, 2, 2, 2, 3, axis=2),
            softmax(4, 1),
            softmax(32, 17),
            softmax(3, 5, 41, dtype="float64"),
            softmax(4, 3, lods={"X": [[0, 1, 4]]}),
            Sample({"X": np.array([[1000.0, -1000.0, 999.0], [-1e30, 0.0, -1e30]], "float64")}, note="far apart"),
        ],
        [
            Bad({"X": draw(2, 3)}, {"axis": 2}, "ArgumentValueError", "axis"),
            Bad({"X": draw(2, 3)}, {"axis": -3}, "ArgumentValueError", "axis"),
            Bad({"X": draw(2, 0)}, {}, "ShapeError", "axis -1"),
            Bad({"X": draw(2, 3, low=0, high=5, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
        double=True,
    ),
]
