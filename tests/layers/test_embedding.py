"""Looking up rows of a table: gradients, dense and sparse."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.ops.nn.embedding import lookup_table_v2


def looked_up(ids: list[int], sparse: bool, padding: int, dtype: str = "float32") -> tuple[Variable, np.ndarray]:
    """The table after a backward pass, and the gradient that arrived at each looked-up row."""
    table = to_variable(np.arange(10).reshape(5, 2).astype(dtype))
    table.stop_gradient = False
    weights = np.random.RandomState(3).uniform(-1, 1, (len(ids), 2)).astype(dtype)
    out = lookup_table_v2.call(table, to_variable(np.array(ids, "int64")), is_sparse=sparse, padding_idx=padding)
    (out * to_variable(weights)).backward()
    return table, weights


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=12),
    st.sampled_from([-1, 0, 3]),
    st.sampled_from(["f4", "f8", "f2"]),
)
def test_gradients(ids: list[int], padding: int, dtype: str) -> None:
    dense, weights = looked_up(ids, False, padding, dtype)
    sparse, _ = looked_up(ids, True, padding, dtype)
    values, rows = sparse.gradient()
    kept = [i for i, row in enumerate(ids) if row != padding]
    assert rows.tolist() == [ids[i] for i in kept] and rows.dtype == "int64"
    np.testing.assert_array_equal(values, weights[kept])
    expected = np.zeros([5, 2])
    np.add.at(expected, rows, values.astype("f8"))
    np.testing.assert_allclose(
        dense.gradient(), expected, rtol=2e-2 if dtype == "f2" else 1e-5, atol=1e-2 if dtype == "f2" else 1e-6
    )


def test_a_sparse_gradient_is_never_dense() -> None:
    table, weights = looked_up([1, 1, 4], True, -1)
    raw = table.raw_gradient()
    assert isinstance(raw, SelectedRows) and raw.height == 5
    assert raw.rows.tolist() == [1, 1, 4] and raw.values.tolist() == weights.tolist()
    dense = np.zeros((5, 2), "float32")
    np.add.at(dense, [1, 1, 4], weights)
    np.testing.assert_allclose(raw.to_dense(np), dense, 1e-6)


def test_rows_for_padding_are_zeros() -> None:
    table = to_variable(np.ones([3, 2], "float32"))
    out = lookup_table_v2.call(table, to_variable(np.array([[0, 1], [2, 1]])), padding_idx=1)
    assert out.numpy()[..., 0].tolist() == [[1, 0], [1, 0]]
    assert table.numpy().min() == 1
