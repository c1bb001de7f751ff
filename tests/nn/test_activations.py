"""Activations, Flatten and padding as Layers: what their operators give, and their messages."""

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.imperative import to_variable
from paddle_lite.static.mode.static_mode import static_mode

X = np.linspace(-4, 4, 24).astype("float32").reshape(1, 4, 2, 3)
SIGMOID = 1 / (1 + np.exp(-X.astype("float64")))

EXPECTED = {
    "Sigmoid": ((), SIGMOID),
    "LogSigmoid": ((), np.log(SIGMOID)),
    "Tanh": ((), np.tanh(X)),
    "Tanhshrink": ((), X - np.tanh(X)),
    "ReLU6": ((), np.clip(X, 0, 6)),
    "LeakyReLU": ((0.2,), np.where(X > 0, X, 0.2 * X)),
    "ELU": ((0.5,), np.where(X > 0, X, 0.5 * np.expm1(X))),
    "SELU": ((2.0, 3.0), np.where(X > 0, 2 * X, 6 * np.expm1(X))),
    "GELU": ((True,), 0.5 * X * (1 + np.tanh(np.sqrt(2 / np.pi) * (X + 0.044715 * X**3)))),
    "Swish": ((), X * SIGMOID),
    "Hardswish": ((), X * np.clip(X + 3, 0, 6) / 6),
    "Hardsigmoid": ((0.25, 0.5), np.clip(0.25 * X + 0.5, 0, 1)),
    "Hardshrink": ((1.0,), np.where(abs(X) > 1, X, 0)),
    "Softshrink": ((1.0,), np.sign(X) * np.maximum(abs(X) - 1, 0)),
    "Softplus": ((), np.log1p(np.exp(X))),
    "Softsign": ((), X / (1 + abs(X))),
    "ThresholdedReLU": ((1.0,), np.where(X > 1, X, 0)),
    "Softmax": ((1,), np.exp(X) / np.exp(X).sum(1, keepdims=True)),
    "Maxout": ((2,), X.reshape(1, 2, 2, 2, 3).max(2)),
    "Flatten": ((1, 2), X.reshape(1, 8, 3)),
    "Pad2D": (([1, 0, 0, 2], "edge"), np.pad(X, [(0, 0), (0, 0), (1, 0), (0, 2)], "edge")),
}


@pytest.mark.parametrize("name", list(EXPECTED))
def test_layers_compute_their_formula_in_both_modes(name):
    arguments, want = EXPECTED[name]
    with fluid.dygraph.guard():
        layer = getattr(paddle.nn, name)(*arguments)
        assert not layer.parameters()
        np.testing.assert_allclose(layer(to_variable(X)).numpy(), want, rtol=1e-5, atol=1e-6)
    with switched(static_mode, fluid.CPUPlace(), np), fluid.program_guard(fluid.Program()):
        out = getattr(paddle.nn, name)(*arguments)(fluid.data("x", [None, 4, 2, 3]))
        [got] = fluid.Executor(fluid.CPUPlace()).run(feed={"x": X}, fetch_list=[out])
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


def test_wrong_arguments():
    with fluid.dygraph.guard():
        with pytest.raises(ArgumentTypeError, match=r"Pad2D: paddings"):
            paddle.nn.Pad2D([1, 2])
        with pytest.raises(ArgumentValueError, match=r"Pad2D: mode"):
            paddle.nn.Pad2D(1, "wrap")
        with pytest.raises(ShapeError, match=r"Flatten: start_axis"):
            paddle.nn.Flatten(3, 1)(to_variable(X))
