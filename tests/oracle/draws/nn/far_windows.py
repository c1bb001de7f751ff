"""Random calls of operators with windows, whose sizes, strides, dilations and paddings go far beyond the image."""

from collections import namedtuple

from tests.ops.row import Sample
from tests.oracle.windows import image

TOLERANCE = (1e-4, 2e-5)  # long sums
LARGEST = 60000  # elements of a plane, at most
LONGEST = 300000  # products for a plane of results, at most

Placed = namedtuple("Placed", "kernel strides dilations before after sizes out work")
"""Windows that fit: how they move, the paddings of both sides, sizes of image and result, and products for a plane of results."""


def product(numbers):
    found = 1
    for n in numbers:
        found *= n
    return found


def along(d, dilated, widest):
    """The numbers of one dimension, in the order of Placed; the image is as large as they need it to be."""
    k, n, stride = d.one(1, 2, 3, 3, 4, 5, 7, 11), d.one(1, 1, 2, 3, 4, 5, 8, 9, 13, 17, 33), d.one(1, 1, 2, 3, 4, 7)
    by = d.one(1, 1, 2, 3, 20) if dilated else 1
    before, after = (d.one(0, 0, 1, 2, 3, d.int(0, 40), d.int(0, widest)) for _ in range(2))
    after = d.one(after, before)
    n = max(n, by * (k - 1) + 1 - before - after)
    return k, stride, by, before, after, n, (n + before + after - by * (k - 1) - 1) // stride + 1


def placed(d, dims, dilated=True, widest=400):
    while True:
        found = [list(each) for each in zip(*(along(d, dilated, widest) for _ in range(dims)))]
        work = product(found[-1]) * product(found[0])
        if work <= LONGEST and max(product(found[-1]), product(found[-2])) <= LARGEST:
            return Placed(*found, work)


def movement(d, p):
    """Attributes; paddings are a number for each dimension where both sides are alike, or two."""
    both = [n for pair in zip(p.before, p.after) for n in pair]
    given = list(p.before) if p.before == p.after and d.int(0, 1) else both
    return {"strides": p.strides, "dilations": p.dilations, "paddings": given}


def counted(d, p, depthwise, most):
    """So many groups, channels and filters of each that there are at most so many products."""
    if depthwise:
        return max(1, min(d.int(1, 20), most // p.work)), 1, d.int(1, 2)
    groups, channels, filters = d.one(1, 1, 2, 5), d.one(1, d.int(1, 20)), d.one(1, d.int(1, 20))
    while p.work * groups * channels * filters > most and groups * channels * filters > 1:
        groups, channels, filters = (max(1, n // 2) for n in (groups, channels, filters))
    return groups, channels, filters


def operands(d, layout, channels, sizes, filters):
    dtype = d.one("float32", "float64")
    x = image(layout, d.one(1, 1, 2, 3), channels, sizes)
    return {"Input": d.floats(x, -1, 1, dtype), "Filter": d.floats(filters, -1, 1, dtype)}


def convolution(d, dims, layouts, depthwise=False):
    p, layout = placed(d, dims), d.one(*layouts)
    groups, channels, filters = counted(d, p, depthwise, 20 * LONGEST)
    shape = [groups * filters, channels] + p.kernel
    attrs = dict(movement(d, p), groups=groups, data_format=layout)
    return Sample(operands(d, layout, groups * channels, p.sizes, shape), attrs)


def transposed(d, dims, layouts, depthwise=False):
    """Its image is the result of the other; its result is as large as the other's image, or larger by less than a stride."""
    p, layout = placed(d, dims), d.one(*layouts)
    groups, channels, filters = counted(d, p, depthwise, 4 * LONGEST)
    filters = 1 if depthwise else filters
    plain = [
        (o - 1) * s + by * (k - 1) + 1 - b - a
        for o, s, by, k, b, a in zip(p.out, p.strides, p.dilations, p.kernel, p.before, p.after)
    ]
    attrs = dict(movement(d, p), groups=groups, data_format=layout)
    if d.int(0, 1) or min(plain) < 1:
        attrs["output_size"] = [max(1, n + d.int(0, s - 1)) for n, s in zip(plain, p.strides)]
    return Sample(operands(d, layout, groups * channels, p.out, [groups * channels, filters] + p.kernel), attrs)


def pool(d, dims, layouts):
    p, layout, kind = placed(d, dims, False, d.one(12, 400)), d.one(*layouts), d.one("max", "avg")
    form = d.one("plain", "plain", "plain", "global", "adaptive" if kind == "avg" else "plain")
    attrs = (
        {"adaptive": True, "ksize": d.sizes(dims, 1, 20)}
        if form == "adaptive"
        else dict(movement(d, p), ksize=p.kernel)
    )
    attrs.pop("dilations", None)
    attrs.update(pooling_type=kind, data_format=layout, exclusive=d.one(True, False), global_pooling=form == "global")
    attrs["ceil_mode"] = d.one(True, False) if form == "plain" else False
    x = image(layout, d.int(1, 3), d.int(1, 3), p.sizes)
    return Sample({"X": d.apart(x, d.one("float32", "float64"))}, attrs)


def with_index(d, dims):
    """Windows reach the image: real Paddle writes gradients of others in front of the plane."""
    while True:
        p = placed(d, dims, False, 10)
        last = [(o - 1) * s - b for o, s, b in zip(p.out, p.strides, p.before)]
        if p.before == p.after and all(b < k and at < n for b, k, at, n in zip(p.before, p.kernel, last, p.sizes)):
            break
    form = d.one("plain", "plain", "plain", "global", "adaptive")
    attrs = {"ksize": p.kernel, "strides": p.strides, "paddings": p.before, "global_pooling": form == "global"}
    if form == "adaptive":
        attrs = {"adaptive": True, "ksize": d.sizes(dims, 1, 20)}
    return Sample({"X": d.apart([d.int(1, 3), d.int(1, 3)] + p.sizes, d.one("float32", "float64"))}, attrs)


def unfold(d):
    p = placed(d, 2)
    x = d.floats([d.int(1, 2), d.int(1, 3)] + p.sizes, dtype=d.one("float32", "float64"))
    attrs = {"kernel_sizes": p.kernel, "strides": p.strides, "dilations": p.dilations}
    return Sample({"X": x}, dict(attrs, paddings=p.before + p.after))


def im2sequence(d):
    """float32 only: real Paddle has no other kernel."""
    p = placed(d, 2, False)
    x = d.floats([d.int(1, 3), d.int(1, 3)] + p.sizes)
    return Sample({"X": x}, {"kernels": p.kernel, "strides": p.strides, "paddings": p.before + p.after})


def deformable(d, masked=True):
    """One image a step: of others real Paddle mixes up the images, or gives zeros."""
    while True:
        p = placed(d, 2, True, 60)
        if p.before == p.after and p.work < 5000:
            break
    dtype = d.one("float32", "float64") if masked else "float32"
    groups, parts, n, reach = d.one(1, 1, 2), d.one(1, 1, 2), d.int(1, 3), d.one(0.5, 3.0, 50.0)
    channels, filters, points = d.int(1, 2) * groups * parts, groups * parts * d.int(1, 2), parts * product(p.kernel)
    inputs = {
        "Input": d.floats([n, channels] + p.sizes, dtype=dtype),
        "Offset": d.floats([n, 2 * points] + p.out, -reach, reach, dtype),
        "Filter": d.floats([filters, channels // groups] + p.kernel, dtype=dtype),
    }
    if masked:
        inputs["Mask"] = d.floats([n, points] + p.out, 0, 1, dtype)
    attrs = {"strides": p.strides, "paddings": p.before, "dilations": p.dilations, "im2col_step": 1}
    return Sample(inputs, dict(attrs, groups=groups, deformable_groups=parts))


PLANES, VOLUMES = ("NCHW", "NHWC"), ("NCDHW", "NDHWC")
CALLS = {
    "conv2d": lambda d: convolution(d, 2, PLANES),
    "depthwise_conv2d": lambda d: convolution(d, 2, PLANES, depthwise=True),
    "conv3d": lambda d: convolution(d, 3, VOLUMES),
    "conv2d_transpose": lambda d: transposed(d, 2, PLANES),
    "depthwise_conv2d_transpose": lambda d: transposed(d, 2, PLANES, depthwise=True),
    "conv3d_transpose": lambda d: transposed(d, 3, PLANES),
    "pool2d": lambda d: pool(d, 2, PLANES),
    "pool3d": lambda d: pool(d, 3, VOLUMES),
    "max_pool2d_with_index": lambda d: with_index(d, 2),
    "max_pool3d_with_index": lambda d: with_index(d, 3),
    "unfold": unfold,
    "im2sequence": im2sequence,
    "deformable_conv": deformable,
    "deformable_conv_v1": lambda d: deformable(d, masked=False),
}
