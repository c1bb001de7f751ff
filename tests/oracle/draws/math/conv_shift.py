"""Random calls of circular convolutions."""

from tests.ops.row import Sample


def conv_shift(d):
    rows, width = d.int(1, 5), d.int(1, 9)
    taps = 2 * d.int(0, (width - 1) // 2) + 1
    return Sample({"X": d.floats((rows, width)), "Y": d.floats((rows, taps))}, lods=d.maybe_lod("X", rows))


CALLS = {"conv_shift": conv_shift}
