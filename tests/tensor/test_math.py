"""The 2.0-alpha forms of arithmetic, comparisons and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import Variable, to_variable

X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "float32")
WHOLE = np.array([[7, -7, 3], [4, 5, 6]])


def leaf(values: Any) -> Variable:
    variable = to_variable(np.array(values))
    variable.stop_gradient = False
    return variable


def test_add_with_alpha() -> None:
    x, y = leaf(X), leaf(X[0])
    out = paddle.add(x, y, alpha=2)
    out.backward()
    np.testing.assert_array_equal(out.numpy(), X + 2 * X[0])
    assert y.gradient().tolist() == [4, 4, 4]
    assert paddle.add(leaf(WHOLE), leaf(WHOLE), alpha=2).numpy().tolist() == (WHOLE * 3).tolist()
    with pytest.raises(ArgumentValueError, match=r"add: alpha got 2\.5, needs a whole number for integers"):
        paddle.add(leaf(WHOLE), leaf(WHOLE), alpha=2.5)
    with pytest.raises(ArgumentTypeError, match="add: y got float"):
        paddle.add(x, 1.0, alpha=2)


def test_div_of_integers_is_cut_off() -> None:
    assert paddle.div(leaf(WHOLE), leaf(WHOLE * 0 + 2)).numpy().tolist() == [[3, -3, 1], [2, 2, 3]]


def test_addcmul() -> None:
    x = leaf(X)
    np.testing.assert_array_equal(paddle.addcmul(x, x, leaf(X[:1]), value=0.5).numpy(), X + X * X[:1] / 2)


def test_sum_in_another_dtype() -> None:
    out = paddle.sum(leaf(WHOLE), dim=1, dtype="float32", keep_dim=True).numpy()
    assert out.dtype == "float32" and out.tolist() == [[3], [15]]
    x = leaf(X)
    total = paddle.sum(x, dtype="float64")
    total.backward()
    assert total.numpy().tolist() == [21] and total.numpy().dtype == "float64"
    assert x.gradient().dtype == "float32" and x.gradient().tolist() == np.ones_like(X).tolist()
    assert paddle.sum(x).shape == [1]


def test_extremes() -> None:
    x = leaf(X)
    assert paddle.max(x, dim=0).numpy().tolist() == [4, 5, 6]
    assert paddle.min(x, dim=1, keep_dim=True).numpy().tolist() == [[1], [4]]


def test_products() -> None:
    x, y = leaf(X), leaf(X.T.copy())
    np.testing.assert_allclose(paddle.mm(x, y).numpy(), X @ X.T)
    np.testing.assert_allclose(paddle.mul(leaf(X.reshape(1, 2, 3)), y, x_num_col_dims=2).numpy(), (X @ X.T)[None])


def test_clamp() -> None:
    x = leaf(X)
    assert paddle.clamp(x, 2, 4).numpy().tolist() == [[2, 2, 3], [4, 4, 4]]
    assert paddle.clamp(x, min=3.5).numpy().min() == 3.5 and paddle.clamp(x, min=3.5).numpy().max() == 6
    assert paddle.clamp(x, max=to_variable(np.array([3.5], "float32"))).numpy().max() == 3.5
    huge = leaf([1e300, -1e300])
    assert paddle.clamp(huge, min=0.0).numpy().tolist() == [1e300, 0]
    with pytest.raises(ArgumentValueError, match="clamp: min and max got None"):
        paddle.clamp(x)


def test_pow_and_elementwise_sum() -> None:
    x = leaf(X)
    np.testing.assert_allclose(paddle.pow(x, 2).numpy(), X**2)
    np.testing.assert_allclose(paddle.elementwise_sum([x, x, x]).numpy(), 3 * X)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("add", 2), ("div", 2), ("mm", 2), ("addcmul", 3), ("max", 1), ("min", 1), ("var", 1), ("std", 1)],
)
def test_a_variable_takes_the_result(name: str, arguments: int) -> None:
    x, out = leaf(np.eye(3, dtype="float32") + 1), to_variable(np.zeros(1, "float32"))
    function = getattr(paddle, name)
    assert function(*[x] * arguments, out=out) is out
    np.testing.assert_array_equal(out.numpy(), function(*[x] * arguments).numpy())


def test_pow_and_clamp_into_a_variable() -> None:
    x, out = leaf(X), to_variable(np.zeros(1, "float32"))
    assert paddle.pow(x, 2.0, out=out) is out and out.shape == [2, 3]
    assert paddle.clamp(x, 1.5, 2.5, output=out) is out and out.numpy().max() == 2.5


def test_equal_is_about_all_elements() -> None:
    x = leaf(X)
    assert paddle.equal(x, leaf(X)).numpy().tolist() == [True]
    assert paddle.equal(x, leaf(X + 1)).numpy().tolist() == [False]
    assert paddle.equal(leaf(np.ones((2, 3))), leaf(np.ones(2)), axis=0).numpy().tolist() == [True]
    assert paddle.elementwise_equal(x, leaf(X)).numpy().tolist() == [[True] * 3] * 2
    with pytest.raises(ShapeError, match="equal_reduce"):
        paddle.equal(x, leaf(X[:, :2]))


@pytest.mark.parametrize("axis", [None, 0, 1, -1, [0, 1]])
@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("unbiased", [False, True])
def test_variance_and_deviation(axis: Any, keepdim: bool, unbiased: bool) -> None:
    axes = tuple(axis) if isinstance(axis, list) else axis
    expected = np.var(X, axis=axes, keepdims=keepdim, ddof=int(unbiased))
    found = paddle.var(leaf(X), axis, keepdim, unbiased).numpy()
    np.testing.assert_allclose(found, np.reshape(expected, found.shape), 1e-6)
    assert found.shape == (np.shape(expected) or (1,))
    np.testing.assert_allclose(paddle.std(leaf(X), axis, keepdim, unbiased).numpy(), np.sqrt(found), 1e-6)


def test_variance_of_one_element() -> None:
    assert np.isnan(paddle.var(leaf(X[:1]), axis=0).numpy()).all()
    assert paddle.var(leaf(X[:1]), axis=0, unbiased=False).numpy().tolist() == [0, 0, 0]
