"""Arguments as users write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.core.dtype import VarType
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.support import arguments
from paddle_lite.layers.support.window_arguments import pair


def two() -> Variable:
    return to_variable(np.array([2], "int32"))


def test_shape_of_ints() -> None:
    assert arguments.shape_inputs("call", [2, -1]) == ([2, -1], None, None)
    assert arguments.shape_inputs("call", (np.int64(2), 3)) == ([2, 3], None, None)
    assert arguments.shape_inputs("call", []) == ([], None, None)


def test_shape_with_variables() -> None:
    v = two()
    sizes, tensor, tensors = arguments.shape_inputs("call", [v, 3])
    assert sizes == [-1, 3] and tensor is None and tensors is not None
    assert tensors[0] is v and tensors[1].numpy().tolist() == [3]


def test_shape_in_a_variable() -> None:
    v = to_variable(np.array([2, 3]))
    assert arguments.shape_inputs("call", v) == ([], v, None)


@pytest.mark.parametrize("value", [3, 2.5, "23", None, [2.0], [None], np.array([2, 3])])
def test_no_shape(value: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"call: sizes got .* needs a list of ints"):
        arguments.shape_inputs("call", value, "sizes")


def test_number_or_variable() -> None:
    v = two()
    assert arguments.int_input("call", "axis", -1) == (-1, None)
    assert arguments.int_input("call", "axis", np.int32(1)) == (1, None)
    assert arguments.int_input("call", "axis", v) == (0, v)


@pytest.mark.parametrize(
    ("value", "number"),
    [(True, 1), (np.bool_(False), 0), (np.float32(2.5), 2), (np.array([3]), 3), (np.array(4.0), 4), (np.uint8(5), 5)],
)
def test_what_stands_for_an_int(value: Any, number: int) -> None:
    """As attributes of 1.8.5 hold them: bools, scalars of NumPy but float64, arrays of one element."""
    for found in (
        arguments.as_int(value),
        arguments.check_int("call", "axis", value),
        *arguments.int_list("call", "axes", [value]),
    ):
        assert found == number and type(found) is int
    assert arguments.int_input("call", "axis", value) == (number, None)
    assert arguments.shape_inputs("call", [value, 2]) == ([number, 2], None, None)
    assert arguments.check_number("call", "scale", value) == float(np.asarray(value).item())
    assert pair("conv2d", "stride", value) == [number, number] == pair("conv2d", "stride", (value, number))


@pytest.mark.parametrize(
    "value", [1.0, np.float64(1), np.float32("nan"), None, "1", [1], np.array([1, 2]), VarType.INT32]
)
def test_no_number(value: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="call: axis got"):
        arguments.int_input("call", "axis", value)
    with pytest.raises(ArgumentTypeError, match="call: axis got"):
        arguments.check_int("call", "axis", value)
    assert arguments.as_ints([1, value]) is None


def test_numbers_that_no_float_holds() -> None:
    assert arguments.check_number("call", "scale", np.longdouble(2.5)) == 2.5
    for large in (2**1024, 2**1024 - 1, -(2**1024)):
        with pytest.raises(ArgumentValueError, match=r"scale got .* needs a number below 2\*\*1024"):
            arguments.check_number("call", "scale", large)


def test_variables() -> None:
    v = two()
    assert arguments.variable_list("call", "input", v) == [v]
    assert arguments.variable_list("call", "input", (v, v)) == [v, v]
    with pytest.raises(ArgumentValueError, match="an empty list"):
        arguments.variable_list("call", "input", [])
    with pytest.raises(ArgumentTypeError, match=r"input\[1\] got int 3"):
        arguments.variable_list("call", "input", [v, 3])
    with pytest.raises(ArgumentTypeError, match=r"input got ndarray .* to_variable"):
        arguments.variable_list("call", "input", np.zeros(2))


def test_ints() -> None:
    assert arguments.int_list("call", "axes", 3) == [3]
    assert arguments.int_list("call", "axes", (np.int64(3), -1)) == [3, -1]
    with pytest.raises(ArgumentTypeError, match="call: axes got"):
        arguments.int_list("call", "axes", [1.0])


def test_deliver() -> None:
    result, out = two(), to_variable(np.zeros([3], "float32"))
    assert arguments.write_to_out(result, None, "call") is result
    assert arguments.write_to_out(result, out, "call") is out
    assert out.numpy().tolist() == [2] and out.dtype == "int32"
    with pytest.raises(ArgumentTypeError, match="call: out got"):
        arguments.write_to_out(result, np.zeros(1), "call")
