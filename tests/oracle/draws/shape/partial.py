"""Random calls of operators on some columns of several matrices."""

from tests.ops.row import Sample


def columns(negative):
    """`negative`: whether the start may count from the end; Paddle's partial_sum reads outside of X then."""

    def call(d):
        rows, width, dtype = d.int(1, 4), d.int(1, 6), d.one("float32", "float64", "int32", "int64")
        start = d.int(-width if negative else 0, width - 1)
        length = d.one(-1, d.int(1, width - start % width))
        x = [d.array((rows, width), dtype) for _ in range(d.int(1, 4))]
        return Sample({"X": x}, {"start_index": start, "length": length})

    return call


CALLS = {"partial_concat": columns(True), "partial_sum": columns(False)}
