"""Random calls of transposed convolutions."""

from tests.ops.row import Sample
from tests.oracle.windows import image, moving


def grown(sizes, kernel, attrs):
    """The sizes of the result where no padding is computed."""
    count = len(sizes)
    pads = attrs.get("paddings", [0] * count)
    around = [2 * p for p in pads] if len(pads) == count else [a + b for a, b in zip(pads[::2], pads[1::2])]
    steps = zip(sizes, kernel, attrs["strides"], attrs["dilations"], around)
    return [(n - 1) * stride + (k - 1) * by + 1 - lost for n, k, stride, by, lost in steps]


def transposed(d, groups, channels, filters, dims=2):
    """A call with so many channels of the input and of the result in each group."""
    kernel, dtype, layout = d.sizes(dims, 1, 3), d.one("float32", "float64"), d.one("NCHW", "NHWC", "AnyLayout")
    attrs, _ = moving(d, kernel)
    sizes = d.sizes(dims, 1, 4)
    attrs["paddings"] = [min(p, 1) for p in attrs.get("paddings", [0] * dims)]
    plain = grown(sizes, kernel, attrs)
    sizes = [n + 2 if result < 1 else n for n, result in zip(sizes, plain)]
    if "padding_algorithm" not in attrs and d.int(0, 1):
        result = grown(sizes, kernel, attrs)
        attrs["output_size"] = [n + d.int(0, stride - 1) for n, stride in zip(result, attrs["strides"])]
    x, w = image(layout, d.int(1, 3), groups * channels, sizes), (groups * channels, filters) + tuple(kernel)
    inputs = {"Input": d.floats(x, -1, 1, dtype), "Filter": d.floats(w, -1, 1, dtype)}
    return Sample(inputs, dict(attrs, groups=groups, data_format=layout), lods=d.maybe_lod("Input", x[0]))


CALLS = {
    "conv2d_transpose": lambda d: transposed(d, d.int(1, 3), d.int(1, 3), d.int(1, 3)),
    "depthwise_conv2d_transpose": lambda d: transposed(d, d.int(1, 5), 1, 1),
    "conv3d_transpose": lambda d: transposed(d, d.int(1, 2), d.int(1, 3), d.int(1, 3), 3),
}
