"""Derivatives of expressions against differences, and as text."""

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.kernels.codegen import Pointwise, derive, numpy_function
from tests.kernels.codegen_cases import CASES, GRADIENTS

ALL = CASES | GRADIENTS


def differences(key, wrt):
    """The derived derivative and the symmetric difference quotient, at points that are no kinks."""
    case = ALL[key]
    scalars = tuple(case.scalars)
    function = numpy_function(case.expression, case.arrays, scalars)
    slope = numpy_function(derive(case.expression, wrt), case.arrays, scalars)
    values = dict(zip(case.arrays, case.operands(np.float64, 96), strict=True)) | case.scalars
    step = 1e-6
    up, down = ({**values, wrt: values[wrt] + sign * step} for sign in (1, -1))
    quotient = (function(np, *up.values()) - function(np, *down.values())) / (2 * step)
    return slope(np, *values.values()), quotient


@pytest.mark.parametrize(("key", "wrt"), [(key, wrt) for key, case in ALL.items() for wrt in (*case.arrays, *case.scalars)
                                          if not isinstance(case.scalars.get(wrt), bool)])  # fmt: skip
def test_derivative_is_the_limit_of_differences(key, wrt):
    derived, quotient = differences(key, wrt)
    assert derived.shape == (96,)
    np.testing.assert_allclose(derived, quotient, rtol=1e-6, atol=1e-8)


def test_the_check_sees_a_wrong_derivative():
    derived, quotient = differences("tanh", "x")
    assert not np.allclose(derived * 1.001, quotient, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("expression", "wrt", "expected"),
    [
        ("x if x > 0 else 0 * x", "x", "1 if x > 0 else 0"),
        ("dout if out > 0 else 0 * dout", "dout", "1 if out > 0 else 0"),
        ("dout if out > 0 else 0 * dout", "out", "0"),
        ("dout * (1 - out ** 2)", "out", "-(dout * (2 * out))"),
        ("x", "x", "1"),
        ("alpha * x + y", "x", "alpha"),
        ("x * x", "x", "2 * x"),
        ("x ** 3", "x", "3 * x ** 2"),
        ("x ** alpha", "x", "alpha * x ** (alpha - 1)"),
        ("x ** alpha", "alpha", "x ** alpha * log(x)"),
        ("1 / x", "x", "-(1 / x / x)"),
        ("exp(-x)", "x", "-exp(-x)"),
        ("log(2 * x)", "x", "2 / (2 * x)"),
        ("-(-x)", "x", "1"),
        ("max(x, y)", "x", "1 if x > y else 0"),
        ("max(x, y)", "y", "0 if x > y else 1"),
        ("abs(x)", "x", "sign(x)"),
        ("floor(x) + sign(x) + round(x) + ceil(x) + trunc(x)", "x", "0"),
        ("1 if x > 0 else 0", "x", "0"),
        ("x - x", "x", "0"),
        ("3", "x", "0"),
    ],
)
def test_derivatives_are_simple(expression, wrt, expected):
    assert derive(expression, wrt) == expected


def test_values_at_kinks():
    at = {"max(x, 0)": 0, "min(max(x, 0), 6)": 0, "abs(x)": 0, "x if x > 0 else alpha * x": 0.5}
    for expression, expected in at.items():
        slope = numpy_function(derive(expression, "x"), ("x",), ("alpha",))
        assert slope(np, np.zeros(1, np.float32), 0.5).tolist() == [expected]
    six = numpy_function(derive("min(max(x, 0), 6)", "x"), ("x",))
    assert six(np, np.array([5.5, 6.0, 6.5])).tolist() == [1, 0, 0]


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_a_constant_derivative_fills_an_array_of_the_dtype(dtype):
    got = numpy_function(derive("3 * x", "x"), ("x",))(np, np.zeros((2, 2), dtype))
    assert got.dtype == dtype
    assert got.tolist() == [[3, 3], [3, 3]]


def test_declared_gradients_equal_derived_ones():
    pairs = {
        "tanh(x)": "dout * (1 - tanh(x) ** 2)",
        "x * sigmoid(beta * x)": "dout * (sigmoid(beta * x) + beta * x * sigmoid(beta * x) * (1 - sigmoid(beta * x)))",
        "0.5 * x * (1 + erf(x * 0.7071067811865476))": "dout * (0.5 * (1 + erf(x * 0.7071067811865476)) + "
        "x * 0.3989422804014327 * exp(-0.5 * x ** 2))",
    }
    x, dout = np.linspace(-3, 3, 50), np.linspace(1, 2, 50)
    for forward, gradient in pairs.items():
        op = Pointwise("op", {"out": forward}, ("x",), ("beta",))
        declared = numpy_function(gradient, ("x", "dout"), ("beta",))(np, x, dout, 1.5)
        derived = numpy_function(f"dout * ({op.derive('out', 'x')})", ("x", "dout"), ("beta",))(np, x, dout, 1.5)
        np.testing.assert_allclose(derived, declared, rtol=1e-12, atol=1e-14)


def test_second_derivatives():
    second = numpy_function(derive(derive("tanh(x)", "x"), "x"), ("x",))
    x = np.linspace(-2, 2, 41)
    np.testing.assert_allclose(second(np, x), -2 * np.tanh(x) * (1 - np.tanh(x) ** 2), rtol=1e-13, atol=1e-15)


def test_derive_refuses_unknown_names():
    op = Pointwise("op", {"out": "a * x"}, ("x",), ("a",))
    assert op.derive("out", "a") == "x"
    with pytest.raises(ArgumentValueError, match="output got 'y', needs one of out"):
        op.derive("y", "x")
    with pytest.raises(ArgumentValueError, match="wrt got 'z', needs one of x, a"):
        op.derive("out", "z")
