"""Operators on sequences of ids, and masks made from lengths."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw


def ids(*values, dtype="int64"):
    return np.array(values, dtype).reshape(-1, 1)


def windows(lod, size, pad=0, rows=6, dtype="int64", **more):
    x = draw(rows, 1, low=1, high=9, dtype=dtype)
    return Sample({"X": x}, {"win_size": size, "pad_value": pad}, lods={"X": lod}, **more)


def erase(tokens, lod, dtype="int64"):
    return Sample(
        {"X": ids(2, 2, 6, 1, 3, 9, 6, 1, 0, 1, dtype=dtype)}, {"tokens": tokens}, lods={"X": lod}, dynamic=True
    )


def mask(lengths, maxlen=-1, dtype=3, limit=None, note="", **more):
    inputs = {"X": lengths}
    if limit is not None:
        inputs["MaxLenTensor"] = np.array([limit], "int32")
    dynamic = maxlen < 0 or limit is not None
    return Sample(inputs, {"maxlen": maxlen, "out_dtype": dtype}, dynamic=dynamic, note=note, **more)


def scatter(x, at, lod, more=None, **options):
    updates = draw(*at.shape) if x.dtype == "float32" else draw(*at.shape, low=-9, high=9, dtype=x.dtype.name)
    return Sample({"X": x, "Ids": at, "Updates": updates}, lods={"Ids": lod, "Updates": lod, **(more or {})}, **options)


LENGTHS = np.array([1, 0, 3])

ROWS = [
    Row(
        "sequence_enumerate",
        [
            windows([[0, 2, 2, 6]], 2),
            windows([[0, 2, 6]], 3, -1, dtype="int32"),
            windows([[0, 40]], 5, rows=40),
            windows([[0, 1, 6]], 9, note="windows longer than sequences"),
        ],
        [
            Bad({"X": ids(1, 2)}, {"win_size": 2}, "LoDError", "no LoD"),
            Bad({"X": ids(1, 2)}, {"win_size": 2}, "LoDError", "2 LoD levels", {"X": [[0, 1], [0, 2]]}),
            Bad({"X": ids(1, 2)}, {"win_size": 1}, "ArgumentValueError", "'win_size'", {"X": [[0, 2]]}),
            Bad({"X": np.ones((2, 2), "int64")}, {"win_size": 2}, "ShapeError", "[-1, 1]", {"X": [[0, 2]]}),
            Bad({"X": draw(2, 1)}, {"win_size": 2}, "DtypeError", "float32", {"X": [[0, 2]]}),
        ],
    ),
    Row(
        "sequence_erase",
        [
            erase([2, 3, 5], [[0, 3, 6, 10]]),
            erase([2, 6], [[0, 3, 6, 10]]),
            erase([2, 6], [[0, 1, 3], [0, 3, 6, 10]]),
            erase([0, 1, 2, 3, 6, 9], [[0, 3, 3, 10]]),
            erase([], [[0, 10]]),
            erase([1], [[0, 10]], "int32"),
        ],
        [
            Bad({"X": ids(1, 2)}, {"tokens": [1]}, "LoDError", "no LoD"),
            Bad({"X": np.ones(2, "int64")}, {"tokens": [1]}, "ShapeError", "[-1, 1]", {"X": [[0, 2]]}),
            Bad({"X": draw(2, 1)}, {"tokens": [1]}, "DtypeError", "float32", {"X": [[0, 2]]}),
        ],
    ),
    Row(
        "sequence_mask",
        [
            mask(LENGTHS),
            mask(LENGTHS, 5, 5),
            mask(LENGTHS, 2, 2),
            mask(LENGTHS.reshape(3, 1), 2, 20),
            mask(LENGTHS.astype("int32")),
            mask(np.array([1.5, 0, 2.5], "float32"), grads=(), note="lengths that are no whole numbers"),
            mask(LENGTHS, limit=4),
            mask(LENGTHS, 0, limit=2, excluded="Paddle refuses maxlen 0 beside an input that replaces it"),
            mask(np.array([0, 0]), note="nothing at all"),
            mask(LENGTHS, dtype=0),
            mask(LENGTHS, dtype=6),
        ],
        [
            Bad({"X": LENGTHS}, {"maxlen": 0, "out_dtype": 3}, "ArgumentValueError", "'maxlen'"),
            Bad({"X": LENGTHS, "MaxLenTensor": np.array([0])}, {"out_dtype": 3}, "ArgumentValueError", "MaxLenTensor"),
            Bad({"X": LENGTHS, "MaxLenTensor": draw(1)}, {"out_dtype": 3}, "DtypeError", "MaxLenTensor"),
        ],
    ),
    Row(
        "sequence_scatter",
        [
            scatter(draw(2, 5), ids(0, 3, 1, 1), [[0, 2, 4]]),
            scatter(draw(2, 5), ids(0, 3, 1, 1), [[0, 0, 4]]),
            scatter(draw(2, 5), np.array([0, 3, 1, 2]), [[0, 2, 4]]),
            scatter(draw(3, 5), ids(0, 3, 1, 2), [[0, 2, 4]], note="more rows than sequences"),
            scatter(draw(2, 5), ids(0, 3, 1, 2), [[0, 2, 4]], {"X": [[0, 1, 2]]}),
            scatter(draw(1, 7), ids(*[i % 7 for i in range(40)]), [[0, 40]]),
            scatter(draw(2, 2, 3), ids(0, 3, 5, 1), [[0, 2, 4]], note="columns of rows of rank 2"),
            scatter(draw(2, 5, low=-9, high=9, dtype="int64"), ids(0, 3, 1, 1), [[0, 2, 4]]),
            scatter(draw(2, 5, low=-9, high=9, dtype="int32"), ids(0, 3, 1, 1), [[0, 2, 4]]),
            scatter(draw(2, 5), ids(0, 3, dtype="int32"), [[0, 1, 2]], excluded="Paddle takes int64 only"),
        ],
        [
            Bad({"X": draw(2, 5), "Ids": ids(0, 1), "Updates": draw(2, 1)}, {}, "LoDError", "no LoD"),
            Bad({"X": draw(2, 5), "Ids": ids(0, 1), "Updates": draw(2, 1)}, {}, "LoDError", "the LoD of Ids",
                {"Ids": [[0, 1, 2]], "Updates": [[0, 2, 2]]}),
            Bad({"X": draw(2, 5), "Ids": ids(0, 5), "Updates": draw(2, 1)}, {}, "IndexRangeError", "5",
                {"Ids": [[0, 1, 2]], "Updates": [[0, 1, 2]]}),
            Bad({"X": draw(1, 5), "Ids": ids(0, 4), "Updates": draw(2, 1)}, {}, "ShapeError", "2 sequences",
                {"Ids": [[0, 1, 2]], "Updates": [[0, 1, 2]]}),
            Bad({"X": draw(2, 5), "Ids": ids(0, 4), "Updates": draw(3, 1)}, {}, "ShapeError", "[2, 1]",
                {"Ids": [[0, 1, 2]], "Updates": [[0, 1, 3]]}),
            Bad({"X": draw(5), "Ids": ids(0, 4), "Updates": draw(2, 1)}, {}, "ShapeError", "2 or more dimensions",
                {"Ids": [[0, 1, 2]], "Updates": [[0, 1, 2]]}),
            Bad({"X": draw(2, 5), "Ids": ids(0, 4), "Updates": ids(1, 1)}, {}, "DtypeError", "int64",
                {"Ids": [[0, 1, 2]], "Updates": [[0, 1, 2]]}),
        ],
    ),
]  # fmt: skip
