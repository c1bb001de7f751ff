"""Random calls of differences and sums of absolute values."""

from tests.ops.row import Sample


def minus(d):
    shape = d.shape()
    x, y = (d.floats(shape) for _ in range(2))  # Paddle's kernel takes float32 only
    return Sample({"X": x, "Y": y}, lods=d.maybe_lod("X", shape[0]))


def l1_norm(d):
    return Sample({"X": d.apart(d.shape())})


CALLS = {"minus": minus, "l1_norm": l1_norm}
