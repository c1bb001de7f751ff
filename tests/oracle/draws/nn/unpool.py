"""Random calls of the operator that puts maxima back where they were."""

from tests.ops.row import Sample


def unpool(d):
    ksize, strides = d.sizes(2, 2, 4), d.sizes(2, 1, 3)
    paddings = [d.int(0, 1), d.int(0, 1)] if min(ksize) > 2 else [0, 0]
    shape = [d.int(1, 3), d.int(1, 3), *d.sizes(2, 1, 5)]
    height, width = [(n - 1) * s - 2 * p + k for n, s, p, k in zip(shape[2:], strides, paddings, ksize)]
    x = d.apart(tuple(shape), d.one("float32", "float64"))
    points = d.indices(tuple(shape), height * width, "int32")
    attrs = {"ksize": ksize, "strides": strides, "paddings": paddings, "unpooling_type": "max"}
    return Sample({"X": x, "Indices": points}, attrs)


CALLS = {"unpool": unpool}
