"""Normalisation kernels against their formulas in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.kernels.cpu.nn import norm

shapes = st.one_of(
    st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 40)),
    st.tuples(st.integers(1, 40), st.integers(1, 9)),
)
TOLERANCE = {"float32": (2e-4, 2e-5), "float64": (1e-9, 1e-11)}


def arrays(shape: tuple[int, ...], dtype: str, seed: int) -> tuple[np.ndarray, ...]:
    """x, dy, scale and bias."""
    rng = np.random.RandomState(seed)
    x, dy = rng.uniform(-3, 5, (2, *shape)).astype(dtype)
    scale, bias = rng.uniform(0.5, 2, (2, shape[1])).astype(dtype)
    return x, dy, scale, bias


def normal(x: np.ndarray, axes: tuple[int, ...], epsilon: float) -> tuple[np.ndarray, ...]:
    """x normalised, mean and variance, in float64."""
    x = x.astype(np.float64)
    mean, variance = x.mean(axis=axes, keepdims=True), x.var(axis=axes, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon), mean.reshape(-1), variance.reshape(-1)


def column(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    return v.astype(np.float64).reshape((1, -1) + (1,) * (x.ndim - 2))


@settings(max_examples=30, deadline=None)
@given(shapes, st.sampled_from(["float32", "float64"]), st.integers(0, 99))
def test_batch_norm(shape: tuple[int, ...], dtype: str, seed: int) -> None:
    x, dy, scale, bias = arrays(shape, dtype, seed)
    axes, close = tuple(i for i in range(x.ndim) if i != 1), TOLERANCE[dtype]
    n, mean, variance = normal(x, axes, 1e-3)
    y, *statistics = norm.batch_norm(x, scale, bias, 1e-3)
    np.testing.assert_allclose(y, n * column(scale, x) + column(bias, x), *close)
    for got, want in zip(statistics, (mean, variance, 1 / np.sqrt(variance + 1e-3)), strict=True):
        np.testing.assert_allclose(got, want, *close)
        assert got.dtype == dtype
    dx, d_scale, d_bias = norm.batch_norm_grad(x, dy, scale, statistics[0], statistics[2], False)
    g = dy.astype(np.float64) * column(scale, x) * column(statistics[2], x)
    level, slope = g.mean(axis=axes, keepdims=True), (g * n).mean(axis=axes, keepdims=True)
    size = 40 * max(1.0, float(np.abs(g).max()))
    np.testing.assert_allclose(dx, g - level - n * slope, close[0], close[1] * size)
    np.testing.assert_allclose(d_scale, (dy * n).sum(axis=axes), close[0], close[1] * 40)
    np.testing.assert_allclose(d_bias, dy.sum(axis=axes, dtype=np.float64), close[0], close[1] * 40)
    fixed = norm.batch_norm_grad(x, dy, scale, statistics[0], statistics[2], True)[0]
    np.testing.assert_allclose(fixed, g, *close)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(1, 60), st.sampled_from(["float32", "float64"]), st.integers(0, 99))
def test_layer_norm(rows: int, size: int, dtype: str, seed: int) -> None:
    x, dy, scale, bias = arrays((rows, size), dtype, seed)
    close = TOLERANCE[dtype]
    n, mean, variance = normal(x, (1,), 1e-3)
    y, *statistics = norm.layer_norm(x, scale, bias, 1e-3)
    np.testing.assert_allclose(y, n * scale + bias, *close)
    np.testing.assert_allclose(statistics[0], mean, *close)
    np.testing.assert_allclose(statistics[1], variance, *close)
    dx, d_scale, d_bias = norm.layer_norm_grad(x, dy, scale, *statistics, 1e-3)
    g = dy.astype(np.float64) * scale
    inner = g - g.mean(axis=1, keepdims=True) - n * (g * n).mean(axis=1, keepdims=True)
    by = 1 / np.sqrt(variance[:, None] + 1e-3)
    np.testing.assert_allclose(dx, inner * by, close[0], close[1] * 40 * max(1.0, float(by.max())))
    np.testing.assert_allclose(d_scale, (dy * n).sum(axis=0), close[0], close[1] * 40)
    np.testing.assert_allclose(d_bias, dy.sum(axis=0, dtype=np.float64), close[0], close[1] * 40)


@pytest.mark.parametrize("shape", [(4, 3, 1000), (4000, 3)])
def test_a_large_mean_does_not_spoil_the_variance(shape: tuple[int, ...]) -> None:
    x = (np.random.RandomState(0).randn(*shape) + 1e4).astype(np.float32)
    _, mean, variance, _ = norm.batch_norm(x, np.ones(3, np.float32), np.zeros(3, np.float32), 1e-5)
    axes = tuple(i for i in range(x.ndim) if i != 1)
    np.testing.assert_allclose(mean, x.mean(axis=axes, dtype=np.float64), 1e-7)
    np.testing.assert_allclose(variance, x.var(axis=axes, dtype=np.float64), 1e-5)


def test_strided_arrays() -> None:
    x, dy, scale, bias = arrays((6, 4, 10), "float64", 1)
    wide = np.zeros((6, 4, 20))
    wide[..., ::2] = x
    one, other = (norm.batch_norm(a, scale, bias, 1e-5) for a in (x, wide[..., ::2]))
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)
    back = [norm.batch_norm_grad(a, dy, scale, one[1], one[3], False) for a in (x, wide[..., ::2])]
    for a, b in zip(*back, strict=True):
        np.testing.assert_array_equal(a, b)
