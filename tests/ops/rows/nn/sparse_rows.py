"""SelectedRows by themselves."""

from tests.ops.row import Bad, Row, Sample, Sparse, draw


def sparse(rows, *shape, height=6, dtype="float32"):
    return Sample({"X": Sparse(rows, draw(*shape, low=-9, high=9, dtype=dtype), height)}, grads=(), dynamic=True)


def merged(*args, **kwargs):
    sample = sparse(*args, **kwargs)
    sample.dynamic = False
    return sample


ROWS = [
    Row("merge_selected_rows", [merged([4, 1, 4], 3, 2), merged([2, 0], 2, 3, dtype="float64"), merged([5], 1, 2)],
        [Bad({"X": draw(3, 2)}, {}, "ArgumentTypeError", "SelectedRows")]),
    Row("get_tensor_from_selected_rows", [sparse([4, 1, 4], 3, 2), sparse([2], 1, 3, dtype="float64"),
         sparse([2, 2], 2, 3, dtype="int64"), sparse([0], 1, 3, dtype="int32")],
        [Bad({"X": draw(3, 2)}, {}, "ArgumentTypeError", "SelectedRows")]),
]  # fmt: skip
