"""scale, clip, cast, assign, sums, mean, increment, pow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.dtype import VarType
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative import Variable, guard, to_variable
from paddle_lite.layers.math import arithmetic as layers
from paddle_lite.ops.math import arithmetic as ops


def leaf(values: Any, dtype: str = "float32") -> Variable:
    variable = to_variable(np.array(values, dtype))
    variable.stop_gradient = False
    return variable


# --- scale -----------------------------------------------------------------------------------------------------------------


@given(hnp.arrays("float32", hnp.array_shapes(max_side=4), elements=st.floats(-9, 9, width=32)), st.data())
def test_scale_like_numpy(x: np.ndarray, data: st.DataObject) -> None:
    factor, bias = data.draw(st.floats(-9, 9, width=16)), data.draw(st.floats(-9, 9, width=16))
    after = data.draw(st.booleans())
    with guard():
        out = layers.scale(to_variable(x), factor, bias, after).numpy()
    s, b = np.float32(factor), np.float32(bias)
    assert out.dtype == "float32"
    np.testing.assert_allclose(out, x * s + b if after else (x + b) * s, 1e-6, 1e-6)


def test_scale_of_integers_cuts_the_numbers_off() -> None:
    x = to_variable(np.array([1, 2]))
    assert layers.scale(x, 2.9, 1.9).numpy().tolist() == [3, 5]
    assert layers.scale(x, -2.5, 1.5, bias_after_scale=False).numpy().tolist() == [-4, -6]


def test_scale_of_float64_by_float32_numbers() -> None:
    assert layers.scale(to_variable(np.array([1.0])), 0.1).numpy()[0] == float(np.float32(0.1))


def test_scale_by_a_variable() -> None:
    x = leaf([1, 2])
    out = layers.scale(x, to_variable(np.array([3.0], "float32")), bias=1.0, bias_after_scale=False)
    out.backward()
    assert out.numpy().tolist() == [6, 9] and x.gradient().tolist() == [3, 3]


def test_scale_act_and_errors() -> None:
    x = leaf([1, -2])
    assert layers.scale(x, 2.0, act="relu").numpy().tolist() == [2, 0]
    with pytest.raises(ArgumentTypeError, match="scale: scale got str 'two', needs a number"):
        layers.scale(x, "two")
    with pytest.raises(ArgumentTypeError, match="scale: bias got NoneType None, needs a number"):
        layers.scale(x, 1.0, None)
    with pytest.raises(ShapeError, match=r"scale: Input\(ScaleTensor\) got shape \[2\], needs one element"):
        layers.scale(x, x)


# --- clip ------------------------------------------------------------------------------------------------------------------


def test_clip_and_its_gradient_at_the_limits() -> None:
    x = leaf([0, 1, 2, 3, 4, np.nan])
    out = layers.clip(x, 1, 3)
    out.backward()
    np.testing.assert_array_equal(out.numpy(), [1, 1, 2, 3, 3, np.nan])
    assert x.gradient().tolist() == [0, 0, 1, 0, 0, 0]


def test_clip_by_variables() -> None:
    x, low = leaf([0, 1, 2]), to_variable(np.array([0.5], "float32"))
    assert layers.clip(x, low, 1.5).numpy().tolist() == [0.5, 1, 1.5]
    assert layers.clip(x, -1.0, low).numpy().tolist() == [0, 0.5, 0.5]
    with pytest.raises(ArgumentValueError, match=r"clip: attribute 'max' got 0\.5, needs more than min, 0\.5"):
        layers.clip(x, low, low)


def test_clip_errors() -> None:
    with pytest.raises(ArgumentTypeError, match="clip: min got NoneType None, needs a number"):
        layers.clip(leaf([1]), None, 1.0)
    with pytest.raises(DtypeError, match=r"clip: Input\(X\) got dtype int64, needs a float dtype"):
        layers.clip(to_variable(np.array([1])), 0.0, 1.0)


# --- cast, assign ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int64", np.int64, VarType.INT64, np.dtype("int64")])
def test_cast_to_any_spelling(dtype: Any) -> None:
    assert layers.cast(leaf([1.7, -1.7]), dtype).numpy().tolist() == [1, -1]


def test_cast_back_and_forth_passes_the_gradient() -> None:
    x = leaf([0.5, 1.5])
    layers.cast(layers.cast(x, "int32"), "float32").backward()
    assert x.gradient().tolist() == [1, 1] and x.gradient().dtype == "float32"


def test_cast_wraps_and_has_no_warnings() -> None:
    assert layers.cast(leaf([-1, 300, 1e3]), "uint8").numpy().tolist() == [255, 44, 232]
    assert layers.cast(leaf([1e300, np.nan], "float64"), "float32").numpy()[0] == np.inf
    assert layers.cast(leaf([np.nan, 0, 2]), "bool").numpy().tolist() == [True, False, True]
    layers.cast(leaf([np.nan, np.inf]), "int32")


def test_cast_errors() -> None:
    with pytest.raises(DtypeError, match="cast: dtype got 'foo'"):
        layers.cast(leaf([1]), "foo")
    with pytest.raises(ArgumentTypeError, match="cast: x got list"):
        layers.cast([1.0], "int32")


def test_assign_copies() -> None:
    array = np.ones(2, "float32")
    x = to_variable(array)
    y = layers.assign(x)
    array[0] = 7
    assert x.numpy()[0] == 7 and y.numpy()[0] == 1


def test_assign_passes_the_gradient_and_fills_a_variable() -> None:
    x, out = leaf([1, 2]), to_variable(np.zeros(3))
    assert layers.assign(x, out) is out
    out.backward()
    assert out.numpy().tolist() == [1, 2] and x.gradient().tolist() == [1, 1]


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64", "bool"])
def test_assign_an_array(dtype: str) -> None:
    array = np.array([[0, 1], [2, 3]]).astype(dtype)
    out = layers.assign(array).numpy()
    assert out.dtype == dtype and np.array_equal(out, array)


def test_assign_errors() -> None:
    with pytest.raises(ArgumentTypeError, match="assign: input got list"):
        layers.assign([1.0, 2.0])
    with pytest.raises(ArgumentTypeError, match="assign: input"):
        layers.assign(np.ones(2, "complex64"))


# --- sums ------------------------------------------------------------------------------------------------------------------


def test_sums() -> None:
    x, y, out = leaf([1, 2]), leaf([3, 4]), to_variable(np.zeros(2, "float32"))
    total = layers.sums([x, y, x])
    total.backward()
    assert total.numpy().tolist() == [5, 8]
    assert x.gradient().tolist() == [2, 2] and y.gradient().tolist() == [1, 1]
    assert layers.sums([x, y], out=out) is out and out.numpy().tolist() == [4, 6]
    assert layers.sum(x).numpy().tolist() == [1, 2] and layers.sum(x) is not x


def test_sum_of_one_does_not_share_memory() -> None:
    x = leaf([1, 2])
    assert not np.shares_memory(layers.sum([x]).array, x.array)


def test_sums_of_sparse_gradients() -> None:
    def rows(indices: list[int]) -> SelectedRows:
        return SelectedRows(np.array(indices), np.ones((len(indices), 2), "float32"), 4)

    sparse = [Variable(rows([0, 2])), Variable(rows([2, 3, 3]))]
    both = layers.sum(sparse).array
    assert isinstance(both, SelectedRows) and both.rows.tolist() == [0, 2, 3]
    dense = layers.sum([*sparse, to_variable(np.ones((4, 2), "float32"))]).numpy()
    assert dense[:, 0].tolist() == [2, 1, 3, 3]
    scaled = ops.scale.call(sparse[0], scale=3.0).array
    assert scaled.rows.tolist() == [0, 2] and scaled.values[0, 0] == 3


def test_sum_errors() -> None:
    x = leaf([1, 2])
    with pytest.raises(ShapeError, match=r"sum: Input\(X\)\[1\] got shape \[1\], needs \[2\].*elementwise_add"):
        layers.sums([x, leaf([1])])
    with pytest.raises(DtypeError, match=r"sum: Input\(X\)\[2\] got dtype float64"):
        layers.sums([x, x, leaf([1, 2], "float64")])
    with pytest.raises(ArgumentTypeError, match="sum"):
        layers.sums([])
    with pytest.raises(ArgumentTypeError, match=r"sum: Input\(X\)"):
        layers.sums([x, np.ones(2, "float32")])


# --- mean, increment, pow ----------------------------------------------------------------------------------------------------


@given(hnp.arrays("float32", hnp.array_shapes(max_side=6), elements=st.floats(-9, 9, width=32)))
def test_mean_and_its_gradient(x: np.ndarray) -> None:
    with guard():
        v = leaf(x)
        out = layers.mean(v)
        out.backward()
    assert out.shape == [1] and out.numpy().dtype == "float32"
    np.testing.assert_allclose(out.numpy()[0], x.mean(dtype="float64"), 1e-5, 1e-6)
    np.testing.assert_allclose(v.gradient(), np.full(x.shape, 1 / x.size), 1e-6)


def test_mean_of_float16_does_not_overflow() -> None:
    out = layers.mean(to_variable(np.full(1000, 1000, "float16"))).numpy()
    assert out.dtype == "float16" and out[0] == 1000


def test_increment() -> None:
    x = to_variable(np.array([3]))
    assert layers.increment(x, 2) is x and x.numpy().tolist() == [5]
    y = layers.increment(x, 1.7, in_place=False)
    assert y is not x and x.numpy().tolist() == [5] and y.numpy().tolist() == [6]
    with pytest.raises(ShapeError, match=r"increment: Input\(X\) got shape \[2\], needs one element"):
        layers.increment(to_variable(np.array([1, 2])))


@pytest.mark.parametrize("factor", [2, 2.0, 0.5, 3.0, -1.0, 0.0, 1.0])
def test_pow(factor: float) -> None:
    x = leaf([0.5, 1.5, 2.0], "float64")
    out = layers.pow(x, factor)
    out.backward()
    np.testing.assert_allclose(out.numpy(), x.numpy() ** factor, 1e-12)
    np.testing.assert_allclose(x.gradient(), factor * x.numpy() ** (factor - 1), 1e-12)


def test_pow_of_integers_and_by_a_variable() -> None:
    x = to_variable(np.array([1, -1, 2, 3]))
    assert layers.pow(x, 2.5).numpy().tolist() == [1, 1, 4, 9]
    assert layers.pow(x, -1.0).numpy().tolist() == [1, -1, 0, 0]
    y = leaf([2, 3])
    out = layers.pow(y, to_variable(np.array([3.0], "float32")))
    out.backward()
    assert out.numpy().tolist() == [8, 27] and y.gradient().tolist() == [12, 27]
    with pytest.raises(ArgumentTypeError, match="pow: factor got str '2', needs a number"):
        layers.pow(y, "2")
