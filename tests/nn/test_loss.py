"""Losses as Layers, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.nn import BCELoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss

v = to_variable
RNG = np.random.RandomState(4)
X = RNG.uniform(-2, 2, (5, 3)).astype("float32")
Y = RNG.uniform(-2, 2, (5, 3)).astype("float32")
P = RNG.uniform(0.05, 0.95, (5, 3)).astype("float32")
LABELS = np.array([2, 0, 1, 1, 0])
WEIGHT = np.array([0.5, 1.0, 3.0], "float32")
LOG_SOFTMAX = X - np.log(np.exp(X).sum(1, keepdims=True))
PICKED = -LOG_SOFTMAX[np.arange(5), LABELS]
ENTROPY = -Y.clip(0, 1) * np.log(P) - (1 - Y.clip(0, 1)) * np.log(1 - P)


NAMES = ["l1", "mse", "bce", "bce weight", "ce", "ce weight", "ce ignore", "nll"]


def calls() -> dict:
    bits = v(Y.clip(0, 1))
    column = v(LABELS[:, None])
    return {
        "l1": (L1Loss, {}, (v(X), v(Y)), abs(X - Y)),
        "mse": (MSELoss, {}, (v(X), v(Y)), (X - Y) ** 2),
        "bce": (BCELoss, {}, (v(P), bits), ENTROPY),
        "bce weight": (BCELoss, {"weight": v(WEIGHT)}, (v(P), bits), ENTROPY * WEIGHT),
        "ce": (CrossEntropyLoss, {}, (v(X), column), PICKED[:, None]),
        "ce weight": (CrossEntropyLoss, {"weight": v(WEIGHT)}, (v(X), column), (PICKED * WEIGHT[LABELS])[:, None]),
        "ce ignore": (CrossEntropyLoss, {"ignore_index": 1}, (v(X), column), (PICKED * (LABELS != 1))[:, None]),
        "nll": (NLLLoss, {}, (v(LOG_SOFTMAX), v(LABELS)), PICKED),
    }


@pytest.mark.parametrize("name", NAMES)
def test_values(name: str) -> None:
    kind, settings, arguments, expected = calls()[name]
    for reduction, reduce in (("none", lambda x: x), ("sum", np.sum), ("mean", np.mean)):
        got = kind(**settings, reduction=reduction)(*arguments).numpy()
        assert got.dtype == "float32" and got.shape == (np.shape(expected) if reduction == "none" else (1,))
        np.testing.assert_allclose(got, np.reshape(reduce(expected), got.shape), 2e-6)


def test_the_mean_of_nll_is_weighted() -> None:
    got = NLLLoss(v(WEIGHT), ignore_index=1)(v(LOG_SOFTMAX), v(LABELS)).numpy()
    weights = WEIGHT[LABELS] * (LABELS != 1)
    np.testing.assert_allclose(got, [(weights * PICKED).sum() / weights.sum()], 2e-6)


def test_a_weight_is_no_parameter() -> None:
    loss = NLLLoss(v(WEIGHT))
    assert loss.parameters() == [] and loss.state_dict() == {} and isinstance(loss.weight, Variable)


def test_gradients() -> None:
    x = v(X)
    x.stop_gradient = False
    CrossEntropyLoss(reduction="sum")(x, v(LABELS[:, None])).backward()
    np.testing.assert_allclose(x.gradient(), np.exp(LOG_SOFTMAX) - np.eye(3)[LABELS], 1e-5, 1e-6)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: MSELoss(reduction="avg"), ArgumentValueError, "MSELoss: reduction got 'avg'"),
        (lambda: BCELoss(weight=WEIGHT), ArgumentTypeError, "BCELoss: weight got ndarray"),
        (lambda: BCELoss()(v(P + 1), v(P)), ArgumentValueError, "sigmoid"),
        (lambda: NLLLoss()(v(X), v(LABELS + 1)), IndexRangeError, "label 3"),
    ],
)
def test_wrong_calls(call, error, match) -> None:
    with pytest.raises(error, match=match):
        call()
