"""The windows over an image as columns."""

from tests.ops.row import Bad, Row, Sample, draw

X = draw(2, 2, 5, 6)
PLAIN = {"kernel_sizes": [2, 3], "strides": [1, 1], "paddings": [0, 0, 0, 0], "dilations": [1, 1]}


def unfold(shape=(2, 2, 5, 6), dtype="float32", **attrs):
    return Sample({"X": draw(*shape, dtype=dtype)}, dict(PLAIN, **attrs))


def bad(error, match, x=X, **attrs):
    return Bad({"X": x}, dict(PLAIN, **attrs), error, match)


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
    )
]
