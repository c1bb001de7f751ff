"""Random calls of what feature maps tell."""

from tests.ops.row import Sample


def fsp(d):
    n, size, dtype = d.int(1, 3), tuple(d.sizes(2, 1, 4)), d.one("float32", "float64")
    x, y = (d.floats((n, d.int(1, 4)) + size, dtype=dtype) for _ in range(2))
    return Sample({"X": x, "Y": y})


def similarity_focus(d):
    """Without ties: real Paddle sorts them in any order."""
    x, axis = d.apart(tuple(d.sizes(4, 1, 5)), d.one("float32", "float64")), d.int(1, 3)
    chosen = [d.int(0, x.shape[axis] - 1) for _ in range(d.int(1, 3))]
    return Sample({"X": x}, {"axis": axis, "indexes": chosen})


CALLS = {"fsp": fsp, "similarity_focus": similarity_focus}
