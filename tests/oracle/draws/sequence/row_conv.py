"""Random calls of row_conv."""

from tests.ops.row import Sample


def row_conv(d):
    features, steps = d.int(1, 5), d.int(1, 5)
    weights = d.floats((steps, features))
    if d.int(0, 1):
        return Sample({"X": d.floats((d.int(1, 3), d.int(1, 6), features)), "Filter": weights})
    lengths = d.sizes(d.int(1, 4), 1, 5)
    offsets = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    return Sample({"X": d.floats((offsets[-1], features)), "Filter": weights}, lods={"X": [offsets]})


CALLS = {"row_conv": row_conv}
