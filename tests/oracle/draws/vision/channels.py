"""Random calls of the operators that move the channels of images, and of the affine map of each channel."""

from tests.ops.row import Sample


def pixel_shuffle(d):
    r = d.int(1, 3)
    x = d.floats((d.int(1, 3), r * r * d.int(1, 2), d.int(1, 4), d.int(1, 4)), dtype=d.one("float32", "float64"))
    return Sample({"X": x}, {"upscale_factor": r})


def space_to_depth(d):
    b = d.int(2, 3)
    return Sample(
        {"X": d.array((d.int(1, 2), b * b * d.int(1, 2), b * d.int(1, 2), b * d.int(1, 3)))}, {"blocksize": b}
    )


def shuffle_channel(d):
    # real Paddle's gradient is right only where the shuffle undoes itself, and of float64 it copies one half
    g = d.int(1, 4)
    return Sample({"X": d.floats((d.int(1, 3), g * d.int(1, 4), d.int(1, 3), d.int(1, 3)))}, {"group": g}, grads=())


def temporal_shift(d):
    frames = d.int(1, 4)
    x = d.floats((frames * d.int(1, 3), d.int(1, 9), d.int(1, 3), d.int(1, 3)), dtype=d.one("float32", "float64"))
    return Sample({"X": x}, {"seg_num": frames, "shift_ratio": d.number(0.02, 0.48)})


def affine_channel(d):
    dtype, channels, layout = d.one("float32", "float64"), d.int(1, 5), d.one("NCHW", "NHWC")
    inner = d.one((), (d.int(1, 4), d.int(1, 4)))
    shape = (d.int(1, 3), channels) + inner if layout == "NCHW" else (d.int(1, 3),) + inner + (channels,)
    return Sample(
        {
            "X": d.floats(shape, dtype=dtype),
            "Scale": d.floats((channels,), dtype=dtype),
            "Bias": d.floats((channels,), dtype=dtype),
        },
        {"data_layout": layout},
    )


CALLS = {f.__name__: f for f in (pixel_shuffle, space_to_depth, shuffle_channel, temporal_shift, affine_channel)}
