"""Activations as functions of Variables: Fluid's signatures, NumPy's numbers, errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.imperative import to_variable
from paddle_lite.layers.nn import activation as layers
from paddle_lite.nn import functional
from tests.layers.signatures import signature

SIGNATURES = {
    **dict.fromkeys(
        [
            "abs",
            "acos",
            "asin",
            "atan",
            "ceil",
            "cos",
            "exp",
            "floor",
            "log",
            "logsigmoid",
            "reciprocal",
            "relu",
            "round",
            "rsqrt",
            "sigmoid",
            "sin",
            "softplus",
            "softsign",
            "sqrt",
            "square",
            "tanh",
            "tanh_shrink",
        ],
        "(x, name=None)",
    ),
    "erf": "(x)",
    "gelu": "(x, approximate=False)",
    "hard_shrink": "(x, threshold=None)",
    "leaky_relu": "(x, alpha=0.02, name=None)",
    "log1p": "(x, out=None, name=None)",
    "log_softmax": "(input, axis=None, dtype=None, name=None)",
    "sign": "(x)",
    "softmax": "(input, use_cudnn=False, name=None, axis=-1)",
    "softshrink": "(x, alpha=None)",
    "thresholded_relu": "(x, threshold=None)",
}

erf = np.vectorize(math.erf)
X = np.array([[-2.5, -0.75, -0.3], [0.2, 0.6, 1.7]])
INSIDE = X / 3  # where arcsin is defined
POSITIVE = np.abs(X)

MEANING: dict[str, tuple[np.ndarray, Callable]] = {
    "abs": (X, np.abs),
    "acos": (INSIDE, np.arccos),
    "asin": (INSIDE, np.arcsin),
    "atan": (X, np.arctan),
    "ceil": (X, np.ceil),
    "cos": (X, np.cos),
    "erf": (X, erf),
    "exp": (X, np.exp),
    "floor": (X, np.floor),
    "gelu": (X, lambda x: x * (1 + erf(x / math.sqrt(2))) / 2),
    "hard_shrink": (X, lambda x: np.where(np.abs(x) > 0.5, x, 0)),
    "leaky_relu": (X, lambda x: np.where(x > 0, x, float(np.float32(0.02)) * x)),
    "log": (POSITIVE, np.log),
    "log1p": (POSITIVE, np.log1p),
    "log_softmax": (X, lambda x: x - np.log(np.exp(x).sum(axis=-1, keepdims=True))),
    "logsigmoid": (X, lambda x: -np.log1p(np.exp(-x))),
    "reciprocal": (X, lambda x: 1 / x),
    "relu": (X, lambda x: np.maximum(x, 0)),
    "round": (np.array([-2.5, -0.5, 0.4, 0.5, 1.5]), lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5)),
    "rsqrt": (POSITIVE, lambda x: 1 / np.sqrt(x)),
    "sigmoid": (X, lambda x: 1 / (1 + np.exp(-x))),
    "sign": (X, np.sign),
    "sin": (X, np.sin),
    "softmax": (X, lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)),
    "softplus": (X, lambda x: np.log1p(np.exp(x))),
    "softshrink": (X, lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0)),
    "softsign": (X, lambda x: x / (1 + np.abs(x))),
    "sqrt": (POSITIVE, np.sqrt),
    "square": (X, np.square),
    "tanh": (X, np.tanh),
    "tanh_shrink": (X, lambda x: x - np.tanh(x)),
    "thresholded_relu": (X, lambda x: np.where(x > 1, x, 0)),
}


def close(variable: Any, array: np.ndarray, dtype: str = "float64") -> None:
    assert variable.numpy().dtype == dtype
    np.testing.assert_allclose(variable.numpy(), array, *((1e-12, 1e-14) if dtype == "float64" else (1e-5, 1e-6)))


def test_every_function_is_tested() -> None:
    assert set(layers.__all__) == set(SIGNATURES) == set(MEANING)


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_fluids(name: str) -> None:
    function = getattr(layers, name)
    assert signature(function) == SIGNATURES[name]
    assert function.__name__ == name and ">>>" in function.__doc__
    assert unguarded(getattr(fluid.layers, name)) is unguarded(function)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", sorted(MEANING))
def test_values(name: str, dtype: str) -> None:
    x, meaning = MEANING[name]
    close(getattr(layers, name)(to_variable(x.astype(dtype))), meaning(x), dtype)


def test_parameters() -> None:
    x = to_variable(X)
    close(layers.leaky_relu(x, alpha=0.5), np.where(X > 0, X, X / 2))
    close(layers.softshrink(x, 1.0), np.sign(X) * np.maximum(np.abs(X) - 1, 0))
    close(layers.hard_shrink(x, 1.0), np.where(np.abs(X) > 1, X, 0))
    close(layers.thresholded_relu(x, 0.5), np.where(X > 0.5, X, 0))
    inner = math.sqrt(2 / math.pi) * (X + 0.044715 * X**3)
    close(layers.gelu(x, approximate=True), X * (1 + np.tanh(inner)) / 2)
    close(layers.softmax(x, axis=0), np.exp(X) / np.exp(X).sum(axis=0))
    close(layers.log_softmax(x, axis=0), X - np.log(np.exp(X).sum(axis=0)))
    narrow = X.astype("float32")
    close(layers.log_softmax(to_variable(narrow), dtype="float64"), MEANING["log_softmax"][1](narrow.astype("float64")))


def test_whole_numbers_keep_their_dtype() -> None:
    x = to_variable(np.array([-3, 0, 2]))
    assert layers.square(x).numpy().tolist() == [9, 0, 4] and layers.abs(x).numpy().tolist() == [3, 0, 2]
    assert layers.exp(x).numpy().tolist() == [0, 1, 7] and layers.exp(x).numpy().dtype == "int64"


def test_log_softmax_neither_overflows_nor_underflows() -> None:
    x = to_variable(np.array([[1000.0, 0.0, -1000.0]]))
    x.stop_gradient = False
    y = layers.log_softmax(x)
    assert y.numpy().tolist() == [[0, -1000, -2000]]
    y.backward()
    assert x.gradient().tolist() == [[1 - 3, 1, 1]]  # 1 - 3 softmax(x)


def test_sign_of_an_ndarray() -> None:
    assert layers.sign(np.array([2.0, -1.0, 0.0], "float32")).numpy().tolist() == [1, -1, 0]


def test_gradients_flow() -> None:
    x = to_variable(X)
    x.stop_gradient = False
    layers.tanh(x).backward()
    np.testing.assert_allclose(x.gradient(), 1 - np.tanh(X) ** 2)


def test_functional_is_the_same() -> None:
    names = [n for n in functional.activation.__all__ if n in SIGNATURES]
    assert len(names) == 14
    for name in names:
        assert getattr(functional, name) is getattr(functional.activation, name) is getattr(layers, name)


@pytest.mark.parametrize("name", sorted(set(MEANING) - {"sign", "log_softmax"}))
def test_an_ndarray_is_refused(name: str) -> None:
    with pytest.raises(ArgumentTypeError, match=rf"{name}: Input\(X\) got ndarray .* needs a Variable"):
        getattr(layers, name)(X)


@pytest.mark.parametrize("name", sorted(set(MEANING) - {"abs", "exp", "square", "log_softmax"}))
def test_whole_numbers_are_refused(name: str) -> None:
    with pytest.raises(DtypeError, match=rf"{name}: Input\(X\) got dtype int64, needs float32 or float64"):
        getattr(layers, name)(to_variable(np.ones((2, 2), "int64")))


def test_bad_parameters() -> None:
    x = to_variable(X)
    for axis in (2, -3):
        with pytest.raises(ArgumentValueError, match=f"softmax: attribute 'axis' got {axis}, needs -2 to 1"):
            layers.softmax(x, axis=axis)
    with pytest.raises(ArgumentTypeError, match="leaky_relu"):
        layers.leaky_relu(x, alpha="steep")
    with pytest.raises(ArgumentTypeError, match="log1p: out got"):
        layers.log1p(x, out=2.0)


def test_log1p_writes_into_a_given_variable() -> None:
    out = to_variable(np.zeros_like(X))
    assert layers.log1p(to_variable(X), out=out) is out
    assert np.array_equal(out.numpy(), layers.log1p(to_variable(X)).numpy(), equal_nan=True)
