"""Comparisons and logic beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import ArgumentTypeError, DtypeError, ShapeError
from paddle_lite.imperative import guard, to_variable
from paddle_lite.layers.math import compare as layers

NUMPY = {
    "less_than": np.less,
    "less_equal": np.less_equal,
    "greater_than": np.greater,
    "greater_equal": np.greater_equal,
    "equal": np.equal,
    "not_equal": np.not_equal,
}
FEW = st.sampled_from([0.0, -0.0, 1.0, np.nan, np.inf, -np.inf])


@pytest.mark.parametrize("name", NUMPY)
@given(data=st.data())
def test_like_numpy(name: str, data: st.DataObject) -> None:
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, min_dims=1, max_dims=3, max_side=3))
    x, y = (data.draw(hnp.arrays("float32", s, elements=FEW)) for s in shapes.input_shapes)
    with guard():
        out = getattr(layers, name)(to_variable(x), to_variable(y))
        assert out.stop_gradient
        np.testing.assert_array_equal(out.numpy(), NUMPY[name](x, y))


@pytest.mark.parametrize("name", NUMPY)
def test_a_variable_takes_the_result(name: str) -> None:
    x, cond = to_variable(np.array([1, 2, 3])), to_variable(np.array([False]))
    assert getattr(layers, name)(x, x, cond=cond) is cond
    assert cond.numpy().tolist() == [bool(NUMPY[name](1, 1))] * 3
    with pytest.raises(ArgumentTypeError, match=f"{name}: out got bool False, needs a Variable"):
        getattr(layers, name)(x, x, cond=False)


def test_dtypes_are_not_mixed() -> None:
    with pytest.raises(DtypeError, match=r"less_than: Input\(Y\) got dtype float32, needs int64"):
        layers.less_than(to_variable(np.array([1])), to_variable(np.array([1.0], "float32")))


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_logic(name: str) -> None:
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    out = to_variable(np.array([True]))
    expected = getattr(np, name)(x, y).tolist()
    assert getattr(layers, name)(to_variable(x), to_variable(y)).numpy().tolist() == expected
    assert getattr(layers, name)(to_variable(x), to_variable(y), out=out) is out and out.numpy().tolist() == expected


def test_not() -> None:
    x = to_variable(np.array([True, False]))
    assert layers.logical_not(x).numpy().tolist() == [False, True]
    assert layers.logical_not(x, out=x) is x and x.numpy().tolist() == [False, True]


def test_logic_needs_truths_of_one_shape() -> None:
    x = to_variable(np.array([True, False]))
    with pytest.raises(DtypeError, match=r"logical_and: Input\(Y\) got dtype int64, needs bool. Compare it"):
        layers.logical_and(x, to_variable(np.array([1, 0])))
    with pytest.raises(ShapeError, match=r"logical_or: Input\(Y\) got shape \[1\], needs \[2\]"):
        layers.logical_or(x, to_variable(np.array([True])))


@pytest.mark.parametrize(
    ("values", "finite", "inf", "nan"),
    [
        ([1.0, 2.0], True, False, False),
        ([1.0, np.inf], False, True, False),
        ([np.nan, 1.0], False, False, True),
        ([-np.inf, np.nan], False, True, True),
        ([], True, False, False),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_questions(values: list, finite: bool, inf: bool, nan: bool, dtype: Any) -> None:
    x = to_variable(np.array(values, dtype))
    answers = [layers.isfinite(x), layers.has_inf(x), layers.has_nan(x), layers.is_empty(x)]
    assert [a.shape for a in answers] == [[1]] * 4
    assert [bool(a.numpy()[0]) for a in answers] == [finite, inf, nan, not values]


def test_is_empty_into_a_variable() -> None:
    cond = to_variable(np.array([True]))
    assert layers.is_empty(to_variable(np.ones(2)), cond=cond) is cond and not cond.numpy()[0]
