"""Cross entropy kernels, hard and soft, against their formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.kernels.cpu.loss.cross_entropy import cross_entropy, cross_entropy_grad, first_invalid_label
from paddle_lite.kernels.cpu.loss.softmax import softmax_with_soft_labels, softmax_with_soft_labels_grad

sizes = st.tuples(st.integers(1, 20), st.integers(1, 40))


@settings(max_examples=25, deadline=None)
@given(sizes, st.sampled_from(["float32", "float64"]), st.integers(0, 99))
def test_cross_entropy(size: tuple[int, int], dtype: str, seed: int) -> None:
    rng = np.random.RandomState(seed)
    x, labels = rng.uniform(0.01, 1, size).astype(dtype), rng.randint(-1, size[1], size[0])
    loss, match = cross_entropy(x, labels, -1)
    rows, kept = np.arange(size[0]), labels >= 0
    np.testing.assert_array_equal(match, np.where(kept, x[rows, labels], 0))
    np.testing.assert_allclose(loss, np.where(kept, -np.log(x[rows, labels]), 0), 1e-5, 1e-7)
    dloss = rng.uniform(-1, 1, size[0]).astype(dtype)
    dx = cross_entropy_grad(match, labels, dloss, size[1], -1)
    expected = np.zeros(size, dtype)
    expected[rows[kept], labels[kept]] = -dloss[kept] / x[rows[kept], labels[kept]]
    np.testing.assert_allclose(dx, expected, 1e-6)
    assert loss.dtype == match.dtype == dx.dtype == dtype


def test_zero_negative_and_nan() -> None:
    loss, match = cross_entropy(np.array([[0.0], [np.nan], [-1.0]]), np.zeros(3, np.int64))
    assert loss[0] == 1e20 and np.isnan(loss[1:]).all()
    dx = cross_entropy_grad(match[:1], np.zeros(1, np.int64), np.ones(1), 1)
    assert dx[0, 0] == -np.inf
    assert cross_entropy_grad(match[:1], np.zeros(1, np.int64), np.zeros(1), 1)[0, 0] == 0


@pytest.mark.parametrize("bad", [-1, 4, 2**40, -(2**63)])
def test_first_unknown(bad: int) -> None:
    labels = np.array([[0], [3], [-100], [bad], [9]])
    assert first_invalid_label(labels, 4, -100) == bad
    assert first_invalid_label(labels[:3], 4, -100) is None
    assert first_invalid_label(labels[:3], 4, 7) == -100


@settings(max_examples=25, deadline=None)
@given(sizes, st.sampled_from(["float32", "float64"]), st.integers(0, 99))
def test_soft_labels(size: tuple[int, int], dtype: str, seed: int) -> None:
    rng = np.random.RandomState(seed)
    x, labels = rng.uniform(-9, 9, size).astype(dtype), rng.uniform(0, 1, size).astype(dtype)
    y, loss = softmax_with_soft_labels(x, labels)
    below = x.astype(np.float64) - x.max(axis=1, keepdims=True)
    shift = np.log(np.exp(below).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(y, np.exp(below - shift), 1e-5, 1e-7)
    np.testing.assert_allclose(loss, (labels * (shift - below)).sum(axis=1), 1e-5, 1e-6)
    dloss = rng.uniform(-1, 1, size[0]).astype(dtype)
    dx = softmax_with_soft_labels_grad(y, labels, dloss)
    expected = (y * labels.sum(axis=1, keepdims=True) - labels) * dloss[:, None]
    np.testing.assert_allclose(dx, expected, 1e-5, 2e-6)


def test_soft_labels_far_apart_stay_finite() -> None:
    _, loss = softmax_with_soft_labels(np.array([[0.0, -1000.0]]), np.array([[0.0, 1.0]]))
    assert loss[0] == 64
