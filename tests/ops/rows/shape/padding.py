"""Operators that put margins around an array, and that cut a window out of one."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X, CUBE, IMAGE = draw(2, 3), draw(2, 3, 4), draw(2, 1, 3, 4)
LOD = [[0, 1, 2]]


def whole(*shape, dtype):
    return draw(*shape, low=0, high=9, dtype=dtype)


def i32(*values):
    return np.array(values, "int32")


STRADDLING = "in rows whose length is no multiple of 4, Paddle's gradient takes numbers of the margin behind a row for the first elements of the next"
PAD = [
    Sample({"X": X}, {"paddings": [1, 0, 0, 2], "pad_value": 3.5}),
    Sample({"X": X}, {"paddings": [0, 0, 0, 0]}),
    Sample({"X": draw(4)}, {"paddings": [2, 1]}),
    Sample({"X": CUBE}, {"paddings": [0, 1, 1, 0, 0, 2], "pad_value": -1.0}),
    Sample({"X": X}, {"paddings": [0, 0, 1, 1]}, lods={"X": LOD}),
    Sample({"X": X}, {"paddings": [0, 1, 0, 0]}, lods={"X": LOD}),
    *[Sample({"X": whole(2, 3, dtype=t)}, {"paddings": [1, 0, 0, 1], "pad_value": 3.75}) for t in ("int32", "int64")],
    Sample({"X": draw(3, 6)}, {"paddings": [0, 0, 2, 2]}, excluded=STRADDLING),
]
PAD_ERRORS = [
    Bad({"X": X}, {"paddings": [1, 0, 0]}, "ShapeError", "4 numbers"),
    Bad({"X": X}, {"paddings": [-1, 0, 0, 0]}, "ShapeError", "at least 0"),
]

LIKE = [
    Sample({"X": draw(3, 4), "Y": X}, {"pad_value": 2.0}, grads=("Y",)),
    Sample({"X": draw(2, 3, seed=1), "Y": X}, grads=("Y",)),
    Sample({"X": draw(3, 4, 5), "Y": draw(1, 4, 2)}, {"pad_value": -2.0}, grads=("Y",)),
    Sample({"X": draw(3, 4), "Y": X}, grads=("Y",), lods={"X": [[0, 1, 3]], "Y": LOD}),
    *[Sample({"X": whole(3, 4, dtype=t), "Y": whole(2, 3, dtype=t)}, {"pad_value": 3.75}) for t in ("int32", "int64")],
    Sample({"X": draw(3, 8), "Y": draw(3, 6)}, grads=("Y",), excluded=STRADDLING),
]
LIKE_ERRORS = [
    Bad({"X": draw(2, 2), "Y": X}, {}, "ShapeError", "no dimension that is larger"),
    Bad({"X": CUBE, "Y": X}, {}, "ShapeError", "the rank of X"),
    Bad({"X": X.astype("float64"), "Y": X}, {}, "DtypeError", "float64"),
]

SIDES = [1, 2, 0, 1]
PAD2D = [
    *[Sample({"X": IMAGE}, {"paddings": SIDES, "mode": m, "pad_value": 9.0}) for m in ("constant", "reflect", "edge")],
    *[
        Sample({"X": draw(1, 3, 4, 2)}, {"paddings": [2, 0, 1, 2], "mode": m, "data_format": "NHWC"})
        for m in ("constant", "reflect", "edge")
    ],
    Sample({"X": IMAGE}, {"paddings": [3, 0, 0, 1], "mode": "reflect"}, note="mirrored further than the image reaches"),
    Sample({"X": IMAGE}, {"paddings": [-1, 0, 2, -1]}, note="negative margins cut"),
    Sample({"X": IMAGE}, {"paddings": [-1, 2, 1, -2], "mode": "edge"}),
    Sample({"X": IMAGE}, {"paddings": [0, 0, 0, 0], "mode": "reflect"}),
    Sample({"X": IMAGE, "Paddings": i32(1, 0, 0, 1)}, {"paddings": [9, 9, 9, 9], "mode": "edge"}, dynamic=True),
    Sample({"X": IMAGE, "Paddings": i32(1, 0, 0, 1)}, {"paddings": [], "pad_value": 2.0}, dynamic=True),
    Sample({"X": IMAGE}, {"paddings": SIDES}, lods={"X": LOD}),
    *[
        Sample({"X": whole(1, 1, 2, 3, dtype=t)}, {"paddings": SIDES, "pad_value": 3.75, "mode": m})
        for t in ("int32", "int64")
        for m in ("constant", "edge")
    ],
]
PAD2D_ERRORS = [
    Bad({"X": CUBE}, {"paddings": SIDES}, "ShapeError", "[N, C, H, W]"),
    Bad({"X": IMAGE}, {"paddings": [1, 0, 0]}, "ShapeError", "[top, bottom, left, right]"),
    Bad({"X": IMAGE}, {"paddings": SIDES, "mode": "wrap"}, "ArgumentValueError", "reflect"),
    Bad({"X": IMAGE}, {"paddings": SIDES, "data_format": "NCWH"}, "ArgumentValueError", "NHWC"),
    Bad({"X": IMAGE}, {"paddings": [5, 0, 0, 0], "mode": "reflect"}, "ShapeError", "twice the size 3"),
    Bad({"X": IMAGE}, {"paddings": [-1, -2, 0, 0]}, "ShapeError", "something left"),
    Bad({"X": IMAGE, "Paddings": np.array([1, 0, 0, 1])}, {"paddings": []}, "DtypeError", "int32"),
]

AT = [0, 1, 2]
CROP = [
    Sample({"X": CUBE}, {"offsets": AT, "shape": [2, 2, 2]}),
    Sample({"X": CUBE}, {"offsets": [0, 0, 1], "shape": [-1, 1, 2]}),
    Sample({"X": CUBE, "Y": draw(1, 2, 2)}, {"offsets": AT}, grads=("X",)),
    Sample({"X": CUBE, "Offsets": i32(1, 1, 0)}, {"shape": [1, 1, 4]}),
    Sample({"X": draw(5)}, {"offsets": [3], "shape": [2]}),
    Sample({"X": CUBE}, {"offsets": AT, "shape": [2, 1, 2]}, lods={"X": LOD}),
]
CROP_ERRORS = [
    Bad({"X": CUBE}, {"offsets": AT, "shape": [2, 2, 3]}, "ShapeError", "0 to 4"),
    Bad({"X": CUBE}, {"offsets": [0, -1, 0], "shape": [2, 2, 2]}, "ShapeError", "axis 1"),
    Bad({"X": CUBE}, {"offsets": [0, 0, 0], "shape": [2, 0, 2]}, "ShapeError", "axis 1"),
    Bad({"X": CUBE}, {"offsets": [0, 0], "shape": [2, 2, 2]}, "ShapeError", "offsets"),
    Bad({"X": CUBE}, {"offsets": AT, "shape": [2, 2]}, "ShapeError", "3 numbers"),
    Bad({"X": CUBE, "Offsets": np.array(AT)}, {"shape": [2, 2, 2]}, "DtypeError", "int32"),
]
CROP_TENSOR = [
    Sample({"X": CUBE}, {"offsets": AT, "shape": [2, 2, 2]}),
    Sample({"X": CUBE}, {"offsets": AT, "shape": [2, -1, -1]}),
    Sample({"X": CUBE, "Shape": i32(1, 2, 2), "Offsets": i32(1, 0, 2)}, dynamic=True),
    Sample({"X": CUBE, "Shape": i32(1, 2, 2)}, {"offsets": AT}, dynamic=True),
    Sample({"X": CUBE, "Offsets": i32(1, 0, 2)}, {"shape": [1, 2, 2]}),
    Sample({"X": CUBE, "ShapeTensor": [i32(1)] * 3, "OffsetsTensor": [i32(1)] * 3}, dynamic=True),
    Sample({"X": draw(5)}, {"offsets": [1], "shape": [3]}),
    Sample({"X": CUBE}, {"offsets": AT, "shape": [2, 2, 1]}, lods={"X": LOD}),
    *[Sample({"X": whole(2, 3, 4, dtype=t)}, {"offsets": AT, "shape": [2, 2, 2]}) for t in ("int32", "int64")],
]
CROP_TENSOR_ERRORS = [
    *CROP_ERRORS,
    Bad({"X": CUBE, "ShapeTensor": [i32(1)]}, {"offsets": AT}, "ShapeError", "3 numbers"),
]

ROWS = [
    Row("pad", PAD, PAD_ERRORS, double=True),
    Row("pad_constant_like", LIKE, LIKE_ERRORS),
    Row("pad2d", PAD2D, PAD2D_ERRORS),
    Row("crop", CROP, CROP_ERRORS),
    Row("crop_tensor", CROP_TENSOR, CROP_TENSOR_ERRORS),
]
