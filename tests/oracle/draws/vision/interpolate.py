"""Random calls of the operators that give images and volumes another size."""

import numpy as np

from tests.ops.row import Sample


def resize(d, method, dims):
    """One call with its size in one of the ways in which it can be given."""
    layout, dtype = d.one("NCHW", "NHWC"), d.one("float32", "float64")
    size, channels, out = [d.int(1, 6) for _ in range(dims)], [d.int(1, 3)], [d.int(1, 9) for _ in range(dims)]
    x = d.floats([d.int(1, 2)] + (channels + size if layout == "NCHW" else size + channels), dtype=dtype)
    attrs = dict(zip(("out_d", "out_h", "out_w")[-dims:], out))
    attrs.update(data_layout=layout, interp_method=method, align_corners=d.one(True, False), align_mode=d.int(0, 1))
    inputs, way = {"X": x}, d.int(0, 4)
    if way == 1:
        attrs["scale"] = d.number(1.0, 2.5)
    elif way == 2:
        inputs["Scale"] = np.array([d.number(1.0, 2.5)], "float32")
    elif way == 3:
        inputs["OutSize"] = np.array([d.int(1, 9) for _ in out], "int32")
    elif way == 4:
        inputs["SizeTensor"] = [np.array([d.int(1, 9)], "int32") for _ in out]
    return Sample(inputs, attrs, grads=("X",))


CALLS = {
    "nearest_interp": lambda d: resize(d, "nearest", 2),
    "bilinear_interp": lambda d: resize(d, "bilinear", 2),
    "bicubic_interp": lambda d: resize(d, "bicubic", 2),
    "trilinear_interp": lambda d: resize(d, "trilinear", 3),
}
