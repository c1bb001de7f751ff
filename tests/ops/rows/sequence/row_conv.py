"""row_conv: what comes next in a sequence, summed."""

from tests.ops.row import Bad, Row, Sample, draw


def rows(n, *lod, features=3, steps=2, dtype="float32", **more):
    return Sample(
        {"X": draw(n, features, dtype=dtype), "Filter": draw(steps, features, dtype=dtype)},
        lods={"X": [list(lod)]},
        **more,
    )


def batch(*shape, steps=2, **more):
    return Sample({"X": draw(*shape), "Filter": draw(steps, shape[-1])}, **more)


ROWS = [
    Row(
        "row_conv",
        [
            rows(7, 0, 3, 7),
            rows(7, 0, 1, 7, steps=3, note="a sequence shorter than the filter"),
            rows(5, 0, 5, features=1, steps=1),
            rows(5, 0, 2, 2, 5, note="an empty sequence", excluded="Paddle refuses empty sequences"),
            batch(2, 5, 3),
            batch(2, 2, 3, steps=4),
            batch(1, 1, 1, steps=1),
        ],
        [
            Bad({"X": draw(5, 3), "Filter": draw(2, 3)}, {}, "LoDError", "no LoD"),
            Bad({"X": draw(5, 3), "Filter": draw(2, 3)}, {}, "LoDError", "a LoD of 4 rows", lods={"X": [[0, 1, 4]]}),
            Bad({"X": draw(5), "Filter": draw(2, 5)}, {}, "ShapeError", "[N, steps, features]"),
            Bad({"X": draw(2, 5, 3), "Filter": draw(2, 4)}, {}, "ShapeError", "[-1, 3]"),
            Bad({"X": draw(2, 5, 3), "Filter": draw(3)}, {}, "ShapeError", "[-1, 3]"),
            Bad({"X": draw(2, 5, 3), "Filter": draw(2, 3, dtype="float64")}, {}, "DtypeError", "float64"),
        ],
    )
]
