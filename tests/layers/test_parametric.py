"""Activations with parameters, as programs call them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.imperative.variable import Variable
from paddle_lite.layers.nn import parametric_activation as layers
from paddle_lite.params.attr import ParamAttr
from paddle_lite.params.initializer import Constant

X = np.array([[-8.0, -1.0, -0.25, 0.0], [0.5, 2.0, 7.0, 45.0]], "float32")


def x() -> Variable:
    return to_variable(X)


def sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))


def softplus(a: np.ndarray) -> np.ndarray:
    return np.logaddexp(a, 0)


CALLS: list[tuple[Callable, dict, Callable]] = [
    (layers.relu6, {}, lambda a: a.clip(0, 6)),
    (layers.relu6, {"threshold": 1.5}, lambda a: a.clip(0, 1.5)),
    (layers.brelu, {"t_min": -2, "t_max": 3}, lambda a: a.clip(-2, 3)),
    (layers.hard_sigmoid, {"slope": 0.5, "offset": 0.1}, lambda a: (0.5 * a + 0.1).clip(0, 1)),
    (layers.hard_swish, {}, lambda a: a * (a + 3).clip(0, 6) / 6),
    (layers.hard_swish, {"threshold": 4.0, "scale": 5.0, "offset": 2.0}, lambda a: a * (a + 2).clip(0, 4) / 5),
    (layers.soft_relu, {"threshold": 5.0}, lambda a: softplus(a.clip(-5, 5))),
    (layers.elu, {"alpha": 0.3}, lambda a: np.where(a > 0, a, 0.3 * np.expm1(a))),
    (layers.selu, {}, lambda a: 1.0507010 * np.where(a > 0, a, 1.6732632 * np.expm1(a))),
    (layers.selu, {"scale": 2.0, "alpha": 0.5}, lambda a: 2 * np.where(a > 0, a, 0.5 * np.expm1(a))),
    (layers.swish, {"beta": 2.0}, lambda a: a * sigmoid(2 * a)),
    (layers.stanh, {"scale_a": 0.5, "scale_b": 2.0}, lambda a: 2 * np.tanh(0.5 * a)),
    (layers.mish, {}, lambda a: a * np.tanh(softplus(a))),
]


@pytest.mark.parametrize(("function", "attrs", "formula"), CALLS, ids=[f"{c[0].__name__}{c[1]}" for c in CALLS])
def test_formulas(function: Callable, attrs: dict, formula: Callable) -> None:
    result = function(x(), **attrs)
    assert result.dtype == "float32"
    np.testing.assert_allclose(result.numpy(), formula(X.astype("float64")), 2e-6, 1e-6)


def test_numbers_are_checked() -> None:
    with pytest.raises(ArgumentTypeError, match="elu: alpha got str 'a', needs a number"):
        layers.elu(x(), alpha="a")  # type: ignore[arg-type]
    for function in (layers.mish, layers.soft_relu):
        with pytest.raises(ArgumentValueError, match=r"threshold got 0\.0, needs a number above 0"):
            function(x(), threshold=0)


def test_maxout_takes_the_last_axis() -> None:
    channels = to_variable(np.array([1.0, 5.0, 3.0, 2.0], "float32").reshape(1, 1, 1, 4))
    for axis in (3, -1):
        assert layers.maxout(channels, 2, axis=axis).numpy().ravel().tolist() == [5.0, 3.0]
    with pytest.raises(ArgumentValueError, match="maxout: axis got 2, needs the dimension of the channels, 1, 3 or -1"):
        layers.maxout(channels, 2, axis=2)


def test_a_slope_is_a_new_parameter() -> None:
    images = to_variable(np.full([2, 3, 4, 5], -1.0, "float32"))
    out = layers.prelu(images, "channel")
    assert out.shape == [2, 3, 4, 5] and (out.numpy() == -0.25).all()
    attr = ParamAttr("slope", initializer=Constant(0.5))
    assert (layers.prelu(images, "element", attr).numpy() == -0.5).all()
    with pytest.raises(ArgumentValueError, match="slope"):
        layers.prelu(images, "all", "slope")


def test_bad_slopes() -> None:
    with pytest.raises(ArgumentValueError, match='prelu: mode got \'rows\', needs "all", "channel" or "element"'):
        layers.prelu(x(), "rows")
    with pytest.raises(ArgumentValueError, match="prelu: mode got 'channel', needs \"all\" for x of shape"):
        layers.prelu(to_variable(X[0]), "channel")
    with pytest.raises(ArgumentTypeError, match="prelu: x got ndarray"):
        layers.prelu(X, "all")
    with pytest.raises(ShapeError, match=r"maxout: Input\(X\) got shape \[2, 4\]"):
        layers.maxout(x(), 2)


def test_2_0_names() -> None:
    assert paddle.stanh is paddle.tensor.math.stanh is layers.stanh
    assert paddle.nn.functional.relu6 is paddle.nn.functional.activation.relu6 is layers.relu6
