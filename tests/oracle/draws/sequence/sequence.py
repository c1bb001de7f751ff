"""Random calls of operators that compute over the rows of each sequence: empty ones, single rows, two levels."""

from tests.ops.row import Sample


def ragged(d, most=5, empty=True):
    """Lengths of one to five sequences, with a row among them."""
    lengths = d.sizes(d.int(1, 5), 0 if empty else 1, most)
    return lengths if sum(lengths) else [*lengths[:-1], 2]


def offsets(lengths):
    return [sum(lengths[:i]) for i in range(len(lengths) + 1)]


def levels(d, lengths):
    """The LoD, sometimes with a level above."""
    last = offsets(lengths)
    return [*(d.lod(len(lengths)) if d.int(0, 2) == 0 else []), last]


def sequence_pool(d):
    """Paddle wants as many rows as sequences, at least. No two numbers are near each other: the largest is one of them."""
    lengths = ragged(d)
    lengths[0] += max(0, len(lengths) - sum(lengths))
    shape = (sum(lengths), *d.shape(1, 2))
    attrs = {"pooltype": d.one("AVERAGE", "SUM", "SQRT", "MAX", "FIRST", "LAST"), "pad_value": d.number(-2, 2)}
    return Sample({"X": d.apart(shape)}, attrs, lods={"X": levels(d, lengths)})


def sequence_softmax(d):
    lengths = ragged(d)
    shape = (sum(lengths), 1) if d.int(0, 1) else (sum(lengths),)
    return Sample({"X": d.floats(shape, dtype=d.one("float32", "float64"))}, lods={"X": levels(d, lengths)})


def sequence_conv(d):
    """Windows reach their row, as Paddle wants. Its gradient of Filter is wrong where one starts behind a sequence's end."""
    lengths, size, width = ragged(d), d.int(1, 5), d.int(1, 4)
    begin = d.int(1 - size, min([1] + [n - 1 for n in lengths if n]))
    inputs = {"X": d.floats((sum(lengths), width)), "Filter": d.floats((size * width, d.int(1, 4)))}
    attrs = {"contextLength": size, "contextStart": begin}
    outside = max(0, -begin) + max(0, begin + size - 1)
    if outside and d.int(0, 2) == 0:
        inputs["PaddingData"] = d.floats((outside, width))
        attrs["paddingTrainable"] = True
    return Sample(inputs, attrs, lods={"X": [offsets(lengths)]})


CALLS = {"sequence_pool": sequence_pool, "sequence_softmax": sequence_softmax, "sequence_conv": sequence_conv}
TOLERANCE = (1e-4, 2e-5)
