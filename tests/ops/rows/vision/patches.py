"""The windows over an image as columns, and as rows."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X = draw(2, 2, 5, 6)
PLAIN = {"kernel_sizes": [2, 3], "strides": [1, 1], "paddings": [0, 0, 0, 0], "dilations": [1, 1]}


def unfold(shape=(2, 2, 5, 6), dtype="float32", **attrs):
    return Sample({"X": draw(*shape, dtype=dtype)}, dict(PLAIN, **attrs))


def bad(error, match, x=X, **attrs):
    return Bad({"X": x}, dict(PLAIN, **attrs), error, match)


def rows(shape=(2, 2, 5, 6), dtype="float32", excluded="", **attrs):
    """Windows as rows."""
    return Sample({"X": draw(*shape, dtype=dtype)}, dict({"kernels": [2, 2]}, **attrs), excluded=excluded)


def sized(real, n=2, **attrs):
    """Of images whose sizes come to that of X: where only some of the windows are taken there is no gradient."""
    inputs = {"X": draw(n, 2, 5, 6), "Y": np.array(real, "float32")}
    return Sample(inputs, dict({"kernels": [2, 2]}, **attrs), grads=("X",), dynamic=True)


NARROW = "Paddle has no kernel of this dtype"
REAL = [[9, 11], [10, 12]]

ROWS = [
    Row(
        "unfold",
        [
            unfold(),
            unfold(kernel_sizes=[1, 1]),
            unfold(kernel_sizes=[5, 6]),
            unfold(strides=[2, 3]),
            unfold(paddings=[1, 2, 0, 3]),
            unfold(kernel_sizes=[2, 2], dilations=[3, 2]),
            unfold((1, 3, 7, 7), kernel_sizes=[3, 3], strides=[2, 2], paddings=[1, 1, 1, 1], dilations=[2, 1]),
            Sample({"X": draw(2, 1, 3, 3)}, dict(PLAIN, strides=[1, 2]), lods={"X": [[0, 2]]}),
            unfold(dtype="float64", paddings=[1, 0, 2, 0]),
        ],
        [
            bad("ShapeError", "Input(X) got shape [2, 5, 6]", X[0]),
            bad("DtypeError", "Input(X) got dtype int32", X.astype("int32")),
            bad("ShapeError", "room for a window of [6, 3]", kernel_sizes=[6, 3]),
            bad("ShapeError", "room for a window of [2, 3], [5, 1] apart", dilations=[5, 1]),
            bad("ArgumentValueError", "'kernel_sizes' got [2]", kernel_sizes=[2]),
            bad("ArgumentValueError", "'strides' got [0, 1]", strides=[0, 1]),
            bad("ArgumentValueError", "'dilations' got [1, 0]", dilations=[1, 0]),
            bad("ArgumentValueError", "'paddings' got [1, 1]", paddings=[1, 1]),
            bad("ArgumentValueError", "'paddings' got [-1, 0, 0, 0]", paddings=[-1, 0, 0, 0]),
        ],
    ),
    Row(
        "im2sequence",
        [
            rows(),
            rows(kernels=[3, 1], strides=[2, 1], paddings=[1, 0, 1, 2]),
            rows((2, 3, 4, 4), strides=[3, 2], paddings=[0, 1, 1, 0]),
            rows((1, 1, 2, 2)),
            rows(dtype="float64", excluded=NARROW),
            sized([[5, 6], [5, 6]]),
            sized(REAL, out_stride=[2, 2]),
            sized([[3, 2]], n=1),
            sized(REAL, out_stride=[2, 2], kernels=[3, 2], strides=[1, 2], paddings=[1, 0, 1, 1]),
            sized([[3, 2], [9, 9]], n=1),
            sized([[5, 6], [5, 6], [1, 1]]),
        ],
        [
            Bad({"X": X[0]}, {"kernels": [2, 2]}, "ShapeError", "[N, C, H, W]"),
            Bad({"X": X}, {"kernels": [6, 2]}, "ShapeError", "room for a window"),
            Bad({"X": X}, {"kernels": [2]}, "ArgumentValueError", "'kernels' got [2]"),
            Bad({"X": X}, {"kernels": [2, 2], "paddings": [1, 1]}, "ArgumentValueError", "paddings"),
            Bad({"X": X, "Y": draw(2, 3)}, {"kernels": [2, 2]}, "ShapeError", "Input(Y)"),
            Bad({"X": X, "Y": draw(1, 2)}, {"kernels": [2, 2]}, "ShapeError", "a row for each of 2 images"),
            Bad(
                {"X": X, "Y": np.array([[5, 7], [5, 6]], "float32")},
                {"kernels": [2, 2]},
                "ArgumentValueError",
                "[5, 7]",
            ),
            Bad(
                {"X": X, "Y": np.array([[5, 6], [1, 6]], "float32")},
                {"kernels": [2, 2]},
                "ArgumentValueError",
                "[1, 6]",
            ),
        ],
    ),
]
