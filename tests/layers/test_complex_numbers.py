"""Complex Variables give the numbers that NumPy gives, in both modes, and the gradients of their parts."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, DtypeError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.fluid import ComplexVariable
from paddle_lite.fluid.dygraph import to_variable
from paddle_lite.static.mode.static_mode import static_mode

X = np.array([[1 + 2j, 3 - 1j], [0.5j, 2]])
Y = np.array([[2 + 1j, 1], [1j, -1 + 1j]])
R = np.array([[1.0, 2.0], [4.0, 0.5]])


def close(result: Any, expected: Any, rtol: float = 1e-12) -> None:
    assert isinstance(result, ComplexVariable) and result.numpy().dtype == result.dtype
    np.testing.assert_allclose(result.numpy(), expected, rtol=rtol, atol=1e-13)


OPERATORS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv}


@pytest.mark.parametrize("name", OPERATORS)
def test_python_operators_with_complex_and_real_variables_and_numbers(name: str) -> None:
    function = OPERATORS[name]
    for a, b in ((X, Y), (X, R), (R, X), (X, Y[0]), (R[0], X), (X, R[0]), (X[0], R), (R, X[0])):
        close(function(to_variable(a), to_variable(b)), function(a, b))
    for number in (2.0, 4, 2j, 1.5 - 1j, np.float64(0.5)):
        # float32 holds the number, as beside a real Variable
        close(function(to_variable(X), number), function(X, number), rtol=1e-7)
        if not isinstance(number, np.generic):
            close(function(number, to_variable(X)), function(number, X))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div"])
@pytest.mark.parametrize("kinds", ["cc", "cr", "rc"])
def test_elementwise_functions_align_the_second_argument_at_an_axis(name: str, kinds: str) -> None:
    a = X if kinds[0] == "c" else R
    b = np.array([1 + 1j, 2j]) if kinds[1] == "c" else np.array([2.0, 4.0])
    result = getattr(paddle.complex, f"elementwise_{name}")(to_variable(a), to_variable(b), axis=0)
    close(result, OPERATORS["truediv" if name == "div" else name](a, b[:, None]))


def test_products_traces_sums_and_shapes() -> None:
    x, y, r = to_variable(X), to_variable(Y), to_variable(R)
    close(paddle.complex.matmul(x, y), X @ Y)
    close(paddle.complex.matmul(x, r, True, False, 2.0), 2 * X.T @ R)
    close(paddle.complex.matmul(r, y, transpose_y=True), R @ Y.T)
    close(paddle.complex.kron(x, y), np.kron(X, Y))
    close(paddle.complex.kron(r, y), np.kron(R, Y))
    close(paddle.complex.trace(x), [np.trace(X)])
    close(paddle.complex.trace(x, 1), [np.trace(X, 1)])
    close(paddle.complex.sum(x), [X.sum()])
    close(paddle.complex.sum(x, dim=0, keep_dim=True), X.sum(0, keepdims=True))
    close(paddle.complex.transpose(x, [1, 0]), X.T)
    close(paddle.complex.reshape(x, [-1]), X.reshape(-1))
    close(-x[:, 1], -X[:, 1])
    assert x.shape == [2, 2]
    assert paddle.complex.reshape(x, [4, 1], inplace=True) is x and x.shape == [4, 1]


def test_variables_of_complex_arrays() -> None:
    x = to_variable(X.astype("complex64"), name="z")
    assert (x.dtype, x.name, x.stop_gradient) == ("complex64", {"real": "z.real", "imag": "z.imag"}, True)
    assert to_variable(x) is x and len(x) == 2 and x.numpy().dtype == np.complex64
    assert repr(x).startswith("REAL: Variable(") and "\nIMAG: Variable(" in repr(x)


def test_gradients_are_those_of_the_parts() -> None:
    x = to_variable(X)
    x.stop_gradient = False
    paddle.complex.sum(x * to_variable(Y)).real.backward()
    np.testing.assert_allclose(x.real.gradient(), Y.real)
    np.testing.assert_allclose(x.imag.gradient(), -Y.imag)


def test_a_program() -> None:
    main = fluid.Program()
    with switched(static_mode, CPUPlace(), None), fluid.program_guard(main, fluid.Program()):
        parts = {name: fluid.data(name, [2, 2], "float64") for name in ("a", "b", "c", "d")}
        x, y = ComplexVariable(parts["a"], parts["b"]), ComplexVariable(parts["c"], parts["d"])
        out = paddle.complex.matmul(x / y, parts["a"] - x) + 1j
    feed = {"a": X.real, "b": X.imag, "c": Y.real, "d": Y.imag}
    with switched(static_mode, CPUPlace(), None):
        real, imag = fluid.Executor().run(main, feed=feed, fetch_list=[out.real, out.imag])
    np.testing.assert_allclose(real + 1j * imag, (X / Y) @ (X.real - X) + 1j, atol=1e-13)


@settings(deadline=None, max_examples=15)
@given(st.lists(st.complex_numbers(max_magnitude=1e3, allow_nan=False), min_size=1, max_size=5), st.data())
def test_products_of_any_numbers(numbers: list[complex], data: st.DataObject) -> None:
    a = np.array(numbers)
    b = np.array(data.draw(st.lists(st.complex_numbers(max_magnitude=1e3), min_size=len(a), max_size=len(a))))
    np.testing.assert_allclose((to_variable(a) * to_variable(b)).numpy(), a * b, rtol=1e-9, atol=1e-9)


def test_bad_input() -> None:
    x, r = to_variable(X), to_variable(R)
    with pytest.raises(ValueError, match=r"paddle.complex.matmul: inputs got real Variables, needs a ComplexVariable"):
        paddle.complex.matmul(r, r)
    with pytest.raises(ArgumentTypeError, match=r"paddle.complex.elementwise_add: input got ndarray"):
        paddle.complex.elementwise_add(x, Y)
    with pytest.raises(ArgumentTypeError, match=r"paddle.complex.trace: inputs got real Variables"):
        paddle.complex.trace(r)
    with pytest.raises(ArgumentTypeError, match="ComplexVariable: imag got int 1, needs a Variable"):
        ComplexVariable(r, 1)
    with pytest.raises(ShapeError, match=r"ComplexVariable: imag got shape \[2\], needs that of real, \[2, 2\]"):
        ComplexVariable(r, r[0])
    with pytest.raises(DtypeError, match="ComplexVariable: parts got int64 and int64, needs float32 or float64"):
        ComplexVariable(to_variable(np.ones(2, "int64")), to_variable(np.ones(2, "int64")))
    with pytest.raises(TypeError, match="unsupported operand"):
        x + "text"
