"""Writing, taking and rearranging as PaddlePaddle 2 has them; tests/interop compares them with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
X = draw(3, 4, 5)
WHOLE = {"shape": [1], "values": [2.5]}


def one(x, attrs=None, **inputs):
    return Sample({"X": x, **inputs}, attrs, excluded=WHY)


def written(axes, starts, ends, steps=None, x=X, value=None, grads=None, lists=None, **attrs):
    """A part of X that is written."""
    given = {"axes": axes, "starts": starts, "ends": ends, "steps": steps or [1] * len(axes), **attrs}
    inputs = {"Input": x, **({} if value is None else {"ValueTensor": value}), **(lists or {})}
    return Sample(inputs, given if value is not None else {**WHOLE, **given}, excluded=WHY, grads=grads)


def taken(x, index, axis):
    return Sample({"Input": x, "Index": index}, {"Axis": axis}, excluded=WHY)


def bad(inputs, attrs, error, match):
    return Bad(inputs, attrs, error, match)


NUMBERS = {"axes": [0], "starts": [0], "ends": [1], "steps": [1]}
FOLD = {"output_sizes": [4, 6], "kernel_sizes": [2, 2], "strides": [2, 2], "paddings": [0] * 4, "dilations": [1, 1]}
WIDE = {"strides": [1, 2], "paddings": [1, 0, 1, 0], "dilations": [1, 3], "output_sizes": [4, 6]}


ROWS = [
    Row(
        "set_value",
        [
            written([1], [1], [3]),
            written([0], [0], [1], decrease_axes=[0]),
            written([0, 2], [-2, 1], [2147483647, 5], [1, 2], x=X.astype("float64"), dtype=6),
            written([1], [0], [1], decrease_axes=[1], value=draw(3, 5, seed=4)),
            written([1], [1], [3], value=draw(1, 5, seed=4)),
            written([1], [1], [3], value=draw(1, 1, 1, 2, 5, seed=4)),
            written([1], [0], [1], decrease_axes=[1], none_axes=[1], value=draw(3, 1, 5, seed=4)),
            written([0], [0], [2], x=np.arange(6).reshape(3, 2), dtype=3, values=[7, -8], shape=[1, 2]),
            written([0], [0], [2], x=np.arange(6, dtype="int32").reshape(3, 2), dtype=2, values=[7], shape=[1]),
        ],
        [
            bad({"Input": X, "ValueTensor": draw(3, 5, dtype="float64")}, NUMBERS, "ArgumentValueError", "float64"),
            bad({"Input": X, "ValueTensor": draw(2, 5)}, NUMBERS, "ShapeError", "the value got shape [2, 5]"),
            bad({"Input": X}, {**NUMBERS, **WHOLE, "starts": [3], "decrease_axes": [0]}, "IndexRangeError", "axis 0"),
        ],
    ),
    Row(
        "take_along_axis",
        [
            taken(draw(3, 4), np.array([[0, 2, 1, 0]]), 0),
            taken(draw(3, 4), np.array([[3, 0], [1, 1], [2, 2]], "int32"), 1),
            taken(draw(2, 3, 4, dtype="float64"), np.array([[[0, 1, 2, 0]] * 2] * 2), 1),
            taken(np.arange(6).reshape(2, 3), np.array([[1, 0, 1]]), 0),
        ],
        [
            bad({"Input": X, "Index": np.array([0])}, {"Axis": 0}, "ShapeError", "the rank of Input"),
            bad({"Input": draw(2, 3), "Index": np.array([[2, 0, 0]])}, {"Axis": 0}, "ArgumentValueError", "got 0 to 2"),
            bad({"Input": draw(2, 3), "Index": draw(1, 3)}, {"Axis": 0}, "DtypeError", "Index"),
            bad({"Input": draw(2, 3), "Index": np.array([[0, 0, 0]])}, {"Axis": 2}, "ShapeError", "Axis"),
        ],
    ),
    Row(
        "diagonal",
        [
            Sample({"Input": x}, attrs, excluded=WHY)
            for x, attrs in (
                (draw(3, 4), {}),
                (X, {"offset": 1, "axis1": 2, "axis2": 0}),
                (draw(2, 3, 4, dtype="float64"), {"offset": -1, "axis1": -2, "axis2": -1}),
                (np.arange(6).reshape(2, 3), {"offset": 1}),
            )
        ],
        [
            bad({"Input": X}, {"axis1": 1, "axis2": 1}, "ArgumentValueError", "another axis"),
            bad({"Input": X}, {"axis1": 3, "axis2": 1}, "ShapeError", "axis1"),
        ],
    ),
    Row(
        "pixel_unshuffle",
        [
            one(draw(2, 2, 4, 6), {"downscale_factor": 2}),
            one(draw(1, 6, 3, 2, dtype="float64"), {"downscale_factor": 3, "data_format": "NHWC"}),
        ],
        [
            bad({"X": X}, {"downscale_factor": 2}, "ShapeError", "[N, C, H, W]"),
            bad({"X": draw(1, 1, 3, 4)}, {"downscale_factor": 2}, "ShapeError", "a multiple of 2 rows"),
            bad({"X": draw(1, 1, 4, 4)}, {"downscale_factor": 0}, "ArgumentValueError", "1 or more"),
            bad({"X": draw(1, 1, 4, 4)}, {"data_format": "NCL"}, "ArgumentValueError", "NCHW or NHWC"),
        ],
    ),
    Row(
        "channel_shuffle",
        [
            one(draw(2, 6, 2, 3), {"groups": 2}),
            one(draw(1, 2, 3, 6, dtype="float64"), {"groups": 3, "data_format": "NHWC"}),
        ],
        [
            bad({"X": draw(1, 5, 2, 2)}, {"groups": 2}, "ShapeError", "a multiple of 2 channels"),
            bad({"X": draw(1, 4, 2, 2)}, {"groups": 0}, "ArgumentValueError", "1 or more"),
        ],
    ),
    Row(
        "fold",
        [one(draw(2, 12, 6), FOLD), one(draw(1, 4, 10, dtype="float64"), dict(FOLD, **WIDE))],
        [
            bad({"X": draw(2, 6, 6)}, FOLD, "ShapeError", "multiple of 4 channels"),
            bad({"X": draw(2, 12, 5)}, FOLD, "ShapeError", "2 * 3 windows"),
            bad({"X": draw(2, 12)}, FOLD, "ShapeError", "[N, C kh kw, windows]"),
            bad({"X": draw(2, 12, 6)}, dict(FOLD, paddings=[0, 0]), "ArgumentValueError", "paddings"),
        ],
    ),
]
