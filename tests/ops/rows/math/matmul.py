"""Matrix products."""

from tests.ops.row import Bad, Row, Sample, draw

NAMES = ("transpose_X", "transpose_Y")
LOD = {"X": [[0, 1, 3]]}


def product(x, y, transposed="", dtype="float32", lods=None, dynamic=False, **attrs):
    """A call; `transposed` names those of X and Y that are transposed."""
    inputs = {"X": draw(*x, dtype=dtype, seed=1), "Y": draw(*y, dtype=dtype, seed=2)}
    attrs.update({f"transpose_{slot}": True for slot in transposed})
    return Sample(inputs, attrs, lods=lods, dynamic=dynamic)


def bad(x, y, error, match, transposed="", **attrs):
    sample = product(x, y, transposed, **attrs)
    return Bad(sample.inputs, sample.attrs, error, match)


MATMUL = [
    product((2, 3), (3, 4)),
    product((3, 2), (3, 4), "X"),
    product((2, 3), (4, 3), "Y"),
    product((3, 2), (4, 3), "XY"),
    product((2, 3), (3, 4), alpha=0.1),
    product((3, 2), (4, 3), "XY", alpha=-2.0),
    product((2, 3), (3, 4), dtype="float64"),
    product((2, 3), (3, 4), dtype="float64", alpha=0.1),
    product((3,), (3,)),
    product((3,), (4,), "XY"),
    product((3,), (3, 4)),
    product((3,), (4, 3), "Y"),
    product((3,), (1, 4), "X"),
    product((1,), (1, 4), "X", dynamic=True),  # a row of 1 is dropped
    product((2, 3), (3,)),
    product((2, 3), (2,), "X"),
    product((3, 1), (4,), "Y"),
    product((1, 4), (4,)),
    product((1, 4), (4, 1)),
    product((2, 3, 4), (4,)),
    product((3,), (2, 3, 4)),
    product((2, 3, 4), (4, 5)),
    product((2, 4, 3), (4, 5), "X"),
    product((2, 3, 4), (5, 4), "Y", alpha=0.5),
    product((2, 4, 3), (5, 4), "XY"),
    product((3, 4), (2, 4, 5)),
    product((4, 3), (2, 5, 4), "XY"),
    product((2, 3, 4), (2, 4, 5)),
    product((2, 4, 3), (2, 5, 4), "XY"),
    product((2, 3, 4), (2, 5, 4), "Y", alpha=0.125),
    product((2, 1, 3, 4), (2, 1, 4, 5)),
    product((3, 2, 2, 4), (3, 2, 5, 4), "Y"),
    product((3, 2, 2, 4), (4, 5)),
    product((3, 4), (3, 2, 4, 5)),
    product((3, 2, 2, 4), (4,)),
    product((6, 2, 3), (3, 2, 3, 2)),
    product((2, 3, 1, 2), (3, 2, 2, 1)),
    product((3, 2), (2, 4), lods=LOD),
    product((0, 3), (3, 4)),
]

MUL = [
    product((2, 3), (3, 4)),
    product((2, 3), (3, 4), dtype="float64"),
    product((2, 3, 4), (12, 5)),
    product((2, 3, 4), (4, 5), x_num_col_dims=2),
    product((2, 3, 4), (2, 6, 5), y_num_col_dims=2),
    product((2, 12), (4, 3, 5, 6), y_num_col_dims=2),
    product((2, 3, 4, 2), (8, 2), x_num_col_dims=2),
    product((2, 3, 4), (4, 5, 2), x_num_col_dims=2, y_num_col_dims=1),
    product((3, 2), (2, 4), lods=LOD),
]

ROWS = [
    Row(
        "matmul",
        MATMUL,
        [
            bad((2, 3), (4, 3), "ShapeError", "4 rows"),
            bad((2, 3), (3, 4), "ShapeError", "transposed", "X"),
            bad((3,), (3,), "ShapeError", "Input(Y)", "X"),
            bad((2, 3, 4), (3, 4, 5), "ShapeError", "a batch of 3"),
            bad((1, 3, 4), (2, 4, 5), "ShapeError", "expand"),
            bad((2, 1, 3, 4), (2, 4, 5, 1), "ShapeError", "5 rows"),
            bad((), (3, 4), "ShapeError", "Input(X)"),
            Bad({"X": draw(2, 3), "Y": draw(3, 2, dtype="float64")}, {}, "DtypeError", "float64"),
            bad((2, 3), (3, 4), "DtypeError", "int64", dtype="int64"),
        ],
        double=True,
    ),
    Row(
        "mul",
        MUL,
        [
            bad((2, 3), (4, 5), "ShapeError", "4 rows"),
            bad((2, 3), (3, 5), "ShapeError", "'x_num_col_dims'", x_num_col_dims=2),
            bad((2, 3), (3, 5), "ShapeError", "'x_num_col_dims'", x_num_col_dims=0),
            bad((2, 3), (3, 5), "ShapeError", "'y_num_col_dims'", y_num_col_dims=2),
            bad((3,), (3, 4), "ShapeError", "rank 2"),
            Bad({"X": draw(2, 3), "Y": draw(3, 2, dtype="float64")}, {}, "DtypeError", "float64"),
            bad((2, 3), (3, 4), "DtypeError", "int32", dtype="int32"),
        ],
        double=True,
    ),
]
