"""Choosing by conditions and indices, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.shape import select as layers

v = to_variable
X = np.arange(12, dtype="float32").reshape(3, 4)


def leaf(array: np.ndarray) -> Variable:
    variable = to_variable(array)
    variable.stop_gradient = False
    return variable


def test_where_and_nonzero() -> None:
    for array in (X % 3, X > 5, X * 0, X[0] % 2, X.reshape(3, 2, 2) % 5):
        expected = np.argwhere(array)
        for found in (layers.where(v(array)), layers.nonzero(v(array))):
            assert found.numpy().dtype == "int64" and found.shape == list(expected.shape)
            assert (found.numpy() == expected).all()
        if expected.size:
            each = layers.nonzero(v(array), as_tuple=True)
            assert isinstance(each, tuple) and [e.shape for e in each] == [[len(expected), 1]] * array.ndim
            assert (np.concatenate([e.numpy() for e in each], 1) == expected).all()


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.sampled_from([0, 1, -1]))
def test_index_select(index: list[int], dim: int) -> None:
    x = leaf(X)
    out = layers.index_select(x, v(np.array(index)), dim)
    assert (out.numpy() == np.take(X, index, dim)).all()
    out.backward()
    counts = np.bincount(index, minlength=X.shape[dim])
    assert (x.gradient() == np.broadcast_to(counts[:, None] if dim == 0 else counts, X.shape)).all()


def test_index_sample() -> None:
    index, x = np.array([[0, 0], [3, 1], [2, 0]]), leaf(X)
    out = layers.index_sample(x, v(index))
    assert (out.numpy() == np.take_along_axis(X, index, 1)).all()
    out.backward()
    assert x.gradient().tolist() == [[2, 0, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0]]


def test_multiplex() -> None:
    both = leaf(X), leaf(-X)
    out = layers.multiplex(both, v(np.array([[1], [0], [1]], "int32")))
    assert out.numpy().tolist() == [(-X[0]).tolist(), X[1].tolist(), (-X[2]).tolist()]
    out.backward()
    assert both[0].gradient()[:, 0].tolist() == [0, 1, 0] and both[1].gradient()[:, 0].tolist() == [1, 0, 1]


def test_one_hot() -> None:
    ids = np.array([[1], [3]])
    expected = np.eye(4, dtype="float32")[ids[:, 0]]
    for depth in (4, v(np.array([4], "int32"))):
        got = layers.one_hot(v(ids), depth)
        assert got.numpy().dtype == "float32" and (got.numpy() == expected).all()
        assert (layers.one_hot_v2(v(ids), depth).numpy() == expected[:, None]).all()
    assert layers.one_hot(v(np.array([[-1], [9]])), 3, allow_out_of_range=True).numpy().tolist() == [[0] * 3] * 2


def test_shard_index() -> None:
    ids = np.array([[0], [9], [10], [19]])
    got = [layers.shard_index(v(ids), 20, 2, shard).numpy()[:, 0].tolist() for shard in (0, 1)]
    assert got == [[0, 9, -1, -1], [-1, -1, 0, 9]]


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: layers.index_select(v(X), v(np.array([4])), 1), IndexRangeError, "0 to 3"),
        (lambda: layers.multiplex([v(X)], v(np.zeros([3, 1], "int32"))), ArgumentValueError, "two"),
        (lambda: layers.one_hot(v(np.array([[3]])), 3), IndexRangeError, "0 to 2"),
        (lambda: layers.one_hot(v(np.array([[3]])), None), ArgumentTypeError, "one_hot: depth got NoneType None"),
        (lambda: layers.shard_index(v(np.array([[3]])), 4, 2, 5), ArgumentValueError, "0 to 1"),
        (lambda: layers.where(X), ArgumentTypeError, "ndarray"),
    ],
)
def test_wrong_calls(call, error, match) -> None:
    with pytest.raises(error, match=match):
        call()
