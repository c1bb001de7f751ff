"""Positions in sequences, added to what stands there."""

from tests.ops.row import Bad, Row, Sample, draw

BOTH = {"alpha": 0.5, "beta": 2.0}
ROWS = [
    Row(
        "add_position_encoding",
        [
            Sample({"X": draw(2, 3, 4)}),
            Sample({"X": draw(2, 5, 6)}, BOTH),
            Sample({"X": draw(2, 2, 6)}, {"alpha": 0.0, "beta": 0.0}),
            Sample({"X": draw(1, 4, 2)}, BOTH),
            Sample({"X": draw(2, 3, 8, dtype="float64")}, BOTH),
            Sample({"X": draw(6, 4)}, BOTH, lods={"X": [[0, 2, 6]]}),
            Sample({"X": draw(6, 4)}, lods={"X": [[0, 0, 5, 6]]}),
        ],
        [
            Bad({"X": draw(2, 3, 4)}, {"alpha": -0.5}, "ArgumentValueError", "alpha"),
            Bad({"X": draw(2, 3, 4)}, {"beta": -0.5}, "ArgumentValueError", "beta"),
            Bad({"X": draw(6, 4)}, {}, "ShapeError", "LoD"),
            Bad({"X": draw(2, 3, 5)}, {}, "ShapeError", "even"),
            Bad({"X": draw(2, 3, 4, high=4, dtype="int64")}, {}, "DtypeError", "int64"),
        ],
    )
]
