"""data_norm and inplace_abn: functions that make parameters and keep statistics."""

from __future__ import annotations

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.ops.nn import data_norm as ops

layers = fluid.layers
X = np.random.RandomState(0).randn(4, 3).astype("float32")
START = {"batch_size": 100.0, "batch_sum": 50.0, "batch_square": 25.0}
PADDLES = {  # of Paddle 1.8.5: the gradients for ROWS, by these statistics
    -1: ([3.0, 3.0], [3.5, 5.0], [6.5003, 12.7503]),
    1: ([1.0, 1.0], [1.75, 2.5], [3.1252, 6.2502]),
}
ROWS = np.array([[0.0, 1.0], [3.0, 4.0], [0.5, 0.0]], "float32")


def test_data_norm() -> None:
    y = layers.data_norm(to_variable(X), param_attr=START)
    np.testing.assert_allclose(y.numpy(), (X - 0.5) * 2, 1e-5, 1e-6)
    y = layers.data_norm(to_variable(X), act="relu", enable_scale_and_shift=True, param_attr={**START, "scale_w": -1.0})
    np.testing.assert_allclose(y.numpy(), np.maximum((0.5 - X) * 2, 0), 1e-5, 1e-6)
    np.testing.assert_allclose(layers.data_norm(to_variable(X)).numpy(), X, 1e-5)


def statistics() -> list[Variable]:
    made = [to_variable(np.full(2, n, "float32")) for n in (10.0, 5.0, 10.0)]
    for variable in made:
        variable.stop_gradient = False
    return made


@pytest.mark.parametrize("slot_dim", sorted(PADDLES))
def test_the_statistics_get_what_the_batch_adds(slot_dim: int) -> None:
    learned = statistics()
    y, _, _ = ops.data_norm.call(None, None, to_variable(ROWS), *learned, slot_dim=slot_dim)
    layers.reduce_sum(y).backward()
    for variable, expected in zip(learned, PADDLES[slot_dim], strict=True):
        np.testing.assert_allclose(variable.gradient(), expected, 1e-5)


def test_inplace_abn() -> None:
    with fluid.dygraph.guard():
        normal = fluid.dygraph.BatchNorm(3)(to_variable(X)).numpy()
        y = layers.inplace_abn(to_variable(X)).numpy()
        leaky = layers.inplace_abn(to_variable(X), act="leaky_relu", act_alpha=0.5).numpy()
        elu = layers.inplace_abn(to_variable(X), act="elu", act_alpha=2.0).numpy()
        tested = layers.inplace_abn(to_variable(X), is_test=True).numpy()
    np.testing.assert_allclose(y, normal, 1e-5, 1e-6)
    np.testing.assert_allclose(leaky, np.where(y > 0, y, y / 2), 1e-5, 1e-6)
    np.testing.assert_allclose(elu, np.where(y > 0, y, 2 * np.expm1(y)), 1e-5, 1e-6)
    np.testing.assert_allclose(tested, X, 1e-4)


def test_bad_calls() -> None:
    x = to_variable(X)
    with pytest.raises(ShapeError, match="data_norm: input got shape"):
        layers.data_norm(to_variable(X[0]))
    with pytest.raises(ArgumentTypeError, match="some of batch_size"):
        layers.data_norm(x, param_attr={"batch_square_sum": 1.0})
    with pytest.raises(ArgumentValueError, match=r"'epsilon' got 0\.1"):
        layers.data_norm(x, epsilon=0.1)
    with pytest.raises(ArgumentValueError, match="act got 'relu'"):
        layers.inplace_abn(x, act="relu")
    with pytest.raises(ArgumentValueError, match="bias_attr got False"):
        layers.inplace_abn(x, bias_attr=False)
    with pytest.raises(ShapeError, match="inplace_abn: input got shape"):
        layers.inplace_abn(to_variable(X[0]))
