"""Python's operators and indexing on Variables of a Program: what they append, and what running it gives."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, ShapeError

# expression of x [-1, 3] -> the operators that PaddlePaddle 1.8.5 appends, and the name of the result
APPENDED = {
    "x + 1": (["scale"], "tmp_0"),
    "1 + x": (["scale"], "tmp_0"),
    "2 - x": (["scale"], "tmp_0"),
    "x * 2": (["scale"], "tmp_0"),
    "x / 2": (["scale"], "tmp_0"),
    "-x": (["scale"], "tmp_0"),
    "2 / x": (["fill_constant_batch_size_like", "elementwise_div"], "tmp_1"),
    "2 ** x": (["fill_constant_batch_size_like", "elementwise_pow"], "tmp_1"),
    "x ** 2": (["fill_constant", "elementwise_pow"], "tmp_1"),
    "x % 2": (["fill_constant", "elementwise_mod"], "tmp_1"),
    "x < 3": (["fill_constant", "less_than"], "tmp_1"),
    "x <= 3": (["fill_constant", "less_equal"], "tmp_1"),
    "3 < x": (["fill_constant", "greater_than"], "tmp_1"),
    "x >= 3": (["fill_constant", "greater_equal"], "tmp_1"),
    "x == 3": (["fill_constant", "equal"], "tmp_1"),
    "x != 3": (["fill_constant", "not_equal"], "tmp_1"),
    "x + x": (["elementwise_add"], "tmp_0"),
    "x - y": (["elementwise_sub"], "tmp_0"),
    "x + np.float32(2)": (["fill_constant", "elementwise_add"], "tmp_1"),
    "x + True": (["scale"], "tmp_0"),
    "x / 0": (["fill_constant", "elementwise_div"], "tmp_1"),
    "x + z": (["cast", "elementwise_add"], "tmp_1"),
    "x < z": (["cast", "less_than"], "tmp_1"),
    "x.astype('int64')": (["cast"], "tmp_0"),
    "x[0]": (["slice"], "x_slice_0"),
    "x[1:][0]": (["slice", "slice"], "x_slice_0_slice_0"),
    "x[0:2, ::2]": (["strided_slice"], "x_strided_slice_0"),
    "x[::-1]": (["reverse"], "x_slice_reverse_0"),
    "x[i]": (["fill_constant", "elementwise_add", "slice"], "x_slice_0"),
    "x[0, i]": (["fill_constant", "elementwise_add", "fill_constant", "fill_constant", "slice"], "x_slice_0"),
    "x[i:]": (["slice"], "x_slice_0"),
    "x[:]": ([], "x"),
}


@pytest.fixture
def program():
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
        yield fluid.default_main_program()


def names(dtype="float32"):
    """The Variables that expressions are about."""
    return {
        "x": fluid.data("x", [None, 3], dtype),
        "y": fluid.data("y", [3], dtype),
        "z": fluid.data("z", [3], "float64"),
        "i": fluid.data("i", [1], "int32"),
        "np": np,
    }


@pytest.mark.parametrize("expression", APPENDED)
def test_operators_and_names_are_those_of_paddle(program, expression):
    result = eval(expression, names())
    types, name = APPENDED[expression]
    assert [op.type for op in program.global_block().ops] == types
    assert result.name == name


def test_places_are_int32_as_paddle_reads_them(program):
    """An int64 index fails in PaddlePaddle 1.8.5, while the Program is built; in a saved one its slice would fail."""
    x, i = fluid.data("x", [None, 3]), fluid.data("i", [1], "int64")
    results = [x[:, i], x[i : i + 1], x[:, i::2]]
    for op in program.global_block().ops:
        for slot in ("StartsTensorList", "EndsTensorList", "StridesTensorList"):
            if op.type.endswith("slice") and slot in op.inputs:
                assert {program.global_block().var(n).dtype for n in op.input(slot)} <= {
                    fluid.core.VarDesc.VarType.INT32
                }
    values = np.arange(9, dtype="float32").reshape(3, 3)
    found = fluid.Executor().run(feed={"x": values, "i": np.array([1])}, fetch_list=results)
    for a, b in zip(found, (values[:, 1], values[1:2], values[:, 1::2]), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "expression", [e for e in APPENDED if e not in ("x / 0", "x % 2")] + ["x[1, ::-1]", "x[..., i]"]
)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_results_are_those_of_numpy(program, expression, dtype):
    if dtype == "int64" and expression == "x[:]":
        return
    x = np.array([[1, 2, 3], [4, 5, 6]], dtype)
    feed = {"x": x, "y": np.array([1, 2, 3], dtype), "z": np.array([3.0, 2.0, 1.0]), "i": np.array([1], "int32")}
    result = eval(expression, names(dtype))
    [got] = fluid.Executor().run(program, feed=feed, fetch_list=[result])
    with np.errstate(divide="ignore"):
        want = eval(expression, {**feed, "z": feed["z"].astype(dtype), "i": 1, "np": np})
    if dtype == "int64" and "/" in expression:
        want = np.trunc(want).astype(dtype)
    np.testing.assert_allclose(got, want, rtol=1e-6)
    assert got.dtype == (bool if want.dtype == bool else "int64" if "astype" in expression else dtype)


def test_a_first_size_that_is_not_known_aligns_the_first_dimensions(program):
    x, y = fluid.data("x", [-1, 2, 3]), fluid.data("y", [-1])
    feed = {"x": np.ones([2, 2, 3], "float32"), "y": np.array([1, 2], "float32")}
    [got] = fluid.Executor().run(feed=feed, fetch_list=[x - y])
    assert got[0].max() == 0 and got[1].max() == -1


def test_gradients_flow_through_indexing(program):
    x = fluid.data("x", [2, 3])
    x.stop_gradient = False
    [dx] = fluid.gradients(x[:, 1:] * 2 + x[:, ::2], x)
    [got] = fluid.Executor().run(feed={"x": np.ones([2, 3], "float32")}, fetch_list=[dx])
    assert got.tolist() == [[1, 2, 3]] * 2


def test_nothing_equals_none(program):
    x = fluid.data("x", [None, 3])
    assert (x == None) is False and (x != None) is True  # noqa: E711
    assert not program.global_block().ops


@pytest.mark.parametrize(
    ("expression", "error", "says"),
    [
        ("x + 'a'", ArgumentTypeError, "Variable +"),
        ("x + None", ArgumentTypeError, "a Variable or a number"),
        ("x + np.ones(3)", ArgumentTypeError, "fluid.layers.assign"),
        ("x.astype('int64') + 1.5", ArgumentValueError, "whole number"),
        ("x[None]", ArgumentTypeError, "unsqueeze"),
        ("x[[0, 1]]", ArgumentTypeError, "gather"),
        ("x[0, 0, 0]", IndexRangeError, "at most 2"),
        ("x[..., 0, ...]", IndexRangeError, "two Ellipses"),
        ("x['a':]", ArgumentTypeError, "bound of a slice"),
        ("x[:, 7]", ShapeError, "at least one of 3"),
        ("x[:, ::0]", ArgumentValueError, "step other than 0"),
    ],
)
def test_wrong_operands_are_explained(program, expression, error, says):
    with pytest.raises(error, match=says.replace("+", r"\+")):
        eval(expression, names())


def test_hsigmoid_of_a_file_of_paddle_keeps_its_weight():
    """Files of 1.8.5 bind W_Out to W, which no call writes; an optimizer reads W after it."""
    block = fluid.default_main_program().global_block()
    x, label = fluid.data("x", [4, 3]), fluid.data("label", [4, 1], "int64")
    cost = fluid.layers.hsigmoid(x, label, 8, param_attr=fluid.ParamAttr(name="w"), bias_attr=False)
    made = next(op for op in block.ops if op.type == "hierarchical_sigmoid")
    made.outputs["W_Out"] = ["w"]
    fluid.optimizer.SGD(0.1).minimize(fluid.layers.mean(cost))
    executor = fluid.Executor(fluid.CPUPlace())
    executor.run(fluid.default_startup_program())
    feed = {"x": np.ones((4, 3), "float32"), "label": np.arange(4).reshape(4, 1)}
    weight = fluid.global_scope().find_var("w").get_tensor()
    before = np.array(weight)
    (gradient,) = executor.run(feed=feed, fetch_list=["w@GRAD"])
    after = before - np.float32(0.1) * gradient
    np.testing.assert_allclose(np.array(weight), after, rtol=1e-6)
