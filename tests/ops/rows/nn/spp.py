"""Spatial pyramid pooling."""

from tests.ops.row import Bad, Row, Sample, draw

GARBLED = "real Paddle makes more windows than it has room for"


def pooled(shape, pyramid_height, pooling_type, **more):
    return Sample({"X": draw(*shape)}, {"pyramid_height": pyramid_height, "pooling_type": pooling_type}, **more)


GOOD = {"pyramid_height": 2, "pooling_type": "max"}

ROWS = [
    Row(
        "spp",
        [
            *[pooled((2, 3, 5, 4), levels, kind) for levels in (1, 2) for kind in ("max", "avg")],
            pooled((2, 2, 8, 7), 3, "avg", lods={"X": [[0, 2]]}),
            pooled((1, 2, 5, 6), 3, "max", note="windows outside of the image"),
            pooled((1, 1, 5, 6), 3, "avg", grads=(), note="windows outside of the image"),
            pooled((1, 2, 1, 3), 2, "max", excluded=GARBLED),
        ],
        [
            Bad({"X": draw(2, 3, 4)}, GOOD, "ShapeError", "Input(X)"),
            Bad({"X": draw(1, 1, 2, 2)}, dict(GOOD, pyramid_height=0), "ArgumentValueError", "pyramid_height"),
            Bad({"X": draw(1, 1, 2, 2)}, dict(GOOD, pooling_type="mean"), "ArgumentValueError", "pooling_type"),
            Bad({"X": draw(1, 1, 2, 2, dtype="int64")}, GOOD, "DtypeError", "Input(X)"),
        ],
    )
]
