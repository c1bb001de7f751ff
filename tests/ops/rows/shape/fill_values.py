"""Arrays of given numbers."""

from tests.ops.row import Bad, Row, Sample

NUMBERS = [1.5, 2.0, -3.7, 0.0, 0.1, 300.5]


def filled(dtype, *shape):
    return Sample({}, {"value": NUMBERS, "shape": list(shape), "dtype": dtype})


ROWS = [
    Row(
        "fill",
        [filled(5, 2, 3), filled(6, 6), filled(4, 3, 2), filled(2, 2, 3), filled(3, 1, 6, 1)],
        [
            Bad({}, {"value": NUMBERS, "shape": [2, 2]}, "ArgumentValueError", "6 numbers"),
            Bad({}, {"value": NUMBERS, "shape": [-1, 2]}, "ShapeError", "shape"),
            Bad({}, {"value": NUMBERS, "shape": [6], "dtype": 0}, "DtypeError", "bool"),
            Bad({}, {"shape": [6]}, "ArgumentTypeError", "value"),
        ],
    )
]
