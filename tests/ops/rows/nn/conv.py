"""Convolutions over images."""

from tests.ops.row import Bad, Row, Sample, draw


def conv(
    image=(2, 4, 6, 5), filters=(4, 4, 3, 2), dtype="float32", grads=None, lods=None, note="", excluded="", **attrs
):
    inputs = {"Input": draw(*image, dtype=dtype, seed=1), "Filter": draw(*filters, dtype=dtype, seed=2)}
    return Sample(inputs, attrs, grads=grads, lods=lods, note=note, excluded=excluded)


def with_bias(layout="NCHW", groups=2):
    """A call with the inputs that only fused kernels of Paddle look at."""
    last = layout == "NHWC"
    inputs = {
        "Input": draw(*((2, 5, 6, 4) if last else (2, 4, 5, 6)), seed=1),
        "Filter": draw(6, 4 // groups, 3, 2, seed=2),
        "Bias": draw(6, seed=3),
        "ResidualData": draw(*((2, 3, 5, 6) if last else (2, 6, 3, 5)), seed=4),
    }
    why = "Paddle's plain kernels pass over Bias and ResidualData"
    return Sample(inputs, {"groups": groups, "data_format": layout}, excluded=why)


def forms(image, filters, groups):
    """The same convolution with every form of stride, padding, dilation and layout."""
    last = (image[0], *image[2:], image[1])
    return [
        conv(image, filters, groups=groups, strides=[2, 1]),
        conv(image, filters, groups=groups, strides=[3, 2], paddings=[1, 2]),
        conv(image, filters, groups=groups, paddings=[1, 0, 2, 1]),
        conv(image, filters, groups=groups, dilations=[2, 3], paddings=[1, 1]),
        conv(image, filters, groups=groups, padding_algorithm="SAME"),
        conv(image, filters, groups=groups, padding_algorithm="SAME", strides=[2, 3]),
        conv(image, filters, groups=groups, padding_algorithm="SAME", dilations=[2, 2]),
        conv(image, filters, groups=groups, padding_algorithm="VALID", paddings=[1, 1], dilations=[1, 2]),
        conv(last, filters, groups=groups, data_format="NHWC"),
        conv(last, filters, groups=groups, data_format="NHWC", strides=[2, 1], paddings=[1, 0, 2, 1]),
        conv(last, filters, groups=groups, data_format="NHWC", padding_algorithm="SAME"),
        conv(image, filters, groups=groups, data_format="AnyLayout"),
        conv(image, filters, groups=groups, dtype="float64"),
    ]


def errors(image, filters, groups):
    x, w = draw(*image), draw(*filters)
    both = {"Input": x, "Filter": w}
    good = {"groups": groups}
    return [
        Bad({"Input": x[0], "Filter": w}, good, "ShapeError", "Input(Input)"),
        Bad({"Input": x, "Filter": w[0]}, good, "ShapeError", "Input(Filter)"),
        Bad({"Input": x[:0], "Filter": w}, good, "ShapeError", "none of them 0"),
        Bad({"Input": x, "Filter": w[:, :, :0]}, good, "ShapeError", "none of them 0"),
        Bad({"Input": x[:, :3], "Filter": w}, good, "ShapeError", "3 channels"),
        Bad(both, {"groups": 3}, "ShapeError", "groups"),
        Bad(both, {"groups": 0}, "ShapeError", "groups"),
        Bad(both, {"groups": -1}, "ShapeError", "groups"),
        Bad({"Input": x, "Filter": w.astype("float64")}, good, "DtypeError", "float64"),
        Bad({k: v.astype("int64") for k, v in both.items()}, good, "DtypeError", "int64"),
        Bad(both, {"strides": [0, 1], **good}, "ArgumentValueError", "strides"),
        Bad(both, {"strides": [1], **good}, "ArgumentValueError", "strides"),
        Bad(both, {"dilations": [1, -1], **good}, "ArgumentValueError", "dilations"),
        Bad(both, {"paddings": [1, 1, 1], **good}, "ArgumentValueError", "paddings"),
        Bad(both, {"paddings": [-1, 1], **good}, "ArgumentValueError", "paddings"),
        Bad(both, {"padding_algorithm": "HALF", **good}, "ArgumentValueError", "padding_algorithm"),
        Bad(both, {"data_format": "CHWN", **good}, "ArgumentValueError", "data_format"),
        Bad({"Input": x[:, :, :2], "Filter": w}, good, "ShapeError", "window"),
        Bad({"Input": x[:, :, :1], "Filter": w}, good, "ShapeError", "window"),
        Bad(both, {"dilations": [6, 1], **good}, "ShapeError", "window"),
    ]


IMAGE = (2, 4, 7, 6)
HALF = "Paddle has no such kernel on the CPU"

ROWS = [
    Row(
        "conv2d",
        [
            *forms(IMAGE, (4, 4, 3, 2), 1),
            *forms(IMAGE, (6, 2, 3, 2), 2),
            conv(IMAGE, (2, 4, 1, 1)),
            conv(IMAGE, (2, 4, 1, 1), strides=[2, 2]),
            conv(IMAGE, (3, 4, 7, 6), note="one output"),
            conv((1, 1, 5, 5), (1, 1, 3, 3)),
            conv(IMAGE, (8, 1, 3, 2), groups=4, note="depthwise by way of groups"),
            conv(lods={"Input": [[0, 1, 2]]}),
            conv((1, 2, 4, 4), (2, 2, 2, 2), dtype="float16", excluded=HALF),
            with_bias(),
            with_bias("NHWC"),
        ],
        errors(IMAGE, (4, 2, 3, 2), 2),
        double=True,
        tolerance=(2e-5, 2e-6),
    ),
    Row(
        "depthwise_conv2d",
        [*forms(IMAGE, (4, 1, 3, 2), 4), conv(IMAGE, (8, 1, 3, 3), groups=4)],
        errors(IMAGE, (4, 1, 3, 2), 4),
        double=True,
        tolerance=(2e-5, 2e-6),
    ),
]
