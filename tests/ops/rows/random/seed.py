"""The seed of random operators."""

from tests.ops.row import Bad, Row, Sample

ROWS = [
    Row(
        "seed",
        [Sample({}, {"seed": 5}), Sample({}, {"seed": -3}), Sample({}, note="no seed")],
        [Bad({}, {"seed": 0.5}, "ArgumentTypeError", "seed")],
        random=True,
        tolerance=(0, 0),
    )
]
