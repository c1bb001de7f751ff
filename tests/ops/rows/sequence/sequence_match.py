"""Operators on tables that belong to pairs of sequences."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw


def match(x, y, sizes=(3, 3), dim_t=2, **more):
    inputs = {"X": draw(x[0][-1], sizes[0]), "Y": draw(y[0][-1], sizes[1]), "W": draw(sizes[0], dim_t, sizes[1])}
    return Sample(inputs, {"dim_t": dim_t}, lods={"X": x, "Y": y}, dynamic=True, **more)


def lods_of(rows, columns, channels):
    sizes = [channels * r * c for r, c in zip(rows, columns)]
    return {name: [[0] + np.cumsum(each).tolist()] for name, each in (("X", sizes), ("ROW", rows), ("COLUMN", columns))}


def conv(rows, columns, channels=2, out=3, kernel=(3, 3), stride=(1, 1), **more):
    lods = lods_of(rows, columns, channels)
    attrs = {"InputChannel": channels, "OutputChannel": out, "KernelH": kernel[0], "KernelW": kernel[1],
             "StrideH": stride[0], "StrideW": stride[1]}  # fmt: skip
    inputs = {"X": draw(lods["X"][0][-1], 1), "W": draw(out, channels * kernel[0] * kernel[1])}
    inputs.update({name: draw(lods[name][0][-1], 1) for name in ("ROW", "COLUMN")})
    return Sample(inputs, attrs, lods=lods, grads=("X", "W"), dynamic=True, **more)


def topk(rows, columns, topks, channels=2, x=None, grads=("X",), **more):
    lods = lods_of(rows, columns, channels)
    count = lods["X"][0][-1]
    if x is None:
        x = ((np.random.RandomState(count).permutation(count) - count // 2) * 0.25).reshape(-1, 1).astype("float32")
    inputs = {"X": x, "ROW": draw(lods["ROW"][0][-1], 1), "COLUMN": draw(lods["COLUMN"][0][-1], 1)}
    return Sample(inputs, {"topks": topks, "channel_num": channels}, lods=lods, grads=grads, **more)


M = {"X": draw(3, 2), "Y": draw(4, 2), "W": draw(2, 1, 2)}
T = {"X": draw(6, 1), "ROW": draw(2, 1), "COLUMN": draw(3, 1)}
T_LODS = {"X": [[0, 6]], "ROW": [[0, 2]], "COLUMN": [[0, 3]]}

ROWS = [
    Row(
        "match_matrix_tensor",
        [
            match([[0, 1, 3]], [[0, 3, 4]]),
            match([[0, 0, 3]], [[0, 3, 4]]),
            match([[0, 20]], [[0, 2]], dim_t=1),
            match([[0, 1, 3]], [[0, 3, 4]], sizes=(2, 3),
                  excluded="Paddle's gradients are wrong where rows of X and Y differ in length"),
        ],
        [
            Bad(M, {}, "LoDError", "no LoD"),
            Bad(M, {}, "LoDError", "a LoD of 1 sequences", {"X": [[0, 1, 3]], "Y": [[0, 4]]}),
            Bad(M, {"dim_t": 2}, "ShapeError", "[2, 2, 2]", {"X": [[0, 3]], "Y": [[0, 4]]}),
            Bad(M, {"dim_t": 0}, "ArgumentValueError", "'dim_t'", {"X": [[0, 3]], "Y": [[0, 4]]}),
            Bad({**M, "X": draw(3)}, {}, "ShapeError", "[-1, -1]", {"X": [[0, 3]], "Y": [[0, 4]]}),
            Bad({**M, "Y": draw(4, 2, dtype="float64")}, {}, "DtypeError", "float64", {"X": [[0, 3]], "Y": [[0, 4]]}),
        ],
        tolerance=(1e-5, 1e-5),
    ),
    Row(
        "var_conv_2d",
        [
            conv((3, 2), (4, 2)),
            conv((3, 2), (4, 2), kernel=(2, 3), stride=(2, 2)),
            conv((5,), (7,), channels=1, out=1, kernel=(4, 5), stride=(3, 2)),
            conv((3, 0, 2), (4, 0, 2), out=1),
            conv((1,), (1,), kernel=(1, 1)),
        ],
        [
            Bad({**T, "W": draw(1, 1)}, {}, "LoDError", "no LoD"),
            Bad({**T, "W": draw(1, 1)}, {}, "LoDError", "6 numbers in sequence 0", {**T_LODS, "COLUMN": [[0, 2, 3]], "ROW": [[0, 2, 2]], "X": [[0, 6, 6]]}),
            Bad({**T, "W": draw(1, 1)}, {}, "LoDError", "a LoD of 2 sequences", {**T_LODS, "ROW": [[0, 1, 2]]}),
            Bad({**T, "W": draw(1, 2)}, {}, "ShapeError", "[1, 1]", T_LODS),
            Bad({**T, "W": draw(1, 1)}, {"StrideH": 0}, "ArgumentValueError", "'StrideH'", T_LODS),
            Bad({**T, "X": draw(6), "W": draw(1, 1)}, {}, "ShapeError", "[-1, 1]", T_LODS),
        ],
        tolerance=(1e-5, 1e-5),
    ),
    Row(
        "sequence_topk_avg_pooling",
        [
            topk((2, 1), (3, 2), [1, 3, 5]),
            topk((2, 0, 1), (3, 0, 2), [2]),
            topk((1,), (20,), [1, 3], channels=1),
            topk((1,), (6,), [1, 3], 1, np.array([[1], [1], [1], [2], [2], [1]], "float32"), (), note="equal numbers"),
        ],
        [
            Bad(T, {"topks": [1], "channel_num": 1}, "LoDError", "no LoD"),
            Bad(T, {"topks": [1], "channel_num": 2}, "LoDError", "2 channels of 2 rows and 3 columns", T_LODS),
            Bad(T, {"topks": [3, 1], "channel_num": 1}, "ArgumentValueError", "'topks'", T_LODS),
            Bad(T, {"topks": [], "channel_num": 1}, "ArgumentValueError", "'topks'", T_LODS),
            Bad({**T, "X": draw(6, 2)}, {"topks": [1], "channel_num": 1}, "ShapeError", "[-1, 1]", T_LODS),
        ],
        tolerance=(1e-5, 1e-5),
    ),
]  # fmt: skip
