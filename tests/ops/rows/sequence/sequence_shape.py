"""Operators that move whole rows of sequences."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw


def expand(x, y, x_lod=None, rows=4, **attrs):
    inputs = {"X": draw(*x) if isinstance(x, tuple) else x, "Y": draw(rows, 1)}
    lods = {"Y": y} if x_lod is None else {"X": x_lod, "Y": y}
    return Sample(inputs, attrs, lods=lods, dynamic=True)


def ints(*shape, dtype="int64"):
    return draw(*shape, low=-9, high=9, dtype=dtype)


def column(*values, dtype="int64"):
    return np.array(values, dtype).reshape(-1, 1)


def cut(x, lod, offset, length, **more):
    inputs = {"X": x, "Offset": column(*offset), "Length": column(*length)}
    return Sample(inputs, lods={"X": lod}, dynamic=True, **more)


def concat(*pairs, inner=(2,), make=draw, **more):
    return Sample({"X": [make(lod[0][-1], *inner) for lod in pairs]}, lods={"X": list(pairs)}, **more)


def pad(x, value, lod, length=-1):
    value = np.array(value, x.dtype)
    return Sample({"X": x, "PadValue": value}, {"padded_length": length}, lods={"X": lod}, grads=("X",), dynamic=True)


def unpad(x, *lengths, **more):
    return Sample({"X": x, "Length": np.array(lengths, "int64")}, dynamic=True, **more)


X = draw(6, 2)

ROWS = [
    Row(
        "sequence_expand",
        [
            expand((3, 2), [[0, 2, 4]], [[0, 2, 3]]),
            expand((2, 2), [[0, 3, 4]]),
            expand((2, 2), [[0, 0, 4]]),
            expand((3, 2), [[0, 0, 4]], [[0, 2, 3]]),
            expand((3, 2), [[0, 2, 3, 4]], [[0, 2, 2, 3]]),
            expand((3, 2), [[0, 1, 3], [0, 1, 4, 6]], [[0, 2, 3]], rows=6, ref_level=0),
            expand((3, 2), [[0, 1, 3], [0, 1, 4, 6]], [[0, 1, 2, 3]], rows=6, ref_level=1),
            expand((3, 2), [[0, 1, 3], [0, 1, 4, 6]], rows=6),
            expand((1, 3), [[0, 30]], rows=30),
            expand((2, 2, 2), [[0, 3, 4]]),
            expand(ints(2, 2), [[0, 3, 4]]),
            expand(ints(2, 2, dtype="int32"), [[0, 3, 4]]),
        ],
        [
            Bad({"X": X, "Y": X}, {}, "LoDError", "no LoD"),
            Bad({"X": X, "Y": X}, {"ref_level": 1}, "ArgumentValueError", "'ref_level'", {"Y": [[0, 6]]}),
            Bad({"X": X, "Y": X}, {}, "LoDError", "6 rows without a LoD", {"Y": [[0, 6]]}),
            Bad({"X": X, "Y": X}, {}, "LoDError", "a LoD of 2 sequences", {"X": [[0, 1, 6]], "Y": [[0, 6]]}),
            Bad({"X": X, "Y": X}, {}, "LoDError", "2 LoD levels", {"X": [[0, 1], [0, 6]], "Y": [[0, 6]]}),
            Bad({"X": draw(6), "Y": X}, {}, "ShapeError", "[6]", {"Y": [[0, 6]]}),
        ],
    ),
    Row(
        "sequence_expand_as",
        [
            expand((2, 2), [[0, 3, 4]]),
            expand((2, 2), [[0, 0, 4]]),
            expand((3, 2), [[0, 0, 2, 4]], [[0, 2, 3]]),
            expand((1, 3), [[0, 30]], rows=30),
            expand((2, 2, 2), [[0, 3, 4]]),
            expand(ints(2, 2), [[0, 3, 4]]),
            expand(ints(2, 2, dtype="int32"), [[0, 3, 4]]),
        ],
        [
            Bad({"X": X, "Y": X}, {}, "LoDError", "no LoD"),
            Bad({"X": X, "Y": X}, {}, "LoDError", "2 LoD levels", {"Y": [[0, 1], [0, 6]]}),
            Bad({"X": X, "Y": X}, {}, "LoDError", "a LoD of 1 sequences", {"Y": [[0, 6]]}),
            Bad({"X": draw(6), "Y": X}, {}, "ShapeError", "[6]", {"Y": [[0, 6]]}),
        ],
    ),
    Row(
        "sequence_concat",
        [
            concat([[0, 1, 3]], [[0, 4, 4]]),
            concat([[0, 30]], [[0, 1]], [[0, 2]]),
            concat([[0, 1, 3]], [[0, 1, 2]], inner=()),
            concat([[0, 1, 3]], [[0, 1, 2]], inner=(2, 2)),
            concat([[0, 0, 3]], [[0, 1, 2]], make=ints),
            concat([[0, 0, 3]], [[0, 1, 2]], make=lambda *shape: ints(*shape, dtype="int32")),
            concat([[0, 1, 3]], excluded="Paddle wants two inputs at least"),
        ],
        [
            Bad({"X": [X, X]}, {}, "LoDError", "no LoD"),
            Bad({"X": [X, X]}, {}, "LoDError", "a LoD of 2 sequences", {"X": [[[0, 6]], [[0, 1, 6]]]}),
            Bad({"X": [X, X]}, {}, "LoDError", "2 LoD levels", {"X": [[[0, 1], [0, 6]], [[0, 6]]]}),
            Bad({"X": [X, draw(6, 3)]}, {}, "ShapeError", "[6, 3]", {"X": [[[0, 6]], [[0, 6]]]}),
            Bad({"X": [X, ints(6, 2)]}, {}, "DtypeError", "int64", {"X": [[[0, 6]], [[0, 6]]]}),
        ],
    ),
    Row(
        "sequence_slice",
        [
            cut(X, [[0, 2, 6]], (0, 1), (1, 2)),
            cut(X, [[0, 2, 6]], (0, 1), (0, 2)),
            cut(X, [[0, 0, 6]], (0, 0), (0, 6)),
            cut(draw(40, 1), [[0, 40]], (7,), (30,)),
            cut(draw(6), [[0, 2, 6]], (0, 1), (1, 2)),
            cut(draw(6, 2, 2), [[0, 2, 6]], (0, 1), (1, 2)),
            cut(ints(6, 2), [[0, 2, 6]], (1, 3), (1, 1)),
            cut(ints(6, 2, dtype="int32"), [[0, 2, 6]], (1, 3), (1, 1)),
            Sample({"X": X, "Offset": column(1, dtype="int32"), "Length": column(2, dtype="int32")},
                   lods={"X": [[0, 6]]}, dynamic=True, excluded="Paddle takes int64 only"),
        ],
        [
            Bad({"X": X, "Offset": column(0), "Length": column(1)}, {}, "LoDError", "no LoD"),
            Bad({"X": X, "Offset": column(0), "Length": column(7)}, {}, "ArgumentValueError",
                "7 rows from 0 on of sequence 0", {"X": [[0, 6]]}),
            Bad({"X": X, "Offset": column(-1), "Length": column(1)}, {}, "ArgumentValueError", "-1 for sequence 0",
                {"X": [[0, 6]]}),
            Bad({"X": X, "Offset": column(0), "Length": column(1)}, {}, "ShapeError", "one for each sequence",
                {"X": [[0, 2, 6]]}),
            Bad({"X": X, "Offset": np.zeros(1, "int64"), "Length": column(1)}, {}, "ShapeError", "[-1, 1]",
                {"X": [[0, 6]]}),
            Bad({"X": X, "Offset": column(0).astype("float32"), "Length": column(1)}, {}, "DtypeError", "float32",
                {"X": [[0, 6]]}),
        ],
    ),
    Row(
        "sequence_pad",
        [
            pad(X, [9], [[0, 2, 6]]),
            pad(X, [9], [[0, 2, 2, 6]], 5),
            pad(X, [8, 9], [[0, 2, 6]]),
            pad(draw(40, 1), [0], [[0, 40]]),
            pad(draw(6, 2, 2), [[1, 2], [3, 4]], [[0, 2, 6]]),
            pad(ints(6, 2), [7], [[0, 2, 6]]),
            pad(ints(6, 2, dtype="int32"), [7], [[0, 2, 6]]),
        ],
        [
            Bad({"X": X, "PadValue": draw(1)}, {}, "LoDError", "no LoD"),
            Bad({"X": X, "PadValue": draw(1)}, {"padded_length": 3}, "ArgumentValueError", "at least 4", {"X": [[0, 2, 6]]}),
            Bad({"X": X, "PadValue": draw(1)}, {"padded_length": 0}, "ArgumentValueError", "1 or more", {"X": [[0, 6]]}),
            Bad({"X": X, "PadValue": draw(3)}, {}, "ShapeError", "[2]", {"X": [[0, 6]]}),
            Bad({"X": X, "PadValue": ints(1)}, {}, "DtypeError", "int64", {"X": [[0, 6]]}),
            Bad({"X": X, "PadValue": draw(1)}, {}, "LoDError", "2 LoD levels", {"X": [[0, 1], [0, 6]]}),
            Bad({"X": draw(6), "PadValue": draw(1)}, {}, "ShapeError", "[6]", {"X": [[0, 6]]}),
        ],
    ),
    Row(
        "sequence_unpad",
        [
            unpad(draw(2, 3, 2), 2, 3),
            unpad(draw(2, 3, 2), 0, 3),
            unpad(draw(1, 40, 1), 33),
            unpad(draw(2, 3), 2, 1),
            unpad(draw(2, 3, 2, 2), 2, 1),
            unpad(ints(2, 3, 2), 2, 3),
            unpad(ints(2, 3, 2, dtype="int32"), 2, 3),
            unpad(draw(2, 3, 2), 0, 0, excluded="Paddle stops with a floating point exception"),
        ],
        [
            Bad({"X": draw(2, 3, 2), "Length": np.array([2, 4])}, {}, "ArgumentValueError", "4 for sequence 1"),
            Bad({"X": draw(2, 3, 2), "Length": column(2, 1)}, {}, "ShapeError", "[2]"),
            Bad({"X": draw(2, 3, 2), "Length": np.array([2])}, {}, "ShapeError", "[2]"),
            Bad({"X": draw(2, 3, 2), "Length": draw(2)}, {}, "DtypeError", "float32"),
            Bad({"X": draw(2), "Length": np.array([2, 1])}, {}, "ShapeError", "2 dimensions"),
        ],
    ),
    Row(
        "sequence_reshape",
        [
            Sample({"X": X}, {"new_dim": 4}, lods={"X": [[0, 2, 6]]}),
            Sample({"X": X}, {"new_dim": 1}, lods={"X": [[0, 2, 2, 6]]}),
            Sample({"X": draw(40, 3)}, {"new_dim": 6}, lods={"X": [[0, 40]]}),
            Sample({"X": ints(6, 2)}, {"new_dim": 4}, lods={"X": [[0, 2, 6]]}),
            Sample({"X": ints(6, 2, dtype="int32")}, {"new_dim": 4}, lods={"X": [[0, 2, 6]]}),
        ],
        [
            Bad({"X": X}, {"new_dim": 4}, "LoDError", "no LoD"),
            Bad({"X": X}, {"new_dim": 4}, "ShapeError", "2 numbers in sequence 0", {"X": [[0, 1, 6]]}),
            Bad({"X": X}, {"new_dim": 0}, "ArgumentValueError", "'new_dim'", {"X": [[0, 6]]}),
            Bad({"X": draw(6, 2, 2)}, {"new_dim": 4}, "ShapeError", "[-1, -1]", {"X": [[0, 6]]}),
            Bad({"X": X}, {"new_dim": 4}, "LoDError", "2 LoD levels", {"X": [[0, 1], [0, 6]]}),
        ],
        view=True,
    ),
    Row(
        "sequence_reverse",
        [
            Sample({"X": X}, lods={"X": [[0, 2, 2, 6]]}),
            Sample({"X": draw(40, 1)}, lods={"X": [[0, 40]]}),
            Sample({"X": draw(6, 1, 2)}, lods={"X": [[0, 1, 6]]}),
            Sample({"X": ints(6, 2)}, lods={"X": [[0, 2, 6]]}),
            Sample({"X": ints(6, 2, dtype="int32")}, lods={"X": [[0, 2, 6]]}),
            Sample({"X": np.arange(6, dtype="uint8").reshape(6, 1)}, lods={"X": [[0, 2, 6]]}),
        ],
        [
            Bad({"X": X}, {}, "LoDError", "no LoD"),
            Bad({"X": X}, {}, "LoDError", "2 LoD levels", {"X": [[0, 1], [0, 6]]}),
            Bad({"X": draw(6)}, {}, "ShapeError", "[6]", {"X": [[0, 6]]}),
        ],
        double=True,
    ),
    Row(
        "lod_reset",
        [
            Sample({"X": X}, {"target_lod": [0, 2, 6]}),
            Sample({"X": X, "Y": draw(6, 1)}, lods={"X": [[0, 6]], "Y": [[0, 1, 2], [0, 2, 6]]}, grads=("X",)),
            Sample({"X": X, "Y": np.array([0, 3, 6], "int32")}),
            Sample({"X": X, "Y": np.array([0, 3, 6])}, excluded="Paddle takes int32 only"),
            Sample({"X": X}, {"target_lod": [0, 1, 2, 3, 4, 5, 6], "append": True}, lods={"X": [[0, 2, 6]]}),
            Sample({"X": X}, {"target_lod": [0, 1, 3, 6], "append": True}),
            Sample({"X": X, "Y": draw(6, 1)}, {"append": True}, grads=("X",),
                   lods={"X": [[0, 3, 6]], "Y": [[0, 1, 3], [0, 2, 4, 6]]}),
            Sample({"X": X, "Y": np.array([0, 1, 2, 3, 4, 5, 6], "int32")}, {"append": True}, lods={"X": [[0, 2, 6]]}),
            Sample({"X": ints(6, 2)}, {"target_lod": [0, 0, 6]}),
            Sample({"X": ints(6, 2, dtype="int32")}, {"target_lod": [0, 2, 6]}),
        ],
        [
            Bad({"X": X}, {}, "LoDError", "target_lod"),
            Bad({"X": X}, {"target_lod": [0, 2, 5]}, "LoDError", "last offset 5"),
            Bad({"X": X}, {"target_lod": [0, 5, 2, 6]}, "LoDError", "offset 2 after 5 at position 2"),
            Bad({"X": X}, {"target_lod": [0, 1, 6], "append": True}, "LoDError", "level 0", {"X": [[0, 2, 6]]}),
            Bad({"X": X, "Y": draw(3)}, {}, "LoDError", "Input(Y)"),
        ],
        view=True,
    ),
]  # fmt: skip
