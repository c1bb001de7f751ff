"""Local response normalisation, and spectral normalisation of weights."""

from tests.ops.row import Bad, Row, Sample, draw

IMAGE = (2, 6, 2, 3)
WEIGHT = (4, 3, 2)
STRONG = {"alpha": 0.5, "k": 1.0}


def local(shape=IMAGE, dtype="float32", excluded="", lods=None, **attrs):
    return Sample({"X": draw(*shape, dtype=dtype)}, attrs, excluded=excluded, lods=lods)


def spectral(dim=0, power_iters=1, weight=WEIGHT, dtype="float32", **attrs):
    """Only the outputs are Paddle's."""
    return Sample(weights(dim, weight, dtype), dict(attrs, dim=dim, power_iters=power_iters), grads=())


def slope(dim, power_iters, weight=(3, 5)):
    """With singular vectors that are given, or exact ones, the gradient is the derivative."""
    attrs = {"dim": dim, "power_iters": power_iters}
    return Sample(weights(dim, weight), attrs, grads=("Weight",), excluded=SLOPE)


def weights(dim=0, weight=WEIGHT, dtype="float32"):
    others = 1
    for i, n in enumerate(weight):
        others *= 1 if i == dim else n
    return {
        "Weight": draw(*weight, dtype=dtype, low=0.1, seed=1),
        "U": draw(weight[dim], dtype=dtype, low=0.2, seed=2),
        "V": draw(others, dtype=dtype, low=0.2, seed=3),
    }


SLOPE = "Paddle's gradient is not the derivative, not with exact singular vectors either"
WIDE = "Paddle has no kernel of this dtype"

ROWS = [
    Row(
        "lrn",
        [
            local(),
            local(**STRONG),
            local(n=3, beta=0.5, **STRONG),
            local(n=1, **STRONG),
            local(n=9, **STRONG),
            local((2, 2, 3, 6), n=3, data_format="NHWC", **STRONG),
            local(data_format="NCHW", **STRONG),
            local(dtype="float64", excluded=WIDE, **STRONG),
            local(lods={"X": [[0, 1, 2]]}),
        ],
        [
            Bad({"X": draw(2, 6, 3)}, {}, "ShapeError", "4 dimensions"),
            Bad({"X": draw(*IMAGE, high=3, dtype="int64")}, {}, "DtypeError", "int64"),
            Bad({"X": draw(*IMAGE)}, {"n": 4}, "ArgumentValueError", "odd"),
            Bad({"X": draw(*IMAGE)}, {"n": 0}, "ArgumentValueError", "odd"),
            Bad({"X": draw(*IMAGE)}, {"data_format": "CHWN"}, "ArgumentValueError", "data_format"),
        ],
    ),
    Row(
        "spectral_norm",
        [
            spectral(),
            spectral(1),
            spectral(0, 0),
            spectral(1, 0),
            spectral(0, 60),
            spectral(1, 5, (2, 3, 2, 2), "float64"),
            spectral(eps=0.1),
            slope(0, 0),
            slope(1, 0),
            slope(0, 60),
            slope(1, 60, (2, 3, 2)),
        ],
        [
            Bad({**weights(), "Weight": draw(4)}, {}, "ShapeError", "2 to 5 dimensions"),
            Bad(weights(), {"dim": 2}, "ArgumentValueError", "dim"),
            Bad(weights(), {"power_iters": -1}, "ArgumentValueError", "power_iters"),
            Bad({**weights(), "U": draw(3)}, {}, "ShapeError", "Input(U)"),
            Bad({**weights(), "V": draw(3)}, {}, "ShapeError", "Input(V)"),
            Bad({**weights(), "V": draw(6, dtype="float64")}, {}, "DtypeError", "Input(V)"),
        ],
        tolerance=(2e-5, 1e-6),
    ),
]
