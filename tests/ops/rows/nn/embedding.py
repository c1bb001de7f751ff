"""Operators that look up rows of a table by their indices."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

W = draw(6, 3)
LOD = [[0, 1, 4]]
PADDED = "real Paddle keeps the gradient of the padding row where it is sparse"


def calls(ids, lead):
    """Calls with the indices in `ids`; `lead` brings them into the shape that the operator takes."""

    def call(*values, lods=None, note="", table=W, excluded="", **attrs):
        inputs = {"W": table, "Ids": lead(np.array(values, "int64"))}
        return Sample(inputs, attrs, lods=lods, note=note, excluded=excluded)

    return [
        call(*ids),
        call([1, 0, 5], [5, 5, 2]),
        call(*ids, lods={"Ids": LOD}),
        call(*ids, padding_idx=1),
        call(*ids, padding_idx=3, note="the padding row is not looked up"),
        call(0, 7, 4, padding_idx=7, note="the padding index lies outside of the table"),
        call(*ids, is_sparse=True),
        call(*ids, is_sparse=True, padding_idx=1, excluded=PADDED),
        call(2, table=draw(4, 1)),
        call(*ids, table=draw(6, 3, dtype="float64")),
    ]


def errors(lead):
    def bad(values, error, match, table=W, dtype="int64", **attrs):
        return Bad({"W": table, "Ids": lead(np.array(values, dtype))}, attrs, error, match)

    return [
        bad([1, 6], "IndexRangeError", "0 to 5"),
        bad([1, -1, -3], "IndexRangeError", "got -3"),
        bad([-1], "IndexRangeError", "got -1", padding_idx=-1),
        bad([1, 8], "IndexRangeError", "got 8", padding_idx=1),
        bad([1, 2], "DtypeError", "int32", dtype="int32"),
        bad([1, 2], "DtypeError", "float32", dtype="float32"),
        bad([1, 2], "ShapeError", "[rows, width]", table=draw(6)),
        bad([1, 2], "ShapeError", "[rows, width]", table=draw(3, 2, 2)),
    ]


def column(ids):
    return ids[..., None]


def as_it_is(ids):
    return ids


NAMES = (1, 0, 5, 1)
BYTES = Sample({"W": draw(6, 3, low=-9, high=9, dtype="int8"), "Ids": column(np.array(NAMES))})
NO_COLUMN = Bad({"W": W, "Ids": np.array([1, 0, 5])}, {}, "ShapeError", "last dimension of 1")

ROWS = [
    Row("lookup_table", [*calls(NAMES, column), BYTES], [*errors(column), NO_COLUMN]),
    Row("lookup_table_v2", [*calls(NAMES, as_it_is), *calls(NAMES, column)[:1]], errors(as_it_is)),
]
