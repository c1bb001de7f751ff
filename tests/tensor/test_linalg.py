"""norm, inverse, cholesky of 2.0-alpha."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.imperative import to_variable

X = np.random.RandomState(7).uniform(-1, 1, (2, 3, 4)).astype("float32")


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, [1]])
@pytest.mark.parametrize("p", ["fro", 1, 2, 3.5, np.inf, -np.inf])
def test_norms_of_vectors(p: float | str, axis: int | list | None, keepdim: bool) -> None:
    order = 2 if p == "fro" else p
    flat = X.ravel() if axis is None else X
    along = 0 if axis is None else axis[0] if isinstance(axis, list) else axis
    expected = np.linalg.norm(flat, order, axis=along, keepdims=keepdim and axis is not None)
    shape = (1, 1, 1) if keepdim and axis is None else np.shape(expected) or (1,)
    result = paddle.norm(to_variable(X), p, axis, keepdim).numpy()
    assert result.shape == shape
    np.testing.assert_allclose(result, np.reshape(expected, shape), 1e-5)


def test_norms_of_matrices() -> None:
    x = to_variable(X)
    np.testing.assert_allclose(paddle.norm(x, axis=[1, 2]).numpy(), np.linalg.norm(X, axis=(1, 2)), 1e-5)
    with pytest.raises(ArgumentTypeError, match=r"norm: axis got .* needs one dimension for p = 3"):
        paddle.norm(x, 3, [1, 2])
    with pytest.raises(ArgumentValueError, match="norm: p got 'nuc'"):
        paddle.norm(x, "nuc")
    with pytest.raises(ArgumentValueError, match="'porder'"):
        paddle.norm(x, 0, 1)


def test_a_norm_has_a_gradient() -> None:
    x = to_variable(X)
    x.stop_gradient = False
    paddle.norm(x).backward()
    np.testing.assert_allclose(x.gradient(), X / np.linalg.norm(X), 1e-5)


def test_inverse() -> None:
    matrices = X[:, :, :3] + 2 * np.eye(3, dtype="float32")
    found = paddle.inverse(to_variable(matrices)).numpy()
    np.testing.assert_allclose(found @ matrices, np.broadcast_to(np.eye(3), (2, 3, 3)), 1e-4, 1e-5)
    with pytest.raises(ArgumentValueError, match="full rank"):
        paddle.inverse(to_variable(np.zeros([2, 2], "float32")))


def test_cholesky() -> None:
    matrix = X[0] @ X[0].T + np.eye(3, dtype="float32")
    lower, upper = (paddle.cholesky(to_variable(matrix), u).numpy() for u in (False, True))
    np.testing.assert_allclose(lower @ lower.T, matrix, 1e-4, 1e-5)
    assert np.array_equal(upper, lower.T) and not np.triu(lower, 1).any()


def test_names() -> None:
    assert paddle.norm is paddle.tensor.linalg.norm
    assert paddle.inverse is paddle.tensor.math.inverse
    assert paddle.cholesky is paddle.tensor.cholesky
