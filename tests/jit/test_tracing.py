"""TracingMode: each call runs in the imperative mode that is on, and stands in a Program afterwards."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.mode import state, switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.imperative import Variable, guard, to_variable
from paddle_lite.imperative.mode import ImperativeMode
from paddle_lite.jit.tracing import TracingMode
from paddle_lite.nn import Linear
from paddle_lite.static import Executor

X = np.arange(6, dtype="float32").reshape(2, 3)


@pytest.fixture(autouse=True)
def imperative() -> Iterator[None]:
    with guard(), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def traced(function: Any, *arrays: np.ndarray) -> tuple[TracingMode, list[Variable], Any]:
    """The mode after a call of a function, the inputs, and the result."""
    inputs = [to_variable(array) for array in arrays]
    mode = TracingMode(ImperativeMode(), inputs)
    with switched(mode, CPUPlace(), np):
        result = function(*inputs)
    return mode, inputs, result


def types(mode: TracingMode) -> list[str]:
    return [op.type for op in mode.program.global_block().ops]


def test_each_call_runs_and_is_appended_in_its_order() -> None:
    mode, [x], y = traced(lambda x: fluid.layers.tanh(fluid.layers.scale(x, 2.0)), X)
    np.testing.assert_allclose(y.numpy(), np.tanh(2 * X), rtol=1e-6)
    assert types(mode) == ["scale", "tanh"] and mode.program.lint() == []
    first, second = mode.program.global_block().ops
    assert first.input("X") == [x.name] and second.input("X") == first.output("Out")
    assert mode.of(y).name == second.output("Out")[0] and mode.of(y).shape == (-1, 3)


def test_the_first_dimension_of_inputs_is_left_open_and_no_other() -> None:
    mode, _, _ = traced(lambda x, n: x, X, np.array(3.0, "float32"))
    assert [v.shape for v in mode.inputs] == [(-1, 3), ()]
    assert all(v.is_data and v.need_check_feed for v in mode.inputs)


def test_parameters_are_parameters_that_share_the_arrays_of_the_layer() -> None:
    layer = Linear(3, 2)
    mode, _, y = traced(layer, X)
    names = {p.name for p in layer.parameters()}
    assert set(mode.shared) == names == {p.name for p in mode.program.all_parameters()}
    mode.finish()
    assert mode.scope.values[layer.weight.name].array is layer.weight.array
    assert (mode.kept, mode.known, mode.results) == ([], {}, {})
    [got] = Executor(CPUPlace()).run(
        mode.program, feed={mode.inputs[0].name: X[:1]}, scope=mode.scope,
        fetch_list=[mode.program.global_block().ops[-1].output("Out")[0]],
    )  # fmt: skip
    np.testing.assert_allclose(got, y.numpy()[:1], rtol=1e-6)


def test_a_variable_from_elsewhere_is_a_constant_and_is_told_of_once() -> None:
    other, single = to_variable(np.ones(3, "float32")), to_variable(np.ones(1, "float32"))
    with pytest.warns(UserWarning, match="is a constant of the Program") as told:
        mode, _, _ = traced(lambda x: [x + single, [x + other for _ in range(3)]], X)
    assert len(told) == 1  # a number is no news
    assert sorted(variable.array.size for variable in mode.shared.values()) == [1, 3]


def test_values_and_sizes_that_go_into_python_are_told_of() -> None:
    with pytest.warns(UserWarning, match=r"numpy\(\) reads a value; what Python does with it is fixed"):
        traced(lambda x: x * float(x.numpy().sum()), X)
    with pytest.warns(UserWarning, match="reshape2 has the size of this batch, 2, in its attributes; write -1 for it"):
        traced(lambda x: fluid.layers.reshape(x, [2, 3]), X)


def test_random_numbers_and_training_are_told_of() -> None:
    with pytest.warns(UserWarning, match="dropout in training mode; call layer.eval"):
        traced(lambda x: fluid.layers.dropout(x, 0.5), X)
    with pytest.warns(UserWarning, match="draws without a seed"):
        traced(lambda x: fluid.layers.uniform_random([2, 3]), X)


def test_gradients_flow_through_a_traced_call() -> None:
    def squared(x: Variable) -> Variable:
        x.stop_gradient = False
        return fluid.layers.reduce_sum(x * x)

    _, [x], loss = traced(squared, X)
    loss.backward()
    np.testing.assert_allclose(x.gradient(), 2 * X)


def test_an_error_of_a_call_leaves_nothing_behind() -> None:
    before = state.mode
    mode = TracingMode(ImperativeMode(), [x := to_variable(X)])
    with pytest.raises(fluid.core.EnforceNotMet, match="matmul"), switched(mode, CPUPlace(), np):
        fluid.layers.matmul(x, x)
    assert types(mode) == [] and state.mode is before
