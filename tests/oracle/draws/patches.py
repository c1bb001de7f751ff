"""Random calls of unfold."""

from tests.ops.row import Sample


def unfold(d):
    x = d.floats((d.int(1, 2), d.int(1, 3), d.int(3, 8), d.int(3, 8)), dtype=d.one("float32", "float64"))
    attrs = {"kernel_sizes": [d.int(1, 3), d.int(1, 3)], "strides": [d.int(1, 3), d.int(1, 3)]}
    attrs["dilations"] = [1 if k == 3 else d.int(1, 2) for k in attrs["kernel_sizes"]]
    return Sample({"X": x}, dict(attrs, paddings=[d.int(0, 2) for _ in range(4)]))


CALLS = {"unfold": unfold}
