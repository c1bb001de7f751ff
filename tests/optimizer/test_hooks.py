"""What subclasses of Optimizer call, and what they are told; what they compute is in tests/behaviour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError, MissingKeyError

X = np.ones([2, 2], "float32")


class Counting(fluid.optimizer.Optimizer):
    """Adds the sum of the absolute gradients to a count, and leaves the parameters as they are."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(0.1, parameter_list=parameters)
        self.type = "counting"

    def _create_accumulators(self, block: Any, parameters: Any) -> None:
        for parameter in parameters:
            self._add_accumulator("count", parameter, shape=[1])

    def _append_optimize_op(self, block: Any, param_and_grad: Any) -> Any:
        count = self._get_accumulator("count", param_and_grad[0])
        return fluid.layers.assign(count + fluid.layers.reduce_sum(fluid.layers.abs(param_and_grad[1])), count)


def step(layer: Any, optimizer: Any) -> None:
    loss = fluid.layers.mean(layer(fluid.dygraph.to_variable(X)))
    loss.backward()
    optimizer.minimize(loss)


def test_accumulators_are_saved_and_restored(imperative: None) -> None:
    layer = fluid.dygraph.Linear(2, 1)
    first, second = Counting(layer.parameters()), Counting(layer.parameters())
    step(layer, first)
    state = {name: value.numpy() for name, value in first.state_dict().items()}
    assert [value.tolist() for value in state.values()] == [[2.0], [1.0]] and first.type == "counting"
    with fluid.dygraph.guard():  # names from the start
        layer = fluid.dygraph.Linear(2, 1)
        second = Counting(layer.parameters())
        second.set_dict(state)
        step(layer, second)
        assert [value.numpy().tolist() for value in second.state_dict().values()] == [[4.0], [2.0]]


def test_accumulators_can_be_dropped(imperative: None) -> None:
    layer = fluid.dygraph.Linear(2, 1)
    for optimizer in (Counting(layer.parameters()), fluid.optimizer.Momentum(0.1, 0.9, layer.parameters())):
        step(layer, optimizer)
        assert [len(of) for of in optimizer._accumulators.values()] == [2]
        optimizer._accumulators = {}
        assert optimizer._accumulators == {}
        step(layer, optimizer)
        assert [len(of) for of in optimizer._accumulators.values()] == [2]


def test_rules_say_what_paddle_calls_them() -> None:
    adam, rms = fluid.optimizer.Adam(0.1, beta1=0.8), fluid.optimizer.RMSProp(0.1, rho=0.7)
    assert (adam._beta1, adam._beta2, adam._moment1_acc_str, adam._beta1_pow_acc_str) == (
        0.8,
        0.999,
        "moment1",
        "beta1_pow_acc",
    )
    assert rms._rho == 0.7 and fluid.optimizer.Momentum(0.1, 0.9)._momentum == 0.9
    with pytest.raises(AttributeError, match=r"'AdamOptimizer' object has no attribute '_decay'"):
        _ = adam._decay


def test_errors_of_accumulators() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        w = fluid.layers.create_parameter([2], "float32", name="w")
        optimizer = Counting()
        optimizer._add_accumulator("count", w)
        with pytest.raises(ArgumentValueError, match=r"accumulator 'count'.*parameter got w"):
            optimizer._add_accumulator("count", w)
        with pytest.raises(MissingKeyError, match=r"'total' of parameter w.*_create_accumulators"):
            optimizer._get_accumulator("total", w)


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (lambda p, v: fluid.optimizer.Momentum(0.1, v, parameter_list=p), "_momentum", 0.25),
        (lambda p, v: fluid.optimizer.Momentum(0.1, 0.9, parameter_list=p, use_nesterov=v), "_use_nesterov", True),
        (lambda p, v: fluid.optimizer.Adam(0.1, beta1=v, parameter_list=p), "_beta1", 0.25),
        (lambda p, v: fluid.optimizer.RMSProp(0.1, rho=v, parameter_list=p), "_rho", 0.25),
    ],
)
def test_numbers_of_a_rule_are_set_under_paddles_names(make: Any, name: str, value: Any) -> None:
    weights = []
    with fluid.dygraph.guard():
        for late in (False, True):
            layer = fluid.dygraph.Linear(2, 1, param_attr=fluid.initializer.Constant(1.0))
            optimizer = make(layer.parameters(), type(value)() if late else value)
            if late:
                setattr(optimizer, name, value)
            for _ in range(3):
                step(layer, optimizer)
                layer.clear_gradients()
            weights.append(layer.weight.numpy())
            assert getattr(optimizer, name) == value
    assert weights[0].tolist() == weights[1].tolist()


def test_a_number_of_a_rule_takes_the_place_of_a_variable() -> None:
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()):
        beta = fluid.layers.create_global_var([1], 0.5, "float32", persistable=True)
        optimizer = fluid.optimizer.Adam(0.1, beta1=beta)
        optimizer._beta1 = 0.25
        optimizer.minimize(fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1)))
    update = program.global_block().ops[-1]
    assert (update.type, update.attr("beta1"), update.input("Beta1Tensor")) == ("adam", 0.25, [])


def test_what_subclasses_read_of_an_optimizer() -> None:
    # recorded from 1.8.5
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2], "float64"), 1, bias_attr=False))
        optimizer = fluid.optimizer.Adam(0.1)
        assert optimizer._dtype is None and optimizer._opti_name_list == []
        optimizer.backward(loss)
        assert optimizer._dtype == fluid.core.VarDesc.VarType.FP64 and optimizer._opti_name_list == []
        optimizer = fluid.optimizer.Adam(0.1)
        optimizer.minimize(loss)
        suffixes = ["moment1_0", "moment2_0", "beta1_pow_acc_0", "beta2_pow_acc_0"]
        assert optimizer._opti_name_list == [f"fc_0.w_0_{suffix}" for suffix in suffixes]
