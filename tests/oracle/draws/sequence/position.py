"""Random calls of the encoding of positions."""

from tests.ops.row import Sample


def add_position_encoding(d):
    """[N, length, size], or rows in sequences."""
    size, dtype = 2 * d.int(1, 5), d.one("float32", "float64")
    attrs = {"alpha": d.number(0, 2), "beta": d.number(0, 2)}
    if d.int(0, 2):
        return Sample({"X": d.floats((d.int(1, 4), d.int(1, 6), size), dtype=dtype)}, attrs)
    rows = d.int(1, 9)
    return Sample({"X": d.floats((rows, size), dtype=dtype)}, attrs, lods={"X": d.lod(rows)})


CALLS = {"add_position_encoding": add_position_encoding}
