"""Random calls of convolutions over images."""

from tests.ops.row import Sample
from tests.oracle.windows import image, moving


def convolution(d, groups, channels, filters, dims=2, layouts=("NCHW", "NHWC", "AnyLayout")):
    """A call with so many channels and filters in each group."""
    kernel, dtype, layout = d.sizes(dims, 1, 3), d.one("float32", "float64"), d.one(*layouts)
    attrs, least = moving(d, kernel)
    x = image(layout, d.int(1, 3), groups * channels, [n + d.int(0, 4) for n in least])
    w = (groups * filters, channels) + tuple(kernel)
    inputs = {"Input": d.floats(x, -1, 1, dtype), "Filter": d.floats(w, -1, 1, dtype)}
    return Sample(inputs, dict(attrs, groups=groups, data_format=layout), lods=d.maybe_lod("Input", x[0]))


CALLS = {
    "conv2d": lambda d: convolution(d, d.int(1, 3), d.int(1, 4), d.int(1, 4)),
    "depthwise_conv2d": lambda d: convolution(d, d.int(1, 5), 1, d.int(1, 2)),
}
