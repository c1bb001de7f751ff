"""Operators that move the channels of images, and the affine map of each channel."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

X = draw(4, 8, 4, 6)
SHUFFLED_TWICE = "its gradient is shuffled once more, not back"
HALF = "of float64 only as many bytes are copied as float32 has"
SCALE, BIAS = draw(3), draw(3, seed=1)


def image(*shape, **attrs):
    return Sample({"X": draw(*shape)}, attrs)


def wide(*shape, **attrs):
    return Sample({"X": draw(*shape, dtype="float64")}, attrs)


def with_lod(**attrs):
    return Sample({"X": draw(4, 4, 2, 2, seed=2)}, attrs, lods={"X": [[0, 1, 4]]})


def affine(shape, channels, layout, dtype="float32"):
    inputs = {
        "X": draw(*shape, dtype=dtype),
        "Scale": draw(channels, dtype=dtype),
        "Bias": draw(channels, dtype=dtype, seed=1),
    }
    return Sample(inputs, {"data_layout": layout} if layout else {})


ROWS = [
    Row(
        "pixel_shuffle",
        [
            image(2, 8, 3, 2, upscale_factor=2),
            image(1, 9, 1, 4, upscale_factor=3),
            image(2, 3, 2, 2),
            wide(2, 4, 2, 3, upscale_factor=2),
            with_lod(upscale_factor=2),
        ],
        [
            Bad({"X": X[0]}, {}, "ShapeError", "Input(X)"),
            Bad({"X": X}, {"upscale_factor": 3}, "ShapeError", "multiple of 9 channels"),
            Bad({"X": X}, {"upscale_factor": 0}, "ArgumentValueError", "upscale_factor"),
            Bad({"X": X.astype("int32")}, {}, "DtypeError", "Input(X)"),
        ],
        view=True,
    ),
    Row(
        "space_to_depth",
        [
            image(2, 8, 4, 6, blocksize=2),
            image(1, 9, 3, 6, blocksize=3),
            wide(2, 4, 2, 4, blocksize=2),
            with_lod(blocksize=2),
            Sample({"X": np.arange(64, dtype="int32").reshape(1, 4, 4, 4)}, {"blocksize": 2}),
            Sample({"X": np.arange(64, dtype="int64").reshape(2, 8, 2, 2)}, {"blocksize": 2}),
        ],
        [
            Bad({"X": X[0]}, {"blocksize": 2}, "ShapeError", "Input(X)"),
            Bad({"X": X}, {"blocksize": 1}, "ArgumentValueError", "blocksize"),
            Bad({"X": X}, {"blocksize": 3}, "ShapeError", "multiple of 9 channels"),
            Bad({"X": X[:, :, :3]}, {"blocksize": 2}, "ShapeError", "multiple of 2 rows"),
            Bad({"X": X[:, :, :, :3]}, {"blocksize": 2}, "ShapeError", "multiple of 2 columns"),
        ],
    ),
    Row(
        "shuffle_channel",
        [
            image(2, 6, 2, 2, group=6),
            image(2, 5, 2, 2),
            with_lod(group=2),
            Sample({"X": draw(1, 4, 2, 1, dtype="float64")}, {"group": 2}, excluded=HALF),
            *(Sample({"X": draw(2, 6, 2, 3)}, {"group": n}, grads=()) for n in (2, 3)),
            *(Sample({"X": draw(2, 6, 2, 3, seed=1)}, {"group": n}, excluded=SHUFFLED_TWICE) for n in (2, 3)),
        ],
        [
            Bad({"X": X[0]}, {}, "ShapeError", "Input(X)"),
            Bad({"X": X}, {"group": 0}, "ArgumentValueError", "group"),
            Bad({"X": X}, {"group": 3}, "ShapeError", "multiple of 3 channels"),
            Bad({"X": X.astype("int64")}, {}, "DtypeError", "Input(X)"),
        ],
        view=True,
    ),
    Row(
        "temporal_shift",
        [
            image(6, 8, 2, 3, seg_num=3),
            image(4, 6, 1, 2, seg_num=2, shift_ratio=0.3),
            image(4, 10, 1, 1, seg_num=4, shift_ratio=0.45),
            image(2, 10, 2, 1, seg_num=1, shift_ratio=0.1),
            image(4, 3, 2, 1, seg_num=2, shift_ratio=0.25),
            wide(4, 4, 2, 2, seg_num=2),
            with_lod(seg_num=2),
        ],
        [
            Bad({"X": X[0]}, {"seg_num": 2}, "ShapeError", "Input(X)"),
            Bad({"X": X}, {"seg_num": 3}, "ShapeError", "multiple of 3 frames"),
            Bad({"X": X}, {"seg_num": 0}, "ArgumentValueError", "seg_num"),
            Bad({"X": X}, {"seg_num": 2, "shift_ratio": 0.5}, "ArgumentValueError", "shift_ratio"),
            Bad({"X": X}, {"seg_num": 2, "shift_ratio": 0.0}, "ArgumentValueError", "shift_ratio"),
            Bad({"X": X.astype("int64")}, {"seg_num": 2}, "DtypeError", "Input(X)"),
        ],
    ),
    Row(
        "affine_channel",
        [
            affine((2, 3, 2, 4), 3, "NCHW"),
            affine((2, 2, 4, 3), 3, "NHWC"),
            affine((4, 3), 3, "NCHW"),
            affine((4, 3), 3, ""),
            affine((2, 3, 2, 3), 3, "AnyLayout"),
            affine((2, 3, 4), 3, "NCHW"),
            affine((2, 2, 4, 3), 3, ""),
            Sample({"X": draw(4, 3), "Scale": SCALE, "Bias": BIAS}, lods={"X": [[0, 1, 4]]}),
            affine((2, 3, 2, 4), 3, "NCHW", "float64"),
        ],
        [
            Bad(
                {"X": X, "Scale": SCALE, "Bias": BIAS},
                {"data_layout": "NCHW"},
                "ShapeError",
                "Input(Scale) got shape [3]",
            ),
            Bad(
                {"X": X[:, :3], "Scale": SCALE, "Bias": draw(4)},
                {"data_layout": "NCHW"},
                "ShapeError",
                "Input(Bias) got shape [4]",
            ),
            Bad({"X": X[:, :3], "Scale": SCALE, "Bias": BIAS}, {"data_layout": "NHWC"}, "ShapeError", "Scale"),
            Bad({"X": X[:, :3], "Scale": SCALE, "Bias": BIAS}, {"data_layout": "HW"}, "ArgumentValueError", "data_"),
            Bad({"X": draw(3), "Scale": SCALE, "Bias": BIAS}, {}, "ShapeError", "2 dimensions or more"),
            Bad(
                {"X": X[:, :3], "Scale": SCALE.astype("float64"), "Bias": BIAS},
                {"data_layout": "NCHW"},
                "DtypeError",
                "Scale",
            ),
        ],
    ),
]
