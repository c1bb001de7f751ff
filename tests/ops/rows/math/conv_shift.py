"""Circular convolution of rows."""

from tests.ops.row import Bad, Row, Sample, draw

ROWS = [
    Row(
        "conv_shift",
        [
            Sample({"X": draw(2, 5), "Y": draw(2, 3)}),
            Sample({"X": draw(2, 5), "Y": draw(2, 5, seed=1)}),
            Sample({"X": draw(3, 4), "Y": draw(3, 1)}, lods={"X": [[0, 1, 3]]}),
        ],
        [
            Bad({"X": draw(2, 5), "Y": draw(2, 2)}, {}, "ShapeError", "odd"),
            Bad({"X": draw(2, 5), "Y": draw(2, 7)}, {}, "ShapeError", "5 columns"),
            Bad({"X": draw(2, 5), "Y": draw(1, 3)}, {}, "ShapeError", "1 rows"),
            Bad({"X": draw(2, 5), "Y": draw(3)}, {}, "ShapeError", "Input(Y)"),
            Bad({"X": draw(2, 5), "Y": draw(2, 3, dtype="float64")}, {}, "DtypeError", "Input(Y)"),
        ],
    )
]
