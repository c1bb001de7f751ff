"""Elementwise arithmetic beside NumPy, and what 1.8.5 does where NumPy does otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, EnforceNotMet, ShapeError
from paddle_lite.imperative import Variable, guard, to_variable
from paddle_lite.imperative.gradients import grad
from paddle_lite.layers.math import elementwise as layers

NUMPY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "pow": np.power,
    "mod": np.mod,
}
FLOATS = st.floats(-1e6, 1e6, width=32) | st.sampled_from([np.nan, np.inf, -np.inf, 0.0, float(np.float32(3e38))])


def leaf(values: Any, dtype: str = "float32") -> Variable:
    variable = to_variable(np.array(values, dtype))
    variable.stop_gradient = False
    return variable


def of(name: str) -> Any:
    return getattr(layers, f"elementwise_{name}")


@pytest.mark.parametrize("name", NUMPY)
@given(data=st.data())
def test_like_numpy(name: str, data: st.DataObject) -> None:
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, min_dims=1, max_dims=4, max_side=4))
    x, y = (data.draw(hnp.arrays("float32", s, elements=FLOATS)) for s in shapes.input_shapes)
    with guard():
        out = of(name)(to_variable(x), to_variable(y)).numpy()
    with np.errstate(all="ignore"):
        expected = NUMPY[name](x, y)
    assert out.dtype == "float32" and out.shape == shapes.result_shape
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@given(data=st.data())
def test_gradients_have_the_operands_shapes(name: str, dtype: str, data: st.DataObject) -> None:
    rank = data.draw(st.integers(1, 4))
    shape = data.draw(hnp.array_shapes(min_dims=rank, max_dims=rank, max_side=40))
    axis = data.draw(st.integers(0, rank - 1))
    stop = data.draw(st.integers(axis + 1, rank))
    rng = np.random.RandomState(0)
    x, y = rng.uniform(0.5, 2, shape).astype(dtype), rng.uniform(0.5, 2, shape[axis:stop]).astype(dtype)
    seed = rng.uniform(-1, 1, shape).astype(dtype)
    with guard():
        a, b = leaf(x, dtype), leaf(y, dtype)
        of_x, of_y = grad([of(name)(a, b, axis=axis)], [a, b], [to_variable(seed)])
    wide = y.reshape((1,) * axis + y.shape + (1,) * (rank - stop))
    factors = {"add": (1, 1), "sub": (1, -1), "mul": (wide, x), "div": (1 / wide, -x / wide / wide)}[name]
    repeated = tuple(i for i in range(rank) if not axis <= i < stop)
    tolerance = 1e-4 if dtype == "float32" else 1e-10
    np.testing.assert_allclose(of_x.numpy(), seed * factors[0], tolerance, tolerance)
    total = np.sum(seed * factors[1], repeated, dtype="float64").reshape(y.shape)
    size = np.sum(np.abs(seed * factors[1]), repeated, dtype="float64").reshape(y.shape)
    assert of_y.numpy().dtype == dtype
    assert np.all(np.abs(of_y.numpy() - total) <= tolerance * (size + 1e-3))


def test_nothing_is_converted() -> None:
    with pytest.raises(DtypeError, match=r"elementwise_add: Input\(Y\) got dtype float64, needs float32.*cast"):
        of("add")(leaf([1.0]), leaf([1.0], "float64"))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integers_are_divided_as_in_c(dtype: str) -> None:
    x, y = to_variable(np.array([-5, 5, -5, 5, 7], dtype)), to_variable(np.array([3, -3, -3, 3, 2], dtype))
    for name, expected in (("div", [-1, -1, 1, 1, 3]), ("floordiv", [-1, -1, 1, 1, 3]), ("mod", [-2, 2, -2, 2, 1])):
        out = of(name)(x, y).numpy()
        assert out.tolist() == expected and out.dtype == dtype


@pytest.mark.parametrize("name", ["div", "mod", "floordiv"])
def test_integers_are_not_divided_by_zero(name: str) -> None:
    x = to_variable(np.array([[1, 2], [3, 4]]))
    with pytest.raises(ArgumentValueError, match=rf"elementwise_{name}: Input\(Y\) got 0 at \[1, 0\]"):
        of(name)(x, to_variable(np.array([[1, 2], [0, 0]])))


def test_powers_of_integers() -> None:
    x, y = np.array([2, 2, -1, -1, 0, 3, 10]), np.array([10, -1, -3, 2, -1, 39, 18])
    assert of("pow")(to_variable(x), to_variable(y)).numpy().tolist() == [1024, 0, -1, 1, 0, 3**39, 10**18]


def test_ties_go_to_y() -> None:
    for name in ("max", "min"):
        x, y = leaf([1, 2, 2]), leaf([2, 2, 1])
        of(name)(x, y).backward()
        chosen = [0, 0, 1] if name == "max" else [1, 0, 0]
        assert x.gradient().tolist() == chosen and y.gradient().tolist() == [1 - c for c in chosen]


def test_no_warnings_of_numpy() -> None:
    huge, zero, infinite = leaf([float(np.float32(3e38))]), leaf([0.0]), leaf([np.inf])
    for name, a, b, expected in (
        ("add", huge, huge, np.inf),
        ("sub", infinite, infinite, np.nan),
        ("mul", huge, huge, np.inf),
        ("mul", infinite, zero, np.nan),
        ("div", huge, zero, np.inf),
        ("div", zero, zero, np.nan),
        ("pow", zero, leaf([-1.0]), np.inf),
        ("pow", huge, leaf([2.0]), np.inf),
        ("mod", huge, zero, np.nan),
    ):
        out = of(name)(a, b)
        np.testing.assert_array_equal(out.numpy(), [expected])
        out.backward()


def test_activation_by_name() -> None:
    x, y = leaf([1, -2]), leaf([1, 1])
    assert of("add")(x, y, act="relu").numpy().tolist() == [2, 0]
    assert of("add")(x, y, act="cumsum").numpy().tolist() == [2, 1]  # no activation, but it makes Out of X as one does
    for wrong in ("foo", "elementwise_add", "concat", "top_k"):
        with pytest.raises(ArgumentValueError, match=f"act got '{wrong}', needs one of abs"):
            of("add")(x, y, act=wrong)
    with pytest.raises(ArgumentTypeError, match="act got int 3, needs the name of an activation"):
        of("add")(x, y, act=3)


@pytest.mark.parametrize("wrong", [3.0, [1.0, 2.0], np.ones(2, "float32"), None, "x"])
def test_operands_are_variables(wrong: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"elementwise_add: Input\(Y\)"):
        of("add")(leaf([1, 2]), wrong)
    with pytest.raises(ArgumentTypeError, match=r"elementwise_add: Input\(X\)"):
        of("add")(wrong, leaf([1, 2]))


@pytest.mark.parametrize("axis", [1.5, "1", None])
def test_axis_is_a_whole_number(axis: Any) -> None:
    with pytest.raises(EnforceNotMet, match="elementwise_add: attribute 'axis'"):
        of("add")(leaf([[1, 2]]), leaf([1]), axis=axis)


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(
        ShapeError, match=r"elementwise_mul: Input\(Y\) at dimension 1 got 2 \(shape \[1, 2\]\), needs 3 or 1.*axis"
    ):
        of("mul")(leaf(np.ones((2, 3))), leaf(np.ones(2)))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "max", "min", "pow"])
def test_a_gradient_penalty_by_each_operand(name: str) -> None:
    """The square of the gradient's norm, differentiated: against differences, where only one operand needs it."""
    rng = np.random.RandomState(1)
    x, y = rng.uniform(1, 2, (2, 3)), rng.uniform(0.3, 0.9, (3,))

    def penalty(values: np.ndarray, *, first: bool, differentiate: bool) -> Any:
        with guard():
            a, b = to_variable(values if first else x), to_variable(y if first else values)
            active = a if first else b
            active.stop_gradient = False
            out = of(name)(a, b)
            out = out * out * out
            (g,) = grad([out], [active], create_graph=True)
            square = g * g
            return grad([square], [active])[0].numpy() if differentiate else square.numpy().sum()

    for first, at in ((True, x), (False, y)):
        found = penalty(at, first=first, differentiate=True)
        numeric = np.zeros_like(at)
        for i in np.ndindex(at.shape):
            step = np.zeros_like(at)
            step[i] = 1e-5
            ahead, behind = (penalty(at + s, first=first, differentiate=False) for s in (step, -step))
            numeric[i] = (ahead - behind) / 2e-5
        np.testing.assert_allclose(found, numeric, 1e-5, 1e-6)
