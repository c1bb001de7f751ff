"""Pooling over images and volumes."""

import numpy as np

from tests.ops.row import Bad, Row, Sample

IMAGE = (2, 3, 7, 6)


def apart(*shape, dtype="float32"):
    """Numbers of which no two are near each other, so that differences do not change which one is the largest."""
    values = np.random.RandomState(5).permutation(int(np.prod(shape)))
    return (values.reshape(shape) / 16.0 - 4).astype(dtype)


def pool(kind, ksize=(3, 2), image=IMAGE, dtype="float32", excluded="", note="", **attrs):
    return Sample(
        {"X": apart(*image, dtype=dtype)},
        dict(attrs, pooling_type=kind, ksize=list(ksize)),
        excluded=excluded,
        note=note,
    )


def forms(kind):
    """One kind of pooling with every form of window, stride, padding and layout."""
    last = (2, 7, 6, 3)
    return [
        pool(kind),
        pool(kind, (2, 2), strides=[2, 2]),
        pool(kind, (2, 2), (2, 3, 6, 8), strides=[2, 2], note="2x2 side by side"),
        pool(kind, (2, 2), strides=[2, 2], ceil_mode=True),
        pool(kind, (2, 3), strides=[2, 2], ceil_mode=True, exclusive=False),
        pool(kind, (3, 3), strides=[2, 1], paddings=[1, 1]),
        pool(kind, (3, 3), strides=[2, 2], paddings=[1, 1], exclusive=False),
        pool(kind, (3, 3), strides=[2, 2], paddings=[1, 1], ceil_mode=True, exclusive=False),
        pool(kind, (3, 3), paddings=[0, 1, 2, 1]),
        pool(kind, (3, 3), paddings=[0, 1, 2, 1], exclusive=False),
        pool(kind, padding_algorithm="SAME"),
        pool(kind, padding_algorithm="SAME", strides=[2, 3], exclusive=False),
        pool(kind, padding_algorithm="VALID", paddings=[1, 1]),
        pool(kind, (2, 2), global_pooling=True),
        pool(kind, (2, 2), global_pooling=True, paddings=[1, 1], strides=[3, 3], exclusive=False),
        pool(kind, (-1, -1), global_pooling=True, note="the window is not looked at"),
        pool(kind, image=last, data_format="NHWC"),
        pool(kind, (3, 3), image=last, data_format="NHWC", strides=[2, 1], paddings=[1, 0, 2, 1]),
        pool(kind, image=last, data_format="NHWC", global_pooling=True),
        pool(kind, image=last, data_format="NHWC", padding_algorithm="SAME"),
        pool(kind, data_format="AnyLayout"),
        pool(kind, strides=[2, 2], dtype="float64"),
        pool(kind, (1, 1)),
    ]


SIDES = (
    "Paddle's pool2d does not look at `adaptive` where it takes maxima; its layer calls max_pool2d_with_index instead"
)


def adaptive(kind, excluded=""):
    last = (2, 7, 6, 3)
    return [
        pool(kind, (2, 3), adaptive=True, excluded=excluded),
        pool(kind, (3, 4), adaptive=True, excluded=excluded, exclusive=False),
        pool(kind, (9, 6), adaptive=True, excluded=excluded, note="more outputs than inputs"),
        pool(kind, (3, 4), image=last, adaptive=True, excluded=excluded, data_format="NHWC"),
    ]


def errors(given, ksize=(3, 2)):
    x = apart(*IMAGE)
    good = dict(given, ksize=list(ksize))
    return [
        Bad({"X": x[0]}, good, "ShapeError", "Input(X)"),
        Bad({"X": x.astype("int64")}, good, "DtypeError", "int64"),
        Bad({"X": x}, dict(good, ksize=[0, 1]), "ArgumentValueError", "ksize"),
        Bad({"X": x}, dict(good, ksize=[2]), "ArgumentValueError", "ksize"),
        Bad({"X": x}, dict(good, strides=[0, 1]), "ArgumentValueError", "strides"),
        Bad({"X": x}, dict(good, paddings=[1, 1, 1]), "ArgumentValueError", "paddings"),
        Bad({"X": x}, dict(good, paddings=[-1, 0]), "ArgumentValueError", "paddings"),
        Bad({"X": x}, dict(good, ksize=[8, 1]), "ShapeError", "window"),
        Bad({"X": x}, dict(good, ksize=[9, 1]), "ShapeError", "window"),
        Bad({"X": x[:, :, :0]}, dict(good, global_pooling=True), "ShapeError", "image"),
        Bad({"X": x}, dict(good, global_pooling=True, adaptive=True), "ArgumentValueError", "adaptive"),
    ]


def index(ksize, image=IMAGE, dtype="float32", **attrs):
    return Sample({"X": apart(*image, dtype=dtype)}, dict(attrs, ksize=list(ksize)))


VOLUME = (2, 2, 4, 5, 3)
LAST = (2, 4, 5, 3, 2)


def pool3d(kind, ksize=(2, 3, 2), volume=VOLUME, dtype="float32", excluded="", **attrs):
    attrs = dict(attrs, pooling_type=kind, ksize=list(ksize))
    return Sample({"X": apart(*volume, dtype=dtype)}, attrs, excluded=excluded)


def volumes(kind, sides=""):
    """One kind of pooling over volumes with every form of window, stride, padding and layout."""
    return [
        pool3d(kind),
        pool3d(kind, (2, 2, 2), strides=[2, 2, 2]),
        pool3d(kind, (2, 2, 2), strides=[3, 2, 2], ceil_mode=True),
        pool3d(kind, (2, 2, 2), strides=[3, 2, 2], ceil_mode=True, exclusive=False),
        pool3d(kind, (3, 3, 2), strides=[2, 1, 2], paddings=[1, 1, 0]),
        pool3d(kind, (3, 3, 2), paddings=[1, 1, 0], exclusive=False),
        pool3d(kind, (3, 3, 2), paddings=[0, 1, 2, 1, 1, 0]),
        pool3d(kind, padding_algorithm="SAME", strides=[2, 3, 1]),
        pool3d(kind, padding_algorithm="VALID", paddings=[1, 1, 1]),
        pool3d(kind, (1, 1, 1), global_pooling=True, paddings=[1, 1, 1], exclusive=False),
        pool3d(kind, volume=LAST, data_format="NDHWC", strides=[2, 2, 1], paddings=[1, 0, 1, 1, 0, 1]),
        pool3d(kind, volume=LAST, data_format="NDHWC", global_pooling=True),
        pool3d(kind, data_format="AnyLayout"),
        pool3d(kind, strides=[2, 1, 1], dtype="float64"),
        pool3d(kind, (1, 3, 2), (1, 1, 2, 3, 3), "float64", strides=[3, 2, 3], ceil_mode=True),
        pool3d(kind, (3, 2, 3), adaptive=True, excluded=sides),
        pool3d(kind, (5, 2, 1), volume=LAST, adaptive=True, data_format="NDHWC", excluded=sides),
    ]


def volume_errors(given):
    x = apart(*VOLUME)
    good = dict(given, ksize=[2, 3, 2])
    return [
        Bad({"X": x[0]}, good, "ShapeError", "Input(X)"),
        Bad({"X": x.astype("int64")}, good, "DtypeError", "int64"),
        Bad({"X": x}, dict(good, ksize=[0, 1, 1]), "ArgumentValueError", "ksize"),
        Bad({"X": x}, dict(good, ksize=[2, 2]), "ArgumentValueError", "ksize"),
        Bad({"X": x}, dict(good, strides=[1, 1]), "ArgumentValueError", "strides"),
        Bad({"X": x}, dict(good, paddings=[1, 1]), "ArgumentValueError", "paddings"),
        Bad({"X": x}, dict(good, ksize=[5, 1, 1]), "ShapeError", "window"),
        Bad({"X": x}, dict(good, global_pooling=True, adaptive=True), "ArgumentValueError", "adaptive"),
    ]


HALF = "Paddle has no such kernel on the CPU"

ROWS = [
    Row(
        "pool2d",
        [
            *forms("max"),
            *forms("avg"),
            *adaptive("max", SIDES),
            *adaptive("avg"),
            pool("max", (2, 2), dtype="float16", excluded=HALF),
            pool("avg", (2, 2), dtype="float16", excluded=HALF),
            pool("max", (2, 2), paddings=[2, 3], strides=[2, 2], dtype="float64", note="windows in the padding"),
            pool("avg", (2, 2), paddings=[2, 3], strides=[2, 2], exclusive=False, note="windows in the padding"),
            pool("avg", (1, 2), (1, 2, 5, 2), "float64", strides=[3, 2], ceil_mode=True, note="windows past the image"),
            pool("avg", (1, 2), (1, 2, 5, 2), "float64", strides=[3, 3], paddings=[0, 1], ceil_mode=True),
            Sample({"X": np.ones((1, 2, 4, 4), "float64")}, {"pooling_type": "max", "ksize": [3, 3]}, note="ties"),
        ],
        errors({"pooling_type": "max"})
        + [
            Bad({"X": apart(*IMAGE)}, {"pooling_type": "sum", "ksize": [2, 2]}, "ArgumentValueError", "pooling_type"),
            Bad(
                {"X": apart(*IMAGE)},
                {"pooling_type": "max", "ksize": [2, 2], "data_format": "CHWN"},
                "ArgumentValueError",
                "data_format",
            ),
            Bad(
                {"X": apart(*IMAGE)},
                {"pooling_type": "max", "ksize": [2, 2], "padding_algorithm": "HALF"},
                "ArgumentValueError",
                "padding_algorithm",
            ),
        ],
        double=True,
    ),
    Row(
        "max_pool2d_with_index",
        [
            index((3, 2)),
            index((2, 2), strides=[2, 2]),
            index((3, 3), strides=[2, 1], paddings=[1, 1]),
            index((3, 4), adaptive=True),
            index((1, 1), adaptive=True),
            index((9, 6), adaptive=True),
            index((2, 2), global_pooling=True),
            index((3, 2), dtype="float64"),
            Sample({"X": np.ones((1, 2, 4, 4), "float64")}, {"ksize": [3, 3]}, note="ties"),
        ],
        errors({}),
    ),
    Row(
        "pool3d",
        [
            *volumes("max", SIDES.replace("2d", "3d")),
            *volumes("avg"),
            pool3d("max", (2, 2, 2), dtype="float16", excluded=HALF),
            Sample({"X": np.ones((1, 2, 3, 3, 3), "float64")}, {"pooling_type": "max", "ksize": [2] * 3}, note="ties"),
        ],
        volume_errors({"pooling_type": "avg"})
        + [
            Bad({"X": apart(*VOLUME)}, {"pooling_type": "sum", "ksize": [2] * 3}, "ArgumentValueError", "pooling_type"),
            Bad(
                {"X": apart(*VOLUME)},
                {"pooling_type": "max", "ksize": [2] * 3, "data_format": "NCHW"},
                "ArgumentValueError",
                "data_format",
            ),
        ],
    ),
    Row(
        "max_pool3d_with_index",
        [
            index((2, 3, 2), VOLUME),
            index((2, 2, 2), VOLUME, strides=[2, 2, 2]),
            index((3, 3, 2), VOLUME, strides=[2, 1, 1], paddings=[1, 1, 0]),
            index((3, 2, 3), VOLUME, adaptive=True),
            index((5, 1, 3), VOLUME, adaptive=True),
            index((1, 1, 1), VOLUME, global_pooling=True),
            index((2, 3, 2), VOLUME, dtype="float64"),
            Sample({"X": np.ones((1, 2, 3, 3, 3), "float64")}, {"ksize": [2, 2, 2]}, note="ties"),
        ],
        volume_errors({}),
    ),
]
