"""Lengths and distances, as programs call them."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.imperative import to_variable
from paddle_lite.layers.math import distance as layers

RNG = np.random.RandomState(5)
A = RNG.uniform(-1, 1, (2, 3)).astype("float32")
B = RNG.uniform(-1, 1, (2, 3)).astype("float32")


def test_l2_normalize() -> None:
    lengths = np.sqrt((A * A).sum(1, keepdims=True))
    for axis in (1, -1, None):
        np.testing.assert_allclose(layers.l2_normalize(to_variable(A), axis).numpy(), A / lengths, 1e-6)
    vector = layers.l2_normalize(to_variable(A[0]), axis=1)
    np.testing.assert_allclose(vector.numpy(), A[0] / lengths[0], 1e-6)
    zero = layers.l2_normalize(to_variable(np.zeros([1, 3], "float32")), 1)
    assert zero.numpy().tolist() == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("p", [0, 1, 2, 3.5, np.inf, -np.inf])
def test_dist(p: float) -> None:
    expected = np.linalg.norm((A - B[:1]).ravel(), p)
    np.testing.assert_allclose(layers.dist(to_variable(A), to_variable(B[:1]), p).numpy(), [expected], 1e-5)


def test_clip_by_norm() -> None:
    length = np.linalg.norm(A)
    np.testing.assert_allclose(layers.clip_by_norm(to_variable(A), 0.5).numpy(), A / length / 2, 1e-5)
    assert np.array_equal(layers.clip_by_norm(to_variable(A), 50).numpy(), A)
    with pytest.raises(ArgumentValueError, match="a number above 0"):
        layers.clip_by_norm(to_variable(A), 0)


def test_cos_sim() -> None:
    expected = (A * B).sum(1) / np.linalg.norm(A, axis=1) / np.linalg.norm(B, axis=1)
    np.testing.assert_allclose(layers.cos_sim(to_variable(A), to_variable(B)).numpy()[:, 0], expected, 1e-5)


def test_bad_calls() -> None:
    a = to_variable(A)
    with pytest.raises(ArgumentTypeError, match="dist: p got str 'fro', needs a number"):
        layers.dist(a, a, "fro")  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="l2_normalize: axis got float"):
        layers.l2_normalize(a, 1.0)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="l2_normalize: x got ndarray"):
        layers.l2_normalize(A, 1)


def test_2_0_names() -> None:
    assert paddle.dist is paddle.tensor.linalg.dist is layers.dist
    assert paddle.metric.cos_sim is layers.cos_sim
    assert paddle.nn.functional.l2_normalize is paddle.nn.functional.norm.l2_normalize is layers.l2_normalize
