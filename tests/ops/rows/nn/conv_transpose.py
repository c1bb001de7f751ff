"""Transposed convolutions."""

from tests.ops.row import Bad, Row, Sample, draw


def back(image, filters, dtype="float32", note="", excluded="", bias=None, lods=None, **attrs):
    inputs = {"Input": draw(*image, dtype=dtype, seed=1), "Filter": draw(*filters, dtype=dtype, seed=2)}
    if bias:
        inputs["Bias"] = draw(bias, dtype=dtype, seed=3)
    return Sample(inputs, attrs, note=note, excluded=excluded, lods=lods)


def forms(image, filters, groups):
    """The same transposed convolution with every form of stride, padding, dilation, output size and layout."""
    last = (image[0], *image[2:], image[1])
    return [
        back(image, filters, groups=groups),
        back(image, filters, groups=groups, strides=[2, 3]),
        back(image, filters, groups=groups, strides=[3, 2], paddings=[1, 2]),
        back(image, filters, groups=groups, paddings=[1, 0, 2, 1], strides=[2, 2]),
        back(image, filters, groups=groups, dilations=[2, 3], paddings=[1, 1]),
        back(image, filters, groups=groups, padding_algorithm="SAME"),
        back(image, filters, groups=groups, padding_algorithm="SAME", strides=[2, 3]),
        back(image, filters, groups=groups, padding_algorithm="SAME", dilations=[2, 2]),
        back(image, filters, groups=groups, padding_algorithm="VALID", paddings=[1, 1], dilations=[1, 2]),
        back(image, filters, groups=groups, strides=[2, 3], output_size=[8, 12]),
        back(image, filters, groups=groups, strides=[2, 3], output_size=[7, 13]),
        back(image, filters, groups=groups, padding_algorithm="SAME", strides=[2, 2], output_size=[6, 8]),
        back(last, filters, groups=groups, data_format="NHWC"),
        back(last, filters, groups=groups, data_format="NHWC", strides=[2, 1], paddings=[1, 0, 2, 1]),
        back(last, filters, groups=groups, data_format="NHWC", padding_algorithm="SAME", strides=[2, 2]),
        back(image, filters, groups=groups, data_format="AnyLayout"),
        back(image, filters, groups=groups, strides=[2, 1], dtype="float64"),
    ]


def errors(image, filters, groups):
    x, w = draw(*image), draw(*filters)
    both = {"Input": x, "Filter": w}
    good = {"groups": groups}
    dims = len(image) - 2
    return [
        Bad({"Input": x[0], "Filter": w}, good, "ShapeError", "Input(Input)"),
        Bad({"Input": x, "Filter": w[0]}, good, "ShapeError", "Input(Filter)"),
        Bad({"Input": x[:0], "Filter": w}, good, "ShapeError", "none of them 0"),
        Bad({"Input": x[:, :3], "Filter": w}, {"groups": 1}, "ShapeError", "3 channels"),
        Bad(both, {"groups": 3}, "ShapeError", "groups"),
        Bad(both, {"groups": 0}, "ShapeError", "groups"),
        Bad({"Input": x, "Filter": w.astype("float64")}, good, "DtypeError", "float64"),
        Bad({k: v.astype("int64") for k, v in both.items()}, good, "DtypeError", "int64"),
        Bad(both, {"strides": [0] * dims, **good}, "ArgumentValueError", "strides"),
        Bad(both, {"dilations": [1] * (dims - 1), **good}, "ArgumentValueError", "dilations"),
        Bad(both, {"paddings": [1] * 5, **good}, "ArgumentValueError", "paddings"),
        Bad(both, {"paddings": [9] * dims, **good}, "ShapeError", "the result would be"),
        Bad(both, {"padding_algorithm": "HALF", **good}, "ArgumentValueError", "padding_algorithm"),
        Bad(both, {"data_format": "CHWN", **good}, "ArgumentValueError", "data_format"),
        Bad(both, {"output_size": [1] * dims, **good}, "ArgumentValueError", "output_size"),
        Bad(both, {"output_size": [40] * dims, **good}, "ArgumentValueError", "output_size"),
        Bad(both, {"output_size": [5], **good}, "ArgumentValueError", "output_size"),
    ]


IMAGE = (1, 4, 3, 4)
VOLUME = (2, 4, 2, 2, 3)
VOLUME_LAST = (2, 2, 2, 3, 4)
FUSED = "Paddle's plain kernels pass over Bias"
HALF = "Paddle has no such kernel on the CPU"
W3 = (4, 2, 2, 3, 2)

ROWS = [
    Row(
        "conv2d_transpose",
        [
            back((2, 4, 3, 4), (4, 2, 3, 2), strides=[2, 1]),
            *forms(IMAGE, (4, 2, 3, 2), 2),
            back(IMAGE, (4, 2, 1, 1)),
            back(IMAGE, (4, 2, 1, 1), strides=[2, 2], note="points without a tap"),
            back((2, 3, 1, 1), (3, 2, 3, 3), note="one point"),
            back((1, 1, 4, 4), (1, 1, 2, 2), strides=[2, 2]),
            back((2, 4, 3, 4), (4, 2, 2, 2), lods={"Input": [[0, 1, 2]]}),
            back((1, 2, 3, 3), (2, 2, 2, 2), dtype="float16", excluded=HALF),
            back(
                (1, 2, 2, 2),
                (2, 1, 1, 2),
                strides=[1, 4],
                paddings=[0, 3],
                output_size=[2, 1],
                note="0 wide, if by less than a stride",
            ),
            back(IMAGE, (4, 2, 3, 2), bias=2, excluded=FUSED),
            back((1, 3, 3, 4), (4, 2, 3, 2), bias=4, groups=2, data_format="NHWC", excluded=FUSED),
        ],
        errors(IMAGE, (4, 2, 3, 2), 2),
        tolerance=(2e-5, 2e-6),
    ),
    Row(
        "depthwise_conv2d_transpose",
        [*forms(IMAGE, (4, 1, 3, 2), 4), back(IMAGE, (4, 2, 3, 3), groups=4)],
        errors(IMAGE, (4, 1, 3, 2), 4),
        tolerance=(2e-5, 2e-6),
    ),
    Row(
        "conv3d_transpose",
        [
            back(VOLUME, (4, 3, 2, 3, 2)),
            back(VOLUME, W3, groups=2, strides=[2, 1, 3]),
            back(VOLUME, W3, groups=2, strides=[2, 3, 2], paddings=[1, 1, 0]),
            back(VOLUME, W3, groups=2, strides=[2, 2, 2], paddings=[1, 0, 0, 1, 1, 1]),
            back(VOLUME, W3, dilations=[2, 1, 3], paddings=[1, 0, 1]),
            back(VOLUME, W3, strides=[2, 3, 1], padding_algorithm="SAME"),
            back(VOLUME, W3, padding_algorithm="VALID", paddings=[1, 1, 1]),
            back(VOLUME, W3, strides=[2, 3, 2], output_size=[5, 7, 7]),
            back(VOLUME_LAST, W3, groups=2, data_format="NHWC", strides=[2, 1, 2], paddings=[1, 1, 0]),
            back(VOLUME, W3, data_format="AnyLayout"),
            back(VOLUME, W3, groups=2, strides=[1, 2, 1], dtype="float64"),
            back((1, 2, 2, 2, 2), (2, 2, 1, 2, 2), dtype="float16", excluded=HALF),
        ],
        errors(VOLUME, W3, 2),
        tolerance=(2e-5, 2e-6),
    ),
]
