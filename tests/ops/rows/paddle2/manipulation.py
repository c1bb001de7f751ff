"""Operators that PaddlePaddle 1.8.5 does not have; tests/interop compares them with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"


def sample(attrs=None, dtype="float32", grads=None, dynamic=False, counts=None, **shapes):
    """A call with inputs of these shapes, or these arrays, in any order of slots."""
    inputs = {
        slot: draw(*shape, dtype=dtype, seed=i + 1) if isinstance(shape, tuple) else shape
        for i, (slot, shape) in enumerate(sorted(shapes.items()))
    }
    return Sample(inputs, attrs, grads=grads, excluded=WHY, dynamic=dynamic)


def bad(attrs, error, match, **shapes):
    made = sample(attrs, **shapes)
    return Bad(made.inputs, made.attrs, error, match)


X, Y = {"trans_x": True}, {"trans_y": True}

ROWS = [
    Row("silu", [sample(X=(2, 3)), sample(X=(2, 3), dtype="float64")], double=True),
    Row(
        "matmul_v2",
        [
            sample(X=(2, 3), Y=(3, 4)),
            sample(X=(2, 3), Y=(3, 4), dtype="float64"),
            sample(X, X=(3, 2), Y=(3, 4)),
            sample(Y, X=(2, 3), Y=(4, 3)),
            sample({**X, **Y}, X=(3, 2), Y=(4, 3)),
            sample(X=(3,), Y=(3,)),
            sample(X=(3,), Y=(3, 4)),
            sample(Y, X=(3,), Y=(4, 3)),
            sample(X, X=(3, 2), Y=(3,)),
            sample(X=(2, 2, 3), Y=(3,)),
            sample(X=(3,), Y=(2, 3, 2)),
            sample(X=(2, 2, 3), Y=(3, 4)),
            sample(X=(2, 1, 2, 3), Y=(3, 3, 2)),
            sample(Y, X=(1, 2, 3), Y=(2, 4, 3)),
            sample(X, X=(2, 3, 2), Y=(1, 3, 4)),
            sample(X=np.int32([[1, 2]]), Y=np.int32([[3], [4]])),
            sample(X=np.int64([[1, 2]]), Y=np.int64([[3], [4]])),
        ],
        [
            bad({}, "ShapeError", "Input(Y) got 4 rows, needs 3", X=(2, 3), Y=(4, 3)),
            bad({}, "ShapeError", "Input(Y) got batches [3]", X=(2, 2, 3), Y=(3, 3, 2)),
            bad({}, "DtypeError", "float or int dtype", X=np.ones((2, 2), "bool"), Y=np.ones((2, 2), "bool")),
        ],
    ),
    Row(
        "flatten_contiguous_range",
        [
            sample(X=(2, 3, 2)),
            sample({"start_axis": 1, "stop_axis": -1}, X=(2, 3, 2)),
            sample({"start_axis": 0, "stop_axis": 1}, X=(2, 3, 2)),
            sample({"start_axis": -3, "stop_axis": -2}, X=(2, 3, 2), dtype="float64"),
            *(sample({}, X=draw(1, 3, dtype=kind, low=-9, high=9)) for kind in ["bool", "int16", "int32", "int64"]),
        ],
        [
            bad({"start_axis": 2, "stop_axis": 1}, "ShapeError", "stop_axis", X=(2, 3, 2)),
            bad({"stop_axis": 3}, "ShapeError", "stop_axis", X=(2, 3, 2)),
        ],
        double=True,
        view=True,
    ),
    Row(
        "tile",
        [
            sample({"repeat_times": [2, 1]}, X=(2, 3)),
            sample({"repeat_times": [2]}, X=(2, 3)),
            sample({"repeat_times": [2, 1, 3]}, X=(1, 3), dtype="float64"),
            sample({"repeat_times": [1]}, X=(2, 3), RepeatTimes=np.int32([1, 2]), dynamic=True),
            *(
                sample({"repeat_times": [2]}, X=draw(1, 3, dtype=kind, low=-9, high=9))
                for kind in ["bool", "int32", "int64"]
            ),
        ],
        [bad({"repeat_times": [0, 1]}, "ShapeError", "repeat_times", X=(2, 3))],
    ),
    Row(
        "expand_v2",
        [
            sample({"shape": [2, 3]}, X=(1, 3)),
            sample({"shape": [2, -1, 4]}, X=(3, 1)),
            sample({"shape": [4, 3]}, X=(3,), dtype="float64"),
            sample({"shape": []}, X=(1, 3), Shape=np.int32([2, 3]), dynamic=True),
            *(
                sample({"shape": [2, 3]}, X=draw(1, 3, dtype=kind, low=-9, high=9))
                for kind in ["bool", "int16", "int32", "int64"]
            ),
        ],
        [
            bad({"shape": [3]}, "ShapeError", "at least 2 sizes", X=(1, 3)),
            bad({"shape": [2, 4]}, "ShapeError", "sizes of X", X=(1, 3)),
        ],
    ),
    Row(
        "expand_as_v2",
        [
            sample({"target_shape": [2, 3]}, X=(1, 3)),
            sample({"target_shape": [2, 2, 3]}, X=(2, 1), Y=np.zeros((2, 2, 3), "float32"), grads=("X",)),
            *(
                sample({"target_shape": [2, 3]}, X=draw(1, 3, dtype=kind, low=-9, high=9))
                for kind in ["bool", "int32", "int64"]
            ),
        ],
        [bad({"target_shape": [2, 4]}, "ShapeError", "sizes of X", X=(1, 3))],
    ),
    Row(
        "log_softmax",
        [sample(X=(2, 3)), sample({"axis": 0}, X=(2, 3)), sample({"axis": 1}, X=(2, 3, 2), dtype="float64")],
        [bad({"axis": 2}, "ShapeError", "axis", X=(2, 3))],
    ),
    Row(
        "top_k_v2",
        [
            sample({"k": 2}, X=(2, 4)),
            sample({"k": 2, "largest": False}, X=(2, 4)),
            sample({"k": 1, "axis": 0}, X=(3, 2), dtype="float64"),
            sample({"k": 2, "axis": 1}, X=(2, 3, 2)),
            sample({"k": 1}, X=(2, 4), K=np.int32([3]), dynamic=True),
            *(sample({"k": 2}, X=draw(2, 4, dtype=kind, low=-9, high=9)) for kind in ["int32", "int64"]),
        ],
        [bad({"k": 5}, "ShapeError", "'k' got 5", X=(2, 4))],
    ),
    Row(
        "assert",
        [sample(Cond=np.array([True])), sample({"summarize": 2}, Cond=np.array([True]), Data=[draw(2, 3), draw(2)])],
        [
            bad({}, "ArgumentValueError", "got False, needs True", Cond=np.array([False])),
            bad({}, "DtypeError", "Input(Cond)", Cond=(1,)),
            bad({}, "ShapeError", "one element", Cond=np.array([True, True])),
        ],
    ),
]
