"""Random calls of deformable convolutions."""

from tests.ops.row import Sample

TOLERANCE = (1e-4, 2e-5)


def deformable_conv(d, masked=True):
    """One image a step: of others real Paddle mixes up the images, or gives zeros."""
    dtype = d.one("float32", "float64") if masked else "float32"
    groups, deformable = d.one(1, 1, 2), d.one(1, 1, 2)
    n, each, filters = d.int(1, 3), d.int(1, 2), 2 * d.int(1, 3)
    channels = each * groups * deformable
    window, strides, paddings, dilations = (d.sizes(2, low, high) for low, high in ((1, 3), (1, 2), (0, 2), (1, 2)))
    spread = [(k - 1) * by + 1 for k, by in zip(window, dilations)]
    size = [max(1, s - 2 * p) + d.int(0, 4) for s, p in zip(spread, paddings)]
    out = [(m + 2 * p - s) // by + 1 for m, p, s, by in zip(size, paddings, spread, strides)]
    points = deformable * window[0] * window[1]
    inputs = {
        "Input": d.floats([n, channels] + size, dtype=dtype),
        "Offset": d.floats([n, 2 * points] + out, -2.5, 2.5, dtype),
        "Filter": d.floats([filters, channels // groups] + window, dtype=dtype),
    }
    if masked:
        inputs["Mask"] = d.floats([n, points] + out, 0, 1, dtype)
    attrs = {"strides": strides, "paddings": paddings, "dilations": dilations, "im2col_step": 1}
    return Sample(inputs, dict(attrs, groups=groups, deformable_groups=deformable))


CALLS = {"deformable_conv": deformable_conv, "deformable_conv_v1": lambda d: deformable_conv(d, masked=False)}
