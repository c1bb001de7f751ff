"""Random calls of the operators that put margins around an array, and that cut windows out of one."""

import numpy as np

from tests.ops.row import Sample


def most(d, shape):
    """No float64: of these Paddle's gradient takes some elements from elsewhere."""
    return d.array(shape, d.one("float32", "int32", "int64"))


def pad(d):
    s = d.shape()
    return Sample({"X": most(d, s)}, {"paddings": [d.int(0, 3) for _ in s * 2], "pad_value": float(d.int(-3, 3))})


def pad_constant_like(d):
    s = d.shape()
    x = most(d, s)
    y = d.array(tuple(d.int(1, n) for n in s), x.dtype.name)
    return Sample({"X": x, "Y": y}, {"pad_value": float(d.int(-3, 3))}, grads=("Y",))


def pad2d(d):
    s, data_format = tuple(d.int(2, 4) for _ in range(4)), d.one("NCHW", "NHWC")
    height, width = s[2:] if data_format == "NCHW" else s[1:3]
    margins = [d.int(0, n - 1) for n in (height, height, width, width)]
    inputs = {"X": d.array(s)}
    if d.int(0, 2) == 0:
        inputs["Paddings"] = np.array(margins, "int32")
    attrs = {"paddings": margins, "mode": d.one("constant", "reflect", "edge"), "data_format": data_format}
    return Sample(inputs, dict(attrs, pad_value=float(d.int(-3, 3))))


def window(d):
    s = d.shape()
    starts = [d.int(0, n - 1) for n in s]
    attrs = {"shape": [d.int(1, n - start) for n, start in zip(s, starts)]}
    inputs = {"X": d.floats(s)}
    if d.int(0, 2) == 0:
        inputs["Offsets"] = np.array(starts, "int32")
    else:
        attrs["offsets"] = starts
    return Sample(inputs, attrs)


CALLS = {"pad": pad, "pad_constant_like": pad_constant_like, "pad2d": pad2d, "crop": window, "crop_tensor": window}
