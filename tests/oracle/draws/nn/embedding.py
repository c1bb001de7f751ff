"""Random calls of the operators that look up rows of a table by their indices."""

from tests.ops.row import Sample


def looked_up(d, shape):
    """No padding row where the gradient is sparse: there real Paddle keeps that row's gradient."""
    rows, sparse = d.int(1, 9), d.one(True, False)
    table = d.floats((rows, d.int(1, 5)), dtype=d.one("float32", "float64"))
    attrs = {"is_sparse": sparse, "padding_idx": -1 if sparse else d.one(-1, d.int(0, rows - 1))}
    lods = d.maybe_lod("Ids", shape[0])
    return Sample({"W": table, "Ids": d.indices(shape, rows, "int64")}, attrs, lods=lods)


CALLS = {
    "lookup_table": lambda d: looked_up(d, d.shape(1, 3) + (1,)),
    "lookup_table_v2": lambda d: looked_up(d, d.shape(1, 4)),
}
