"""Images at another size as PaddlePaddle 2 has it; tests/interop compares them with numbers of 2.6.2."""

import numpy as np

from tests.ops.row import Bad, Row, Sample, draw

WHY = "PaddlePaddle 1.8.5 has no such operator"
IMAGE, VOLUME = (1, 2, 3, 4), (1, 1, 2, 3, 2)


def resize(method, shape, dtype="float32", inputs=None, dynamic=False, **attrs):
    return Sample(
        {"X": draw(*shape, dtype=dtype), **(inputs or {})},
        {"interp_method": method, **attrs},
        excluded=WHY,
        dynamic=dynamic,
    )


def bad(method, shape, error, match, **attrs):
    made = resize(method, shape, **attrs)
    return Bad(made.inputs, made.attrs, error, match)


def image(method):
    """Sizes and scales, corners aligned or not, both orders of axes."""
    corners = {"align_corners": False}
    return [
        resize(method, IMAGE, out_h=5, out_w=6),
        resize(method, IMAGE, out_h=5, out_w=6, **corners),
        resize(method, IMAGE, out_h=2, out_w=3, dtype="float64"),
        resize(method, IMAGE, out_h=5, out_w=7, align_mode=0, **corners),
        resize(method, IMAGE, scale=[2.0, 1.5], align_mode=0, **corners),
        resize(method, IMAGE, scale=[1.7, 0.7], **corners),
        resize(method, (1, 3, 4, 2), out_h=5, out_w=6, data_layout="NHWC"),
        resize(method, IMAGE, inputs={"OutSize": np.int32([4, 6])}, scale=[3.0, 3.0], dynamic=True, **corners),
    ]


ROWS = [
    Row(
        "nearest_interp_v2",
        [
            *image("nearest"),
            *(
                Sample(
                    {"X": draw(*IMAGE, dtype=kind, low=-9, high=9)},
                    {"interp_method": "nearest", "out_h": 5, "out_w": 3},
                    excluded=WHY,
                )
                for kind in ("int32", "int64")
            ),
            resize("nearest", VOLUME, out_d=3, out_h=4, out_w=3, align_corners=False),
        ],
        [
            bad("nearest", (2, 3), "ShapeError", "4 or 5 dimensions", out_h=2, out_w=2),
            bad("nearest", IMAGE, "ShapeError", "size of the result", out_h=0, out_w=2),
            bad("nearest", IMAGE, "ArgumentValueError", "each of the 2 axes", scale=[2.0]),
            bad("box", IMAGE, "ArgumentValueError", "interp_method", out_h=2, out_w=2),
        ],
    ),
    Row("bilinear_interp_v2", image("bilinear"), [bad("bilinear", VOLUME, "ShapeError", "4 dim", out_h=2, out_w=2)]),
    Row("bicubic_interp_v2", image("bicubic"), [bad("bicubic", VOLUME, "ShapeError", "4 dim", out_h=2, out_w=2)]),
    Row(
        "linear_interp_v2",
        [
            resize("linear", (1, 2, 4), out_w=6),
            resize("linear", (1, 2, 4), scale=[1.7], align_corners=False, align_mode=0),
        ],
        [bad("linear", IMAGE, "ShapeError", "3 dim", out_w=2)],
    ),
    Row(
        "trilinear_interp_v2",
        [
            resize("trilinear", VOLUME, out_d=3, out_h=4, out_w=3),
            resize("trilinear", VOLUME, scale=[1.5, 1.7, 2.0], align_corners=False, align_mode=0),
        ],
        [bad("trilinear", IMAGE, "ShapeError", "5 dim", out_d=2, out_h=2, out_w=2)],
    ),
]
