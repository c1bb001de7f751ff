"""What an optimizer keeps: names, order, saving and restoring."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, DtypeError, MissingKeyError, ShapeError
from paddle_lite.imperative.base import guard, to_variable
from paddle_lite.imperative.variable import Variable
from paddle_lite.nn import Linear
from paddle_lite.optimizer import SGD, Adam, Momentum, Optimizer
from paddle_lite.optimizer.schedule import ExponentialDecay, LinearLrWarmup, NoamDecay, ReduceLROnPlateau, StepDecay

pytestmark = pytest.mark.usefixtures("way")


def train(net: Linear, optimizer: Optimizer, steps: int, first: int = 0) -> None:
    for step in range(first, first + steps):
        loss = net(to_variable(np.full((2, 3), 0.5 + step, "float32")))
        loss.backward()
        optimizer.minimize(loss)
        net.clear_gradients()


def saved(optimizer: Optimizer) -> dict[str, Any]:
    """The state as a file would hold it."""
    return {k: v.numpy() if isinstance(v, Variable) else v for k, v in optimizer.state_dict().items()}


def test_names_and_their_order(imperative: None) -> None:
    net = Linear(3, 2)
    adam = Adam(0.1, parameter_list=[net.bias, net.weight])
    assert adam.state_dict() == {}
    assert adam.get_opti_var_name_list() == []
    train(net, adam, 1)
    kinds, params = ("moment1", "moment2", "beta1_pow_acc", "beta2_pow_acc"), ("linear_0.b_0", "linear_0.w_0")
    assert list(adam.state_dict()) == [f"{p}_{kind}_0" for kind in kinds for p in params]
    assert adam.get_opti_var_name_list() == [f"{p}_{kind}_0" for p in params for kind in kinds]
    for name, value in adam.state_dict().items():
        assert value.name == name
        assert value.persistable
        assert value.stop_gradient
        assert value.shape == ([1] if "pow" in name else net.weight.shape if ".w_" in name else net.bias.shape)


def test_a_name_and_a_second_optimizer(imperative: None) -> None:
    net = Linear(3, 2)
    first, second = Momentum(0.1, 0.9, net.parameters(), name="opt"), Momentum(0.1, 0.9, net.parameters())
    third = Momentum(0.1, 0.9, net.parameters())
    for optimizer in (first, second, third):
        train(net, optimizer, 1)
    assert list(first.state_dict()) == ["linear_0.w_0_opt_velocity_0", "linear_0.b_0_opt_velocity_0"]
    assert list(second.state_dict()) == ["linear_0.w_0_velocity_0", "linear_0.b_0_velocity_0"]
    assert list(third.state_dict()) == ["linear_0.w_0_velocity_1", "linear_0.b_0_velocity_1"]


def test_the_type_is_the_operators(imperative: None) -> None:
    assert [o.type for o in (SGD(0.1, []), Momentum(0.1, 0.9, []), Adam(parameter_list=[]))] == [
        "sgd",
        "momentum",
        "adam",
    ]


RATES = {
    "constant": lambda: 0.01,
    "noam": lambda: NoamDecay(100, 4),
    "warmup": lambda: LinearLrWarmup(ExponentialDecay(0.1, 3, 0.5), 2, 0.0, 0.1),
    "steps": lambda: StepDecay(0.1, 2),
}


@pytest.mark.parametrize("again", ["fresh", "used"])
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("make", [lambda r, p: Adam(r, parameter_list=p), lambda r, p: Momentum(r, 0.9, p)])
def test_a_training_goes_on_where_it_was_saved(make: Any, rate: str, again: str) -> None:
    with guard():
        net = Linear(3, 2)
        start = {k: v.numpy() for k, v in net.state_dict().items()}
        optimizer = make(RATES[rate](), net.parameters())
        train(net, optimizer, 3)
        middle, state = {k: v.numpy() for k, v in net.state_dict().items()}, saved(optimizer)
        train(net, optimizer, 3, first=3)
        wanted, wanted_state = net.weight.numpy(), saved(optimizer)
    with guard():
        net = Linear(3, 2)
        net.set_dict(start)
        optimizer = make(RATES[rate](), net.parameters())
        if again == "used":
            train(net, optimizer, 2)
        net.set_dict(middle)
        optimizer.set_dict(state)
        train(net, optimizer, 3, first=3)
        np.testing.assert_array_equal(net.weight.numpy(), wanted)
        assert saved(optimizer).keys() == wanted_state.keys()
        for name, value in saved(optimizer).items():
            np.testing.assert_array_equal(value, wanted_state[name])


def test_state_of_schedules(imperative: None) -> None:
    net = Linear(3, 2)
    sgd = SGD(NoamDecay(100, 4), net.parameters())
    assert saved(sgd) == {"LR_Scheduler": {"step_num": 1}, "global_step": np.array([1], "int32")}
    train(net, sgd, 2)
    assert saved(sgd)["LR_Scheduler"] == {"step_num": 3}
    step = sgd.state_dict()["global_step"]
    assert (step.numpy().dtype, step.numpy().tolist(), step.name, step.persistable) == (
        "int32",
        [3],
        "global_step",
        False,
    )
    by_epoch = SGD(StepDecay(0.1, 2), net.parameters())
    assert saved(by_epoch) == {"LR_Scheduler": {"epoch_num": 0, "learning_rate": 0.1}}
    plateau = saved(SGD(ReduceLROnPlateau(0.1), net.parameters()))
    assert plateau["LR_Scheduler"]["best_loss"] is None
    assert plateau["global_step"].tolist() == [0]
    SGD(ReduceLROnPlateau(0.1), net.parameters()).set_dict(plateau)


def test_the_global_step_is_what_counts(imperative: None) -> None:
    sgd = SGD(NoamDecay(100, 4), [])
    for step in (np.array([5], "int32"), to_variable(np.array([5], "int32"))):
        sgd.set_dict({"LR_Scheduler": {"step_num": 3}, "global_step": step})
        assert sgd._learning_rate.step_num == 5  # type: ignore[union-attr]


def test_missing_entries_are_all_named(imperative: None) -> None:
    net = Linear(3, 2)
    momentum = Momentum(0.1, 0.9, net.parameters())
    momentum.set_dict({"other": np.zeros(1)})
    with pytest.raises(MissingKeyError, match=r"no entry for linear_0.w_0_velocity_0, linear_0.b_0_velocity_0.*other"):
        train(net, momentum, 1)
    momentum = Momentum(0.1, 0.9, net.parameters())
    train(net, momentum, 1)
    state = saved(momentum)
    name = next(iter(state))
    with pytest.raises(AssertionError, match=f"MomentumOptimizer.set_dict: state_dict got no entry for {name}"):
        momentum.set_dict({k: v for k, v in state.items() if k != name})
    momentum.set_dict({**state, "unused": np.zeros(1), "StructuredToParameterName@@": {}})


def test_missing_schedule_entries_are_named(imperative: None) -> None:
    noam, steps = SGD(NoamDecay(100, 4), []), SGD(StepDecay(0.1, 2), [])
    with pytest.raises(MissingKeyError, match=r"no entry for LR_Scheduler, global_step, needs .*NoamDecay"):
        noam.set_dict({})
    with pytest.raises(MissingKeyError, match="no entry for global_step"):
        noam.set_dict({"LR_Scheduler": {"step_num": 3}})
    with pytest.raises(MissingKeyError, match=r"NoamDecay.set_dict: state_dict got no entry for step_num"):
        NoamDecay(100, 4).set_dict({})
    with pytest.raises(MissingKeyError, match="no entry for epoch_num, learning_rate"):
        steps.set_dict({"LR_Scheduler": {}})


def test_entries_that_do_not_fit_are_named(imperative: None) -> None:
    net = Linear(3, 2)
    momentum = Momentum(0.1, 0.9, net.parameters())
    train(net, momentum, 1)
    state = saved(momentum)
    name = next(iter(state))
    for wrong, error in (
        (np.ones((3, 3), "float32"), ShapeError),
        (np.ones((3, 2), "float64"), DtypeError),
        ([1.0], ArgumentTypeError),
    ):
        with pytest.raises(error, match=name):
            momentum.set_dict({**state, name: wrong})


@pytest.mark.parametrize("wrong", [None, 3, [("a", 1)]])
def test_a_state_must_be_a_dict(imperative: None, wrong: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"SGDOptimizer.set_dict: state_dict got .*needs a dict"):
        SGD(0.1, []).set_dict(wrong)


def test_an_optimizer_made_without_parameters_is_told_so_in_imperative_mode() -> None:
    rate = fluid.optimizer.SGD(0.1)  # static mode
    with fluid.dygraph.guard():
        net = Linear(3, 2)
        loss = fluid.layers.mean(net(to_variable(np.ones([2, 3], "float32"))))
        loss.backward()
        with pytest.raises(AttributeError, match="parameter_list"):  # nothing was trained, without a word
            rate.minimize(loss)
        before = net.bias.numpy()
        rate.minimize(loss, parameter_list=net.parameters())
        np.testing.assert_allclose(before - net.bias.numpy(), [0.05, 0.05], rtol=1e-5)
