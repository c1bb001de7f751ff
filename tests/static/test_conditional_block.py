"""`ConditionalBlock`; the expected values are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ModeError, ShapeError
from paddle_lite.fluid.layers.control_flow import ConditionalBlock


def five_or_seven(scalar: bool) -> tuple[Any, Any]:
    """Return a Program with an input x of bools that writes 7 over 5 in a block, and the Variable."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [None, 1], "bool")
        out = fluid.layers.fill_constant([1], "float32", 5.0)
        branch = ConditionalBlock([x], is_scalar_condition=scalar)
        with branch.block():
            fluid.layers.assign(fluid.layers.fill_constant([1], "float32", 7.0), out)
    assert main.lint() == []
    return main, out


@pytest.mark.parametrize(
    ("scalar", "given", "expected"),
    [
        (False, np.zeros([3, 1], bool), 7.0),
        (True, np.ones([1, 1], bool), 7.0),
        (True, np.zeros([1, 1], bool), 5.0),
    ],
)
def test_when_it_runs(scalar: bool, given: Any, expected: float) -> None:
    main, out = five_or_seven(scalar)
    assert fluid.Executor(fluid.CPUPlace()).run(main, feed={"x": given}, fetch_list=[out])[0].tolist() == [expected]


def test_a_scalar_condition_has_one_element() -> None:
    main, out = five_or_seven(True)
    with pytest.raises(ShapeError):
        fluid.Executor(fluid.CPUPlace()).run(main, feed={"x": np.ones([2, 1], bool)}, fetch_list=[out])


def test_the_gradient_of_what_is_given_and_read() -> None:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        x = fluid.data("x", [2, 1], "float32")
        x.stop_gradient = False
        branch = ConditionalBlock([x])
        out = fluid.layers.create_tensor("float32")
        with branch.block():
            fluid.layers.assign(x * x, out)
        fluid.backward.append_backward(fluid.layers.mean(out), parameter_list=["x"])
    assert main.lint() == []
    value = np.array([[1.0], [3.0]], "float32")
    grad = fluid.Executor(fluid.CPUPlace()).run(main, feed={"x": value}, fetch_list=["x@GRAD"])[0]
    np.testing.assert_allclose(grad, value)


@pytest.mark.parametrize("inputs", [[1], "x", [np.ones(1)]])
def test_inputs_are_variables(inputs: Any) -> None:
    with (
        fluid.program_guard(fluid.Program()),
        pytest.raises(ArgumentTypeError, match=r"ConditionalBlock: inputs .* a list of Variables"),
    ):
        ConditionalBlock(inputs)


def test_a_scalar_condition_is_bool() -> None:
    with (
        fluid.program_guard(fluid.Program()),
        pytest.raises(DtypeError, match=r"ConditionalBlock: inputs .* dtype bool"),
    ):
        ConditionalBlock([fluid.data("x", [1], "float32")], is_scalar_condition=True)


def test_not_in_imperative_mode() -> None:
    with fluid.dygraph.guard(), pytest.raises(ModeError, match="Python if"):
        ConditionalBlock([fluid.dygraph.to_variable(np.ones(1, "float32"))])


def test_a_variable_that_only_the_other_branch_writes_is_named():
    x, taken = fluid.data("x", [None, 3], "float32"), fluid.data("taken", [1], "bool")
    held = fluid.default_main_program().global_block().create_var(name="held", shape=[-1, 3], dtype="float32")
    block = ConditionalBlock([taken], is_scalar_condition=True)
    with block.block():
        fluid.layers.assign(x, output=held)
    result = held * 2
    feed = {"x": np.ones([1, 3], "float32"), "taken": np.array([False])}
    with pytest.raises(ArgumentValueError, match="the Program got held without a value when it is read"):
        fluid.Executor().run(feed=feed, fetch_list=[result])
