"""Losses of pairs of Variables: what the functions add to the operators, and how they train."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.loss import loss_pairs as layers

X = np.array([[0.5, -1.5], [2.0, 0.25]], "float32")
ONE = np.array([[1.0], [0.0]], "float32")


def v(array: np.ndarray) -> Variable:
    return to_variable(array)


def leaf(array: np.ndarray) -> Variable:
    variable = to_variable(array)
    variable.stop_gradient = False
    return variable


def softplus(x: np.ndarray) -> np.ndarray:
    return np.log1p(np.exp(x))


CALLS = {
    "huber": (lambda: layers.huber_loss(v(X), v(X * 0), 1.0), [[0.125, 1.0], [1.5, 0.03125]]),
    "smooth_l1": (lambda: layers.smooth_l1(v(X), v(X * 0)), [[1.125], [1.53125]]),
    "smooth_l1 sigma": (lambda: layers.smooth_l1(v(X), v(X * 0), sigma=2.0), [[1.75], [2.0]]),
    "smooth_l1 weights": (
        lambda: layers.smooth_l1(v(X), v(X * 0), v(X * 0 + 2), v(X * 0 + 3)),
        [[3 * (0.5 + 2.5)], [3 * (3.5 + 0.125)]],
    ),
    "log": (lambda: layers.log_loss(v(ONE * 0.5 + 0.25), v(ONE)), -np.log([[0.7501], [0.7501]])),
    "mse": (lambda: layers.mse_loss(v(X), v(X + 2)), [4.0]),
    "sigmoid": (lambda: layers.sigmoid_cross_entropy_with_logits(v(X), v(X * 0)), softplus(X)),
    "sigmoid normalized": (
        lambda: layers.sigmoid_cross_entropy_with_logits(
            v(X), v(np.array([[0, -1], [-1, 1]], "float32")), ignore_index=-1, normalize=True
        ),
        [[softplus(0.5) / 2, 0], [0, softplus(-0.25) / 2]],
    ),
    "kldiv mean": (lambda: layers.kldiv_loss(v(X), v(X * 0 + 1)), [-X.mean()]),
    "kldiv batchmean": (lambda: layers.kldiv_loss(v(X), v(X * 0 + 1), "batchmean"), [-X.sum() / 2]),
    "kldiv none": (lambda: layers.kldiv_loss(v(X), v(X * 0 + 1), reduction="none"), -X),
    "margin": (lambda: layers.margin_rank_loss(v(ONE * 2 - 1), v(ONE), v(ONE * 0)), [[0.0], [0.1]]),
    "rank": (lambda: layers.rank_loss(v(ONE), v(ONE), v(ONE * 0)), [[softplus(-1)], [softplus(0)]]),
    "teacher": (
        lambda: layers.teacher_student_sigmoid_loss(v(np.full([4, 1], 0.5, "float32")), v(np.array([[-2], [-1], [0.5], [1.5]], "float32"))),
        [[softplus(0.5)], [softplus(-0.5)], [2 * softplus(0.5) - 0.25], [2 * softplus(0.5) - 0.75]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_values(name: str) -> None:
    call, expected = CALLS[name]
    got = call().numpy()
    assert got.dtype == "float32" and got.shape == np.shape(expected)
    np.testing.assert_allclose(got, expected, 2e-6)


def test_no_gradient_beyond_the_bounds_of_the_teacher() -> None:
    x = leaf(np.array([[2.0], [0.5], [-2.0]], "float32"))
    layers.teacher_student_sigmoid_loss(x, v(np.full([3, 1], -2, "float32")), 1.0, -1.0).backward()
    assert [bool(g) for g in x.gradient()[:, 0]] == [False, True, False]


def test_losses_train() -> None:
    """Gradient steps on each loss bring it down."""
    target = np.array([[0.9], [0.1], [0.8]], "float32")
    for loss in (
        lambda x: layers.sigmoid_cross_entropy_with_logits(x, v(target)),
        lambda x: layers.huber_loss(x, v(target), 0.5),
        lambda x: layers.smooth_l1(x, v(target)),
        lambda x: layers.mse_loss(x, v(target)),
        lambda x: layers.rank_loss(v(target), x, v(target * 0)),
    ):
        array, sums = np.array([[-0.5], [0.3], [2.0]], "float32"), []
        for _ in range(20):
            x = leaf(array)
            out = loss(x)
            out.backward()
            sums.append(float(out.numpy().sum()))
            array = array - np.float32(0.3) * x.gradient()
        assert sums[-1] < sums[0] and np.diff(sums).max() <= 1e-6


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: layers.huber_loss(v(X), v(X[0]), 1.0), ShapeError, r"huber_loss: Input\(Y\)"),
        (lambda: layers.huber_loss(v(X), v(X), None), ArgumentTypeError, "huber_loss: attribute 'delta' got None"),
        (lambda: layers.smooth_l1(v(X), v(X), v(X)), ArgumentValueError, "both weights"),
        (lambda: layers.log_loss(v(X), v(X)), ShapeError, r"\[N, 1\]"),
        (lambda: layers.kldiv_loss(v(X), v(X), "max"), ArgumentValueError, "'max'"),
        (lambda: layers.mse_loss(v(X), v(X.astype("int64"))), DtypeError, "int64"),
        (lambda: layers.rank_loss(v(X), X, X), ArgumentTypeError, "ndarray"),
    ],
)
def test_wrong_calls(call, error, match) -> None:
    with pytest.raises(error, match=match):
        call()
