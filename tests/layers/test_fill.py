"""Filled Variables and sequences of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.core.dtype import VarType
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.shape import fill as layers


def same(variable: Variable, array: Any, dtype: str) -> None:
    assert variable.numpy().dtype == dtype and variable.stop_gradient
    np.testing.assert_array_equal(variable.numpy(), array)


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        ("float64", 0.1, 0.1),
        ("float32", 0.1, np.float32(0.1)),
        ("int64", 2**53 + 1, 2**53 + 1),
        ("float32", 2**60, 2.0**60),
        ("int64", 2.7, 2),
        ("int32", -2.7, -2),
        ("int64", True, 1),
        ("bool", 2, True),
        ("bool", False, False),
        ("float16", 1.5, 1.5),
        ("float32", "3.5", 3.5),
        ("float32", float("inf"), np.inf),
        ("float64", float("nan"), np.nan),
        ("float32", np.float32(0.1), np.float32(0.1)),
        ("int32", np.int64(7), 7),
        ("uint8", 200, 200),
    ],
)
def test_numbers(dtype: str, value: Any, expected: Any) -> None:
    same(layers.fill_constant([2], dtype, value), [expected] * 2, dtype)


@pytest.mark.parametrize("dtype", ["int32", VarType.INT32, np.int32, np.dtype("int32"), 2])
def test_dtypes(dtype: Any) -> None:
    same(layers.fill_constant([1], dtype, 3), [3], "int32")


def test_shapes() -> None:
    two = to_variable(np.array([2], "int32"))
    same(layers.fill_constant([], "float32", 1.5), np.array(1.5), "float32")
    assert layers.fill_constant((0, 2), "float32", 1.0).shape == [0, 2]
    for shape in ([two, 3], to_variable(np.array([2, 3]))):
        same(layers.fill_constant(shape, "float32", 1.5), [[1.5] * 3] * 2, "float32")


def test_value_in_a_variable() -> None:
    same(layers.fill_constant([2], "float64", to_variable(np.array([0.1]))), [0.1, 0.1], "float64")


def test_out() -> None:
    for make in (
        lambda out: layers.fill_constant([2], "int64", 3, out=out),
        lambda out: layers.zeros_like(to_variable(np.ones(2, "int64")), out=out),
        lambda out: layers.ones_like(to_variable(np.ones(2, "int64")), out=out),
    ):
        out = to_variable(np.zeros(3, "float32"))
        assert make(out) is out and out.shape == [2] and out.dtype == "int64"


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: layers.fill_constant([-1, 2], "float32", 1.0), ShapeError, "at least 0"),
        (lambda: layers.fill_constant(3, "float32", 1.0), ArgumentTypeError, "fill_constant: shape got int 3"),
        (lambda: layers.fill_constant([2], "complex64", 1.0), DtypeError, "fill_constant: dtype got 'complex64'"),
        (lambda: layers.fill_constant([2], "float32", None), ArgumentTypeError, "fill_constant: value got"),
        (lambda: layers.fill_constant([2], "float32", "x"), ArgumentValueError, "'x'"),
        (lambda: layers.fill_constant([2], "int32", float("inf")), ArgumentValueError, "finite"),
        (lambda: layers.fill_constant([2], "float32", 1.0, out=3), ArgumentTypeError, "out got int 3"),
        (lambda: layers.zeros_like(np.zeros(2)), ArgumentTypeError, r"Input\(X\) got ndarray"),
        (lambda: layers.range(5, 0, 1, "int32"), ArgumentValueError, "towards End 0"),
        (lambda: layers.range(0, 5, 0, "int32"), ArgumentValueError, "got 0"),
        (lambda: layers.linspace(0, 1, 0, "float32"), ArgumentValueError, "at least 1"),
        (lambda: layers.eye(-1), ShapeError, "at least 0"),
    ],
)  # fmt: skip
def test_bad_calls(call: Any, error: type, match: str) -> None:
    with pytest.raises(error, match=match):
        call()


def test_batch_size_like() -> None:
    x = to_variable(np.zeros([3, 2, 4], "float32"))
    same(layers.fill_constant_batch_size_like(x, [-1, 2], "int64", 3), [[3, 3]] * 3, "int64")
    y = layers.fill_constant_batch_size_like(x, [7, -1], "float64", 0.1, input_dim_idx=2, output_dim_idx=1)
    same(y, np.full([7, 4], 0.1), "float64")
    ragged = Variable(np.zeros([3, 2], "float32"), lod=((0, 1, 3),))
    assert layers.fill_constant_batch_size_like(ragged, [-1, 2], "float32", 0.0).shape == [2, 2]


def test_ones_and_zeros() -> None:
    same(layers.ones([2, 1], "int64"), [[1], [1]], "int64")
    same(layers.zeros([2, 1], "bool"), [[False], [False]], "bool")
    x = to_variable(np.array([[1, 2]], "int32"))
    same(layers.ones_like(x), [[1, 1]], "int32")
    same(layers.zeros_like(x), [[0, 0]], "int32")


def test_sequences() -> None:
    same(layers.range(0, 5, 2, "int64"), [0, 2, 4], "int64")
    same(layers.range(5, 0, -2, "int32"), [5, 3, 1], "int32")
    five = to_variable(np.array([5], "int32"))
    same(layers.range(0, five, 2.0, "float32"), [0, 2, 4], "float32")
    same(layers.linspace(0, 0.7, 8, "float64"), 0.7 / 7 * np.arange(8), "float64")
    same(layers.linspace(3, 1, to_variable(np.array([3])), "float32"), [3, 2, 1], "float32")
    same(layers.eye(2, 3), np.eye(2, 3), "float32")
    same(layers.eye(2, batch_shape=[3, 1], dtype="int32"), np.tile(np.eye(2), [3, 1, 1, 1]), "int32")
