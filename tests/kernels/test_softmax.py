"""Softmax and cross entropy against their definition in float64."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.kernels.cpu.loss.softmax import (
    softmax,
    softmax_grad,
    softmax_with_cross_entropy,
    softmax_with_cross_entropy_grad,
)

TOLERANCE = {np.float32: {"rtol": 2e-5, "atol": 1e-6}, np.float64: {"rtol": 1e-12, "atol": 1e-14}}


def reference(x):
    e = np.exp(np.maximum(x.astype(np.float64) - x.max(-1, keepdims=True), -64))
    return e / e.sum(-1, keepdims=True)


@st.composite
def rows(draw):
    shape = draw(st.integers(0, 6)), draw(st.integers(1, 70))
    scale = draw(st.sampled_from([1, 30, 1e4]))
    values = np.random.default_rng(draw(st.integers(0, 1000))).standard_normal(shape) * scale
    return values.astype(draw(st.sampled_from([np.float32, np.float64])))


@settings(max_examples=30, deadline=None)
@given(rows())
def test_softmax_and_its_gradient(x):
    before, tolerance = x.copy(), TOLERANCE[x.dtype.type]
    y = softmax(x)
    np.testing.assert_allclose(y, reference(x), **tolerance)
    dy = np.random.default_rng(1).standard_normal(x.shape).astype(x.dtype)
    exact = y.astype(np.float64) * (dy - (y.astype(np.float64) * dy).sum(-1, keepdims=True))
    np.testing.assert_allclose(softmax_grad(y, dy), exact, **tolerance)
    np.testing.assert_array_equal(x, before)


@settings(max_examples=30, deadline=None)
@given(rows(), st.data())
def test_cross_entropy_and_its_gradient(x, data):
    n, classes = x.shape
    labels = np.array(data.draw(st.lists(st.integers(-1, classes), min_size=n, max_size=n)), np.int64)
    ignored = data.draw(st.integers(-1, classes - 1))
    y, loss = softmax_with_cross_entropy(x, labels, ignored)
    counted = (labels != ignored) & (labels >= 0) & (labels < classes)
    safe = np.where(counted, labels, 0)
    exact = np.where(counted, -np.log(reference(x)[np.arange(n), safe]), 0)
    np.testing.assert_allclose(y, reference(x), **TOLERANCE[x.dtype.type])
    np.testing.assert_allclose(loss, exact, **TOLERANCE[x.dtype.type])
    dloss = np.random.default_rng(1).standard_normal(n).astype(x.dtype)
    expected = (y - np.eye(classes)[safe]) * (dloss * counted)[:, None]
    got = softmax_with_cross_entropy_grad(y, labels, dloss, ignored)
    assert got.dtype == y.dtype == loss.dtype == x.dtype
    np.testing.assert_allclose(got, expected, **TOLERANCE[x.dtype.type])


def test_numbers_that_paddle_gives():
    x = np.array([[1, 2, 3], [0, -100, 100]], np.float32)
    y, loss = softmax_with_cross_entropy(x, np.array([2, 1]))
    np.testing.assert_allclose(y, [[0.09003057, 0.24472847, 0.66524096], [0, 0, 1]], atol=1e-7)
    np.testing.assert_allclose(loss, [0.40760595, 64])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("classes", [3, 40])
def test_nan_and_infinity_spoil_their_own_row_only(bad, classes):
    x = np.zeros((3, classes), np.float32)
    x[1, -1] = bad
    y = softmax(x)
    assert np.isnan(y[1, -1])
    np.testing.assert_allclose(y[[0, 2]], 1 / classes)


def test_more_axes_and_arrays_that_are_not_contiguous():
    x = np.random.default_rng(0).standard_normal((4, 5, 6)).transpose(2, 0, 1)[::-1]
    np.testing.assert_allclose(softmax(x), reference(x), rtol=1e-12)
    np.testing.assert_allclose(softmax_grad(softmax(x), x), softmax(x) * (x - (softmax(x) * x).sum(-1, keepdims=True)))
