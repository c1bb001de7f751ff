"""Random calls of operators that take windows over images apart."""

import numpy as np

from tests.ops.row import Sample


def unfold(d):
    x = d.floats((d.int(1, 2), d.int(1, 3), d.int(3, 8), d.int(3, 8)), dtype=d.one("float32", "float64"))
    attrs = {"kernel_sizes": [d.int(1, 3), d.int(1, 3)], "strides": [d.int(1, 3), d.int(1, 3)]}
    attrs["dilations"] = [1 if k == 3 else d.int(1, 2) for k in attrs["kernel_sizes"]]
    return Sample({"X": x}, dict(attrs, paddings=[d.int(0, 2) for _ in range(4)]))


def im2sequence(d):
    """float32 only: real Paddle has no other kernel. Where images were smaller it has no gradient."""
    x = d.floats((d.int(1, 3), d.int(1, 3), d.int(3, 8), d.int(3, 8)))
    attrs = {"kernels": d.sizes(2, 1, 3), "strides": d.sizes(2, 1, 3), "paddings": d.sizes(4, 0, 2)}
    if d.int(0, 2):
        return Sample({"X": x}, attrs)
    attrs["out_stride"] = steps = d.sizes(2, 1, 3)
    sizes = [[d.int(3, n) * by - d.int(0, by - 1) for n, by in zip(x.shape[2:], steps)] for _ in x]
    return Sample({"X": x, "Y": np.array(sizes, "float32")}, attrs, grads=())


CALLS = {"im2sequence": im2sequence, "unfold": unfold}
