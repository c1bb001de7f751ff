"""gather, topk, argmax beside NumPy, and what 1.8.5 does where an index stands twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.imperative.gradients import grad
from paddle_lite.layers.math.arithmetic import mean
from paddle_lite.layers.shape import index as layers

FLOATS = st.floats(-100, 100, width=32) | st.sampled_from([np.nan, np.inf, -np.inf, 0.0])


def leaf(array: np.ndarray) -> Variable:
    variable = to_variable(array)
    variable.stop_gradient = False
    return variable


def gathered(overwrite: bool) -> tuple[Variable, Variable]:
    x = leaf(np.zeros([3, 2], "float32"))
    return x, layers.gather(x, to_variable(np.array([1, 0, 1])), overwrite=overwrite)


SEED = np.array([[1, 2], [3, 4], [5, 6]], "float32")


def test_gradient_of_a_row_that_stands_twice() -> None:
    for overwrite, expected in ((True, [[3, 4], [5, 6], [0, 0]]), (False, [[3, 4], [6, 8], [0, 0]])):
        x, y = gathered(overwrite)
        (g,) = grad([y], [x], [to_variable(SEED)])
        assert g.numpy().tolist() == expected


def test_double_gradient_of_a_row_that_stands_twice() -> None:
    weights = np.array([[1, 2], [3, 4], [5, 6]], "float32")
    for overwrite, expected in ((True, [[0, 0], [1, 2], [3, 4]]), (False, [[3, 4], [1, 2], [3, 4]])):
        x, y = gathered(overwrite)
        seed = leaf(SEED)
        (g,) = grad([y], [x], [seed], create_graph=True)
        (again,) = grad([g], [seed], [to_variable(weights)])
        assert again.numpy().tolist() == expected


def test_indexing_adds_up() -> None:
    x = leaf(np.zeros([3], "float32"))
    x[[1, 1, 0]].backward()
    assert x.gradient().tolist() == [1, 2, 0]


@pytest.mark.parametrize(("index", "worst"), [([0, 3], 3), ([-1, 5], -1), ([-1, -4], -4)])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_no_such_row(index: list[int], worst: int, dtype: str) -> None:
    with pytest.raises(IndexRangeError, match=rf"gather: Input\(Index\) got {worst}, needs indices from 0 to 2"):
        layers.gather(to_variable(np.zeros([3, 2], "float32")), to_variable(np.array(index, dtype)))


def test_gather_nd() -> None:
    x = leaf(np.arange(6, dtype="float32").reshape(2, 3))
    y = layers.gather_nd(x, to_variable(np.array([[0, 1], [0, 1], [1, 2]])))
    assert y.numpy().tolist() == [1, 1, 5]
    y.backward()
    assert x.gradient().tolist() == [[0, 2, 0], [0, 0, 1]]
    with pytest.raises(IndexRangeError, match=r"for axis 1 got 3"):
        layers.gather_nd(x, to_variable(np.array([[0, 3]])))


def order(row: np.ndarray) -> list[int]:
    """Indices by falling value, equal ones by index, NaN last: the meaning of topk in plain Python."""
    return sorted(range(len(row)), key=lambda i: (np.isnan(row[i]), -row[i] if row[i] == row[i] else 0, i))


@given(hnp.arrays("float32", hnp.array_shapes(max_dims=3, max_side=8), elements=FLOATS), st.data())
def test_topk(x: np.ndarray, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, x.shape[-1]))
    values, indices = layers.topk(to_variable(x), k)
    expected = np.array([order(row)[:k] for row in x.reshape(-1, x.shape[-1])]).reshape(*x.shape[:-1], k)
    np.testing.assert_array_equal(indices.numpy(), expected)
    np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, expected, -1))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
def test_topk_of_long_rows(dtype: str) -> None:
    x = np.random.RandomState(0).permutation(500).reshape(2, 250).astype(dtype)
    for k in (64, 65, 250):
        values, indices = layers.topk(to_variable(x), k)
        np.testing.assert_array_equal(values.numpy(), -np.sort(-x, axis=-1)[:, :k])
        np.testing.assert_array_equal(np.take_along_axis(x, indices.numpy(), -1), values.numpy())
        assert values.numpy().dtype == dtype


def test_no_gradient_flows_through_topk() -> None:
    # recorded from 1.8.5, in both modes
    array = np.array([[1, 2, 3], [6, 5, 4]], "float32")
    x = to_variable(array)
    x.stop_gradient = False
    values, indices = layers.topk(x, 1)
    assert values.stop_gradient and indices.stop_gradient
    (mean(values) + mean(x)).backward()
    np.testing.assert_allclose(x.gradient(), np.full((2, 3), 1 / 6), 1e-6)


@pytest.mark.parametrize("k", [0, 4, -1])
def test_topk_of_too_many(k: int) -> None:
    with pytest.raises(ArgumentValueError, match=f"top_k: k got {k}, needs 1 to 3"):
        layers.topk(to_variable(np.zeros([2, 3], "float32")), k)


def test_argmax_argmin() -> None:
    x = np.array([[1, 3, 3], [2, 0, 0]], "float32")
    v = to_variable(x)
    for axis in (0, 1, -1):
        np.testing.assert_array_equal(layers.argmax(v, axis).numpy(), x.argmax(axis))
        np.testing.assert_array_equal(layers.argmin(v, axis).numpy(), x.argmin(axis))
    assert layers.argmax(v).dtype == "int64"
    assert layers.argmax(to_variable(x[0])).numpy().shape == ()
    with pytest.raises(ArgumentTypeError, match="arg_max: attribute 'axis' got None"):
        layers.argmax(v, None)
