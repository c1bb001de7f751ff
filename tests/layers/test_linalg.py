"""Products, triangles and sums, as programs call them."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, EnforceNotMet, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.layers.math import linalg as layers

RNG = np.random.RandomState(3)
SQUARE = RNG.uniform(-1, 1, (3, 3)).astype("float32")
WIDE = RNG.uniform(-1, 1, (2, 3)).astype("float32")
STACK = RNG.uniform(-1, 1, (4, 2, 3)).astype("float32")


def test_products() -> None:
    stack, tall = to_variable(STACK), to_variable(STACK.transpose(0, 2, 1).copy())
    np.testing.assert_allclose(layers.bmm(stack, tall).numpy(), STACK @ STACK.transpose(0, 2, 1), 1e-5, 1e-6)
    a, b = to_variable(SQUARE), to_variable(WIDE)
    np.testing.assert_allclose(layers.kron(b, a).numpy(), np.kron(WIDE, SQUARE), 1e-6)
    np.testing.assert_allclose(layers.dot(b, b).numpy(), (WIDE * WIDE).sum(1, keepdims=True), 1e-6)
    np.testing.assert_allclose(layers.cross(a, a * a, dim=1).numpy(), np.cross(SQUARE, SQUARE**2), 1e-5, 1e-6)
    np.testing.assert_allclose(layers.cross(b, b * b).numpy(), np.cross(WIDE, WIDE**2), 1e-5, 1e-6)
    sums = layers.addmm(b, b, a, alpha=2.0, beta=0.5)
    np.testing.assert_allclose(sums.numpy(), 2 * WIDE @ SQUARE + 0.5 * WIDE, 1e-5, 1e-6)


def test_diagonals_and_triangles() -> None:
    a, stack = to_variable(SQUARE), to_variable(STACK)
    assert layers.trace(a).shape == [1]
    np.testing.assert_allclose(layers.trace(stack, 1, 1, 2).numpy(), np.trace(STACK, 1, 1, 2), 1e-6)
    np.testing.assert_allclose(layers.trace(stack).numpy(), np.trace(STACK, 0, 0, 1), 1e-6)
    assert [layers.trace(a, offset).numpy().tolist() for offset in (3, -3)] == [[0.0], [0.0]], "beyond the matrix"
    assert np.array_equal(layers.tril(a, -1).numpy(), np.tril(SQUARE, -1))
    assert np.array_equal(layers.triu(stack, 1).numpy(), np.triu(STACK, 1))


def test_running_sums() -> None:
    b = to_variable(WIDE)
    np.testing.assert_allclose(layers.cumsum(b).numpy(), WIDE.cumsum(1), 1e-6)
    np.testing.assert_allclose(layers.cumsum(b, axis=0, reverse=True).numpy(), WIDE[::-1].cumsum(0)[::-1], 1e-6)
    assert layers.cumsum(b, exclusive=True).numpy()[:, 0].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("dim", [None, 0, -1, [0, 2], [0, 1, 2]])
@pytest.mark.parametrize("keepdim", [False, True])
def test_logsumexp(dim: int | list | None, keepdim: bool) -> None:
    x = to_variable(STACK + np.float32(200))
    x.stop_gradient = False
    out = layers.logsumexp(x, dim, keepdim)
    axes = tuple(dim) if isinstance(dim, list) else dim
    exponents = np.exp(STACK.astype("float64"))
    sums = exponents.sum(axis=axes, keepdims=True)
    expected = np.log(sums) + 200
    shape = expected.shape if keepdim else np.log(exponents.sum(axis=axes)).shape or (1,)
    np.testing.assert_allclose(out.numpy(), expected.reshape(shape), 1e-6)
    out.backward()
    np.testing.assert_allclose(x.gradient(), exponents / sums, 1e-3)


def test_logsumexp_of_infinities() -> None:
    rows = np.array([[-np.inf, -np.inf], [np.inf, 1.0], [-np.inf, 2.0]], "float32")
    assert layers.logsumexp(to_variable(rows), 1).numpy().tolist() == [-np.inf, np.inf, 2.0]


def test_results_are_delivered() -> None:
    a, out = to_variable(SQUARE), to_variable(np.zeros(1, "float32"))
    assert layers.trace(a, out=out) is out
    np.testing.assert_allclose(out.numpy(), [np.trace(SQUARE)], 1e-6)


def test_bilinear_tensor_product() -> None:
    x, y = to_variable(WIDE), to_variable(WIDE[:, :2].copy())
    out = layers.bilinear_tensor_product(x, y, 4, act="relu")
    assert out.shape == [2, 4] and (out.numpy() >= 0).all()
    out.backward()
    plain = layers.bilinear_tensor_product(x, y, 4, bias_attr=False)
    assert plain.shape == [2, 4]
    with pytest.raises(ArgumentTypeError, match="bilinear_tensor_product: size got float"):
        layers.bilinear_tensor_product(x, y, 4.0)  # type: ignore[arg-type]


def test_bad_calls() -> None:
    a = to_variable(SQUARE)
    for call, text in (
        (lambda: layers.cross(a, a, dim="x"), "cross: dim got str 'x', needs an int"),
        (lambda: layers.tril(a, 1.5), "tril: diagonal got float 1.5"),
        (lambda: layers.cumsum(a, axis=[0]), "cumsum: axis got list"),
        (lambda: layers.addmm(a, a, a, alpha=None), "addmm: alpha got NoneType"),
        (lambda: layers.logsumexp(SQUARE), "logsumexp: x got ndarray"),
    ):
        with pytest.raises(ArgumentTypeError, match=text):
            call()
    with pytest.raises(ShapeError, match=r"bmm: Input\(X\)"):
        layers.bmm(a, a)
    with pytest.raises(EnforceNotMet, match="trace"):
        layers.trace(a, dim1=1)


def test_2_0_names() -> None:
    for module, names in (
        ("linalg", "bmm cross dot"),
        ("math", "addmm cumsum kron logsumexp trace"),
        ("creation", "tril triu"),
    ):
        for name in names.split():
            assert getattr(paddle, name) is getattr(getattr(paddle.tensor, module), name) is getattr(layers, name)
