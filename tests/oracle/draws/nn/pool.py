"""Random calls of pooling over images and volumes."""

from tests.ops.row import Sample
from tests.oracle.windows import image, moving


def drawn(d, dims):
    """(window, its movement, least sizes, dtype)."""
    kernel = d.sizes(dims, 1, 3)
    attrs, least = moving(d, kernel, dilations=0)
    return kernel, attrs, least, d.one("float32", "float64")


def pool(d, dims, layouts):
    """Maxima are not adaptive: real Paddle does not look at `adaptive` there."""
    kernel, attrs, least, dtype = drawn(d, dims)
    kind, layout, form = d.one("max", "avg"), d.one(*layouts), d.one("plain", "plain", "plain", "global", "adaptive")
    if form == "global":
        attrs["global_pooling"] = True
    elif form == "adaptive" and kind == "avg":
        attrs, kernel = {"adaptive": True}, d.sizes(dims, 1, 5)
    attrs.update(pooling_type=kind, ksize=kernel, data_format=layout, exclusive=d.one(True, False))
    attrs["ceil_mode"] = d.one(True, False) if form == "plain" else False
    sizes = [n + d.int(0, 4) for n in least]
    x = d.apart(image(layout, d.int(1, 3), d.int(1, 3), sizes), dtype)
    return Sample({"X": x}, attrs, lods=d.maybe_lod("X", len(x)))


def with_index(d, dims):
    kernel, attrs, least, dtype = drawn(d, dims)
    attrs = {k: v for k, v in attrs.items() if k == "strides" or (k == "paddings" and len(v) == dims)}
    least = [max(a, b) for a, b in zip(least, kernel)]
    form = d.one("plain", "plain", "plain", "global", "adaptive")
    if form == "adaptive":
        attrs, kernel = {"adaptive": True}, d.sizes(dims, 1, 5)
    attrs.update(ksize=kernel, global_pooling=form == "global")
    sizes = [n + d.int(0, 4) for n in least]
    return Sample({"X": d.apart((d.int(1, 3), d.int(1, 3)) + tuple(sizes), dtype)}, attrs)


CALLS = {
    "pool2d": lambda d: pool(d, 2, ("NCHW", "NHWC", "AnyLayout")),
    "pool3d": lambda d: pool(d, 3, ("NCDHW", "NDHWC", "AnyLayout")),
    "max_pool2d_with_index": lambda d: with_index(d, 2),
    "max_pool3d_with_index": lambda d: with_index(d, 3),
}
