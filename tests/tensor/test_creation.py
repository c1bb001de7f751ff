"""The 2.0-alpha forms: argument orders, defaults, out, stop_gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.imperative import to_variable

X = np.array([[1.0, 5.0, 3.0]], "float32")


@pytest.mark.parametrize(
    ("call", "expected", "dtype"),
    [
        (lambda: paddle.full([2], 1.5), [1.5, 1.5], "float32"),
        (lambda: paddle.full([2], 3, dtype="int64"), [3, 3], "int64"),
        (lambda: paddle.full_like(to_variable(X), 2), [[2, 2, 2]], "float32"),
        (lambda: paddle.full_like(to_variable(X), 2, dtype="int32"), [[2, 2, 2]], "int32"),
        (lambda: paddle.zeros([2], "int64"), [0, 0], "int64"),
        (lambda: paddle.ones([2], "float64"), [1, 1], "float64"),
        (lambda: paddle.zeros_like(to_variable(X)), [[0, 0, 0]], "float32"),
        (lambda: paddle.ones_like(to_variable(X), "int64"), [[1, 1, 1]], "int64"),
        (lambda: paddle.arange(1, 4), [1, 2, 3], "float32"),
        (lambda: paddle.arange(4, 0, -2, "int32"), [4, 2], "int32"),
        (lambda: paddle.linspace(0, 1, 3, "float64"), [0, 0.5, 1], "float64"),
        (lambda: paddle.eye(2, 3, dtype="int64"), [[1, 0, 0], [0, 1, 0]], "int64"),
        (lambda: paddle.argmax(to_variable(X)), [1], "int64"),
        (lambda: paddle.argmax(to_variable(X), axis=0, dtype="int32"), [0, 0, 0], "int32"),
        (lambda: paddle.argmax(to_variable(X), keepdims=True), [[1]], "int64"),
    ],
)
def test_values(call: Any, expected: list, dtype: str) -> None:
    made = call()
    assert made.numpy().tolist() == expected and made.dtype == dtype and made.stop_gradient


def test_out() -> None:
    for call in (
        lambda out: paddle.full([2], 1.0, out),
        lambda out: paddle.full_like(to_variable(X), 1.0, out),
        lambda out: paddle.zeros([2], "int64", out),
        lambda out: paddle.ones([2], "int64", out),
        lambda out: paddle.linspace(0, 1, 3, "float32", out),
        lambda out: paddle.eye(2, None, out),
        lambda out: paddle.argmax(to_variable(X), -1, "int64", out),
    ):
        out = to_variable(np.full(7, 9.0))
        assert call(out) is out and out.shape != [7]


def test_stop_gradient() -> None:
    assert not paddle.full([2], 1.0, stop_gradient=False).stop_gradient
    assert not paddle.full_like(to_variable(X), 1.0, stop_gradient=False).stop_gradient
    assert not paddle.eye(2, stop_gradient=False).stop_gradient


def test_device() -> None:
    assert paddle.zeros([1], "float32", device="cpu").shape == [1]
    with pytest.raises(ArgumentValueError, match="ones: device got 'tpu'"):
        paddle.ones([1], "float32", device="tpu")
