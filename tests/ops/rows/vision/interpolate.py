"""Images and volumes at another size."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw


def resize(method, shape=(2, 2, 3, 4), size=None, dtype="float32", dynamic=False, more=None, **attrs):
    """One call; `size` fills out_d, out_h, out_w from behind, `more` are further inputs."""
    attrs = dict(attrs, interp_method=method)
    if size is not None:
        attrs.update(zip(("out_d", "out_h", "out_w")[-len(size) :], size))
    return Sample(dict({"X": draw(*shape, dtype=dtype)}, **(more or {})), attrs, grads=("X",), dynamic=dynamic)


def ints(*values):
    return np.array(values, "int32")


def forms(method, shape, last, sizes):
    """Every form of size, alignment, layout and dtype; `sizes` holds a larger, a smaller and a mixed one."""
    larger, smaller, mixed = sizes
    aligned = [{"align_corners": True}] + [{"align_corners": False, "align_mode": m} for m in (0, 1)]
    each = [ints(n) for n in mixed]
    return [
        *(resize(method, shape, size, **how) for size in sizes for how in aligned),
        resize(method, shape, shape[2:]),
        resize(method, shape, [1] * len(larger)),
        resize(method, shape, [1] * len(larger), align_corners=False, align_mode=0),
        resize(method, last, larger, data_layout="NHWC"),
        resize(method, last, smaller, data_layout="NHWC", align_corners=False),
        resize(method, shape, larger, "float64", align_corners=False, align_mode=0),
        resize(method, shape, larger, "float64"),
        resize(method, shape, scale=1.7),
        resize(method, shape, larger, scale=0.7),
        resize(method, shape, larger, scale=-1.0),
        resize(method, shape, larger, scale=3.0, dynamic=True, more={"Scale": np.array([2.5], "float32")}),
        resize(method, shape, larger, scale=3.0, dynamic=True, more={"OutSize": ints(*mixed)}),
        resize(method, shape, larger, dynamic=True, more={"OutSize": ints(*larger), "SizeTensor": each}),
        resize(method, last, smaller, dynamic=True, data_layout="NHWC", more={"OutSize": ints(*mixed)}),
    ]


def image(method):
    return forms(method, (2, 2, 3, 4), (2, 3, 4, 2), [(5, 7), (2, 3), (2, 9)])


def bytes_of(method, **attrs):
    x = np.arange(0, 240, 10, dtype="uint8").reshape(2, 1, 3, 4)
    return Sample({"X": x}, dict(attrs, interp_method=method, out_h=5, out_w=7), grads=())


def bad(op, method):
    shape = (1, 2, 2, 3, 2) if method == "trilinear" else (1, 2, 3, 2)
    x, right = draw(*shape), {"out_d": 2, "out_h": 2, "out_w": 2, "interp_method": method}
    return [
        Bad({"X": x[0, 0]}, right, "ShapeError", "Input(X) got shape"),
        Bad({"X": x.astype("int32")}, right, "DtypeError", "Input(X) got dtype int32"),
        Bad({"X": x}, dict(right, interp_method="linear"), "ArgumentValueError", "'interp_method' got 'linear'"),
        Bad({"X": x}, dict(right, data_layout="HW"), "ArgumentValueError", "'data_layout' got 'HW'"),
        Bad({"X": x}, {"interp_method": method}, "ShapeError", "the size of the result"),
        Bad({"X": x}, {"interp_method": method, "scale": 0.1}, "ShapeError", "the size of the result"),
        Bad({"X": x, "OutSize": ints(3)}, right, "ShapeError", "the size of the result"),
        Bad({"X": x, "OutSize": ints(3, 0, 2)[-len(shape) + 2 :]}, right, "ShapeError", "the size of the result"),
        Bad({"X": x, "SizeTensor": [ints(3)]}, right, "ShapeError", "the size of the result"),
    ]


ROWS = [
    Row(
        "nearest_interp",
        [*image("nearest"), bytes_of("nearest"), resize("bilinear", size=(5, 7))],
        bad("nearest_interp", "nearest"),
    ),
    Row(
        "bilinear_interp",
        [
            *image("bilinear"),
            bytes_of("bilinear"),
            resize("nearest", size=(5, 7)),
            Sample({"X": draw(2, 1, 2, 2)}, {"out_h": 3, "out_w": 3}, lods={"X": [[0, 2]]}),
        ],
        bad("bilinear_interp", "bilinear"),
    ),
    Row("bicubic_interp", image("bicubic"), bad("bicubic_interp", "bicubic")),
    Row(
        "trilinear_interp",
        [
            *forms("trilinear", (1, 2, 2, 3, 4), (1, 2, 3, 4, 2), [(3, 5, 7), (1, 2, 3), (3, 2, 4)]),
            Sample(
                {"X": np.arange(0, 240, 10, dtype="uint8").reshape(1, 1, 2, 3, 4)},
                {"interp_method": "trilinear", "out_d": 3, "out_h": 5, "out_w": 7},
                grads=(),
            ),
        ],
        bad("trilinear_interp", "trilinear"),
    ),
]
