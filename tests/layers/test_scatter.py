"""Writing into rows and adding to elements, beside NumPy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.shape import scatter as layers

v = to_variable
INDEX = st.lists(st.integers(0, 3), min_size=1, max_size=9)


def leaf(array: np.ndarray) -> Variable:
    variable = to_variable(array)
    variable.stop_gradient = False
    return variable


@given(INDEX, st.booleans(), st.sampled_from(["float32", "float64", "int64"]))
def test_scatter(index: list[int], overwrite: bool, dtype: str) -> None:
    x = np.full([4, 2], 7, dtype)
    new = np.arange(2 * len(index)).reshape(-1, 2).astype(dtype)
    got = layers.scatter(v(x), v(np.array(index)), v(new), overwrite=overwrite).numpy()
    expected = x.copy()
    for i in index:
        expected[i] = 0
    for i, row in zip(index, new, strict=True):
        expected[i] = row if overwrite else expected[i] + row
    assert got.dtype == dtype and got.tolist() == expected.tolist()
    assert (x == 7).all()


def test_no_gradient_to_rows_that_are_replaced() -> None:
    for overwrite in (True, False):
        x, new = leaf(np.ones([3, 2], "float32")), leaf(np.ones([1, 2], "float32"))
        layers.scatter(x, v(np.array([1])), new, overwrite=overwrite).backward()
        assert x.gradient().tolist() == [[1, 1], [0, 0], [1, 1]]
        assert new.gradient().tolist() == [[1, 1]]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=9), st.booleans())
def test_scatter_nd_add(index: list[tuple[int, int]], whole: bool) -> None:
    places = np.array(index)[:, : 2 if whole else 1]
    shape = (len(index), 4) if whole else (len(index), 3, 4)
    x, new = np.ones([2, 3, 4], "float32"), np.arange(np.prod(shape), dtype="float32").reshape(shape)
    expected = x.copy()
    np.add.at(expected, tuple(places.T), new)
    a, b = leaf(x), leaf(new)
    out = layers.scatter_nd_add(a, v(places), b)
    assert (out.numpy() == expected).all()
    weights = np.arange(24, dtype="float32").reshape(2, 3, 4)
    (out * v(weights)).backward()
    assert (a.gradient() == weights).all() and (b.gradient() == weights[tuple(places.T)]).all()


def test_scatter_nd() -> None:
    updates = v(np.array([[1, 2], [3, 4]], "float32"))
    for shape in ([3, 2], (3, 2)):
        got = layers.scatter_nd(v(np.array([[1], [1]])), updates, shape).numpy()
        assert got.dtype == "float32" and got.tolist() == [[0, 0], [4, 6], [0, 0]]
