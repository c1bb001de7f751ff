"""What the recorded trainings of static Programs leave out: clips of some parameters, wrong calls, what a step keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError, ShapeError
from paddle_lite.imperative.base import guard, to_variable
from paddle_lite.optimizer.static_step import StaticStep
from paddle_lite.params.clip import GradientClipBase
from paddle_lite.params.regularizer import WeightDecayRegularizer
from tests.optimizer.library import new_parameter
from tests.optimizer.recorded_cases import OPTIMIZERS, draw
from tests.optimizer.static_cases import SHAPES, STEPS, Names, batch, batch_of, network


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    """Programs, names and a Scope of the test's own."""
    with (
        fluid.program_guard(fluid.Program(), fluid.Program()),
        fluid.unique_name.guard(),
        fluid.scope_guard(fluid.Scope()),
    ):
        yield


def types(start: int = 0) -> list[str]:
    return [op.type for op in fluid.default_main_program().global_block().ops[start:]]


def trained(loss: Any, steps: int = STEPS) -> dict[str, np.ndarray]:
    """The parameters after some steps."""
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    for step in range(steps):
        exe.run(feed=batch_of(fluid.default_main_program(), step), fetch_list=[loss])
    return {name: np.array(fluid.global_scope().find_var(name).get_tensor()) for name in SHAPES}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_static_equals_imperative(name: str) -> None:
    F, loss = Names(fluid), network(fluid, {})
    OPTIMIZERS[name](F, None).minimize(loss)
    found = trained(loss)
    with guard():
        params = {n: new_parameter(n, draw(s, "static", n).astype("float32")) for n, s in SHAPES.items()}
        optimizer = OPTIMIZERS[name](F, list(params.values()))
        for step in range(STEPS):
            fed = {n: to_variable(array) for n, array in batch(step).items()}
            hidden = fluid.layers.tanh(fluid.layers.mul(fed["x"], params["w0"]) + params["b0"])
            out = fluid.layers.mul(hidden, params["w1"]) + params["b1"]
            loss = fluid.layers.mean(fluid.layers.square(out - fed["y"]))
            loss.backward()
            optimizer.minimize(loss)
            optimizer.clear_gradients()
        for n, param in params.items():
            np.testing.assert_allclose(found[n], param.numpy(), rtol=2e-5, atol=2e-6, err_msg=n)


def test_clip_of_some_parameters() -> None:
    loss = network(fluid, {})
    fluid.clip.set_gradient_clip(fluid.clip.GradientClipByValue(0.2), ["w0"])
    fluid.optimizer.SGD(0.1).minimize(loss)
    [clip] = [op for op in fluid.default_main_program().global_block().ops if op.type == "clip"]
    assert clip.input("X") == ["w0@GRAD"]
    assert clip.attr("op_role_var") == ["w0", clip.output("Out")[0]]


def test_an_optimizers_clip_goes_before_that_of_parameters() -> None:
    loss = network(fluid, {})
    fluid.clip.set_gradient_clip(fluid.clip.GradientClipByValue(0.2))
    fluid.optimizer.SGD(0.1, grad_clip=fluid.clip.GradientClipByNorm(0.2)).minimize(loss)
    assert types().count("clip_by_norm") == 4
    assert "clip" not in types()


def test_one_group_has_one_norm() -> None:
    loss = network(fluid, {})
    fluid.clip.set_gradient_clip(fluid.clip.GradientClipByGlobalNorm(0.2), ["w0"])
    fluid.clip.set_gradient_clip(fluid.clip.GradientClipByGlobalNorm(0.3), ["w1"])
    with pytest.raises(ArgumentValueError, match=r"clip_norm got 0.3, needs 0.2, as for the others of 'default_group'"):
        fluid.optimizer.SGD(0.1).minimize(loss)


def test_own_clips_and_regularizers_append_operators() -> None:
    class Half(GradientClipBase):
        def __call__(self, params_grads: Any) -> Any:
            return [(param, fluid.layers.scale(grad, 0.5)) for param, grad in params_grads]

    class Ones(WeightDecayRegularizer):
        def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
            return fluid.layers.fill_constant(list(param.shape), "float32", 1.0)

    loss = network(fluid, {})
    fluid.optimizer.SGD(0.1, grad_clip=Half(), regularization=Ones()).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    before = np.array(fluid.global_scope().find_var("w0").get_tensor())
    [slope] = exe.run(feed=batch_of(fluid.default_main_program(), 0), fetch_list=["w0@GRAD"])
    after = np.array(fluid.global_scope().find_var("w0").get_tensor())
    np.testing.assert_allclose(after, before - 0.1 * (0.5 * slope + 1), rtol=1e-5)


def test_the_learning_rate_of_a_program() -> None:
    loss = network(fluid, {})
    sgd = fluid.optimizer.SGD(0.25)
    assert sgd._global_learning_rate() is None
    sgd.minimize(loss)
    rate = sgd._global_learning_rate()
    assert (rate.name, rate.shape, rate.persistable, rate.stop_gradient) == ("learning_rate_0", (1,), True, True)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    fluid.global_scope().find_var(rate.name).get_tensor().set(np.array([0.5], "float32"), fluid.CPUPlace())
    assert exe.run(feed=batch_of(fluid.default_main_program(), 0), fetch_list=[rate])[0].tolist() == [0.5]


def test_a_schedule_is_the_learning_rate_before_minimize() -> None:
    loss = network(fluid, {})
    schedule = fluid.layers.cosine_decay(0.1, 10, 10)
    sgd = fluid.optimizer.SGD(schedule)
    assert sgd._global_learning_rate() is schedule
    assert sgd._global_learning_rate(fluid.Program()) is None
    sgd.minimize(loss)
    assert sgd._global_learning_rate() is schedule


def test_parameter_list_takes_names() -> None:
    loss = network(fluid, {})
    _, pairs = fluid.optimizer.SGD(0.1, parameter_list=["w1"]).minimize(loss)
    assert [(p.name, g.name) for p, g in pairs] == [("w1", "w1@GRAD")]
    assert types().count("sgd") == 1


def test_what_it_keeps_has_names() -> None:
    loss = network(fluid, {})
    momentum = fluid.optimizer.Momentum(0.1, 0.9, name="fast")
    assert momentum.get_opti_var_name_list() == []
    momentum.minimize(loss)
    assert momentum.get_opti_var_name_list() == [f"{p}_fast_velocity_0" for p in sorted(SHAPES)]


def test_two_minimizations() -> None:
    loss = network(fluid, {})
    other = fluid.layers.scale(loss, 2.0)
    sgd, adam = fluid.optimizer.SGD(0.1), fluid.optimizer.Adam(0.1)
    sgd.minimize(loss)
    sgd.minimize(other)
    assert types().count("sgd") == 8
    adam.minimize(loss)
    with pytest.raises(
        ArgumentValueError, match=r"AdamOptimizer.minimize: parameter got b0, .* Make an optimizer for each loss"
    ):
        adam.minimize(other)


def test_wrong_calls_are_named() -> None:
    loss = network(fluid, {})
    wrong: Any = fluid.layers.mul(fluid.data("z", [None, 2], "float32"), fluid.data("u", [2, 3], "float32"))
    with pytest.raises(ShapeError, match=r"SGDOptimizer.minimize: loss got mul_.* of shape \[-1, 3\].* Take its mean"):
        fluid.optimizer.SGD(0.1).minimize(wrong)
    with pytest.raises(ArgumentTypeError, match=r"SGDOptimizer.minimize: loss got int 3"):
        fluid.optimizer.SGD(0.1).minimize(3)
    with pytest.raises(ArgumentTypeError, match=r"learning_rate got int 1, needs a float or a Variable. Write 1.0"):
        fluid.optimizer.SGD(1)
    with pytest.raises(ArgumentTypeError, match=r"needs a float or a Variable. In a static Program fluid.layers.noam"):
        fluid.optimizer.SGD(fluid.dygraph.NoamDecay(4, 4))
    with pytest.raises(ArgumentTypeError, match=r"MomentumOptimizer: momentum got"):
        fluid.optimizer.Momentum(0.1, loss)
    rate = fluid.layers.exponential_decay(0.1, 3, 0.5)
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        sgd = fluid.optimizer.SGD(rate)
        with pytest.raises(ArgumentTypeError, match=r"learning_rate got .* of another Program"):
            sgd.minimize(network(fluid, {}))


def test_set_gradient_clip_says_what_to_do() -> None:
    with pytest.raises(ArgumentTypeError, match=r"set_gradient_clip: clip got float 0.5, needs a gradient clip"):
        fluid.clip.set_gradient_clip(0.5)
    with guard(), pytest.raises(ModeError, match=r"has no Program. Pass the clip to the optimizer"):
        fluid.clip.set_gradient_clip(fluid.clip.GradientClipByValue(1.0))


def test_wrong_schedules_are_named() -> None:
    with pytest.raises(ArgumentValueError, match="piecewise_decay: values got 1 numbers, needs 2"):
        fluid.layers.piecewise_decay([3], [0.1])


def test_a_warmup_of_a_program_may_fall() -> None:
    rate = fluid.layers.linear_lr_warmup(0.1, 2, 0.5, 0.25)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    assert [float(exe.run(fetch_list=[rate])[0][0]) for _ in range(3)] == [0.5, 0.375, float(np.float32(0.1))]


def test_schedules_of_a_program_share_a_count() -> None:
    rates = [fluid.layers.exponential_decay(1.0, 1, 0.5), fluid.layers.piecewise_decay([1, 2], [1.0, 2.0, 3.0])]
    rates.append(fluid.layers.piecewise_decay([1], [4.0, 5.0]))
    assert types().count("increment") == 1
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    runs = [[float(r[0]) for r in exe.run(fetch_list=rates)] for _ in range(3)]
    assert runs == [[1.0, 1.0, 4.0], [0.5, 2.0, 5.0], [0.25, 3.0, 5.0]]


def test_gradients_of_ones_own() -> None:
    loss = network(fluid, {})
    sgd = fluid.optimizer.SGD(0.5)
    pairs = [(param, fluid.layers.scale(grad, 2.0)) for param, grad in sgd.backward(loss)]
    operators = sgd.apply_gradients([*pairs[:2], (pairs[2][0], None)])
    assert [op.output("ParamOut") for op in operators] == [["b0"], ["w0"]]
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    before = np.array(fluid.global_scope().find_var("w0").get_tensor())
    [slope] = exe.run(feed=batch_of(fluid.default_main_program(), 0), fetch_list=["w0@GRAD"])
    np.testing.assert_allclose(np.array(fluid.global_scope().find_var("w0").get_tensor()), before - slope, rtol=1e-5)


def test_another_default_program() -> None:
    """`minimize` goes to the Program of the loss, and with no startup Program given to the default one."""
    main = fluid.Program()
    with fluid.program_guard(main):
        loss = network(fluid, {})
    fluid.optimizer.Momentum(0.5, 0.9).minimize(loss)
    assert types() == []
    assert [op.type for op in main.global_block().ops].count("momentum") == 4
    assert [op.type for op in fluid.default_startup_program().global_block().ops].count("fill_constant") == 5


# --- StaticStep itself --------------------------------------------------------------------------------------------------


def test_a_step_keeps_the_accumulators_of_each_parameter_and_the_rate_of_each_program() -> None:
    adam = fluid.optimizer.Adam(0.1)
    step = adam._step()
    assert type(step) is StaticStep
    assert step.rate_variable(None) is None
    loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 3], "float32"), 2))
    pairs = step.backward(loss, None, None, None, None)
    updates = step.apply(pairs)
    assert [op.type for op in updates if op.type == "adam"] == ["adam", "adam"]
    weight = next(param for param, _ in pairs if param.shape == (3, 2))
    slots = [a.slot for a in adam.accumulators]
    assert {v.shape for v in step.accumulators[weight]} == {(3, 2), (1,)} and len(step.accumulators[weight]) == len(
        slots
    )
    assert all(v.belong_to_optimizer and v.persistable for v in step.accumulators[weight])
    rate = step.rate_variable(None)
    assert rate is step.rate(fluid.default_main_program()) and rate.shape == (1,)
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        assert step.rate_variable(None) is None and step.rate(fluid.default_main_program()) is not rate
    assert step.rate_variable(None) is rate


def test_a_step_passes_over_parameters_that_are_not_trained_or_have_no_gradient() -> None:
    step = fluid.optimizer.SGD(0.1)._step()
    loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 3], "float32"), 2))
    [(bias, of_bias), (weight, of_weight)] = sorted(
        step.backward(loss, None, None, None, None), key=lambda p: p[0].name
    )
    bias.trainable = False
    updates = step.apply([(weight, of_weight), (bias, of_bias)])
    assert [(op.type, op.input("Param")) for op in updates] == [("sgd", [weight.name])]
    assert step.apply([(weight, None)]) == []


def test_a_hyperparameter_in_a_variable_is_an_input_of_the_operator() -> None:
    adam = fluid.optimizer.Adam(0.1)
    beta = fluid.layers.fill_constant([1], "float32", 0.5)
    assert not StaticStep.take_tensor(adam, "beta1", "beta1", 0.5)
    assert StaticStep.take_tensor(adam, "beta1", "beta1", beta)
    assert adam.tensors == {"Beta1Tensor": beta}
    with pytest.raises(ArgumentTypeError, match=r"SGDOptimizer: rate got .*, needs a number"):
        StaticStep.take_tensor(fluid.optimizer.SGD(0.1), "rate", "rate", beta)


@pytest.mark.parametrize(("rate", "fix"), [(1, r"Write 1\.0\."), ("fast", "noam_decay")])
def test_rates_that_are_none(rate: Any, fix: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"SGD: learning_rate got .*needs a float or a Variable.*{fix}"):
        StaticStep.check_rate("SGD", rate)
    assert StaticStep.parameters("SGD", None) is fluid.optimizer.SGD(0.1)._parameter_list is None
