"""Random calls of operators of SelectedRows."""

from tests.ops.row import Sample, Sparse


def sparse(d, rank, *dtypes):
    height, count = d.int(1, 9), d.int(1, 9)
    values = d.array((count,) + d.shape(1, rank), d.one(*dtypes))
    return Sample({"X": Sparse(d.indices((count,), height, "int64"), values, height)}, grads=())


def merge_selected_rows(d):
    """Rows are vectors: of others real Paddle keeps the first column only."""
    return sparse(d, 1, "float32", "float64")


def get_tensor_from_selected_rows(d):
    return sparse(d, 2, "float32", "float64", "int32", "int64")


CALLS = {f.__name__: f for f in (merge_selected_rows, get_tensor_from_selected_rows)}
