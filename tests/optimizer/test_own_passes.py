"""Subclasses of optimizers that replace the pass over all updates, the rate of a parameter, or what is frozen.

The losses and weights are those of 1.8.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.fluid.backward import append_backward
from paddle_lite.fluid.clip import append_gradient_clip_ops, error_clip_callback
from paddle_lite.fluid.regularizer import append_regularization_ops

L, Opt, C = fluid.layers, fluid.optimizer, fluid.initializer.Constant
X = np.arange(8, dtype="float32").reshape(2, 4) / 10


def trained(optimizer: Any) -> tuple[list[float], list[str]]:
    """Return the losses of three steps, and the types of the last operators."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard():
        hidden = L.fc(fluid.data("x", [None, 4]), 3, param_attr=C(0.2), bias_attr=False)
        y = L.fc(hidden, 1, param_attr=fluid.ParamAttr(name="w2", initializer=C(0.3)), bias_attr=C(0.1))
        loss = L.mean(y * y)
        optimizer.minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        losses = [exe.run(feed={"x": X}, fetch_list=[loss])[0].item() for _ in range(3)]
    return losses, [op.type for op in main.global_block().ops]


class Clipping(Opt.AdamOptimizer):
    """An optimizer with the body of 1.8's apply_gradients."""

    def apply_gradients(self, params_grads):
        pairs = sorted(params_grads, key=lambda pair: pair[0].name)
        pairs = append_gradient_clip_ops(pairs) if self._grad_clip is None else self._grad_clip(pairs)
        return self._create_optimization_pass(append_regularization_ops(pairs, self.regularization))


class Own(Opt.Optimizer):
    """An optimizer with a backward and an update of its own."""

    type = "sgd"

    def backward(self, loss, startup_program=None, parameter_list=None, no_grad_set=None, callbacks=None):
        stopped = self._get_no_grad_set(loss, no_grad_set)
        with fluid.program_guard(loss.block.program, startup_program):
            pairs = append_backward(loss, parameter_list, stopped, [error_clip_callback])
            self._append_dgc_ops(pairs)
        return pairs

    def _append_optimize_op(self, block, param_and_grad):
        param, grad = param_and_grad
        inputs = {"Param": param, "Grad": grad, "LearningRate": self._create_param_lr(param_and_grad)}
        return block.append_op(type="sgd", inputs=inputs, outputs={"ParamOut": param}, stop_gradient=True)


class HalfRate(Opt.Momentum):
    def _create_param_lr(self, param_and_grad):
        return super()._create_param_lr(param_and_grad) * 0.5


class Frozen(Opt.SGD):
    def _get_no_grad_set(self, loss, no_grad_set=None):
        return super()._get_no_grad_set(loss, no_grad_set) | {"w2"}


CASES = {
    "clipping": (
        lambda: Clipping(0.1, regularization=fluid.regularizer.L2Decay(0.01), grad_clip=fluid.clip.GradientClipByGlobalNorm(0.5)),
        [0.14464, 0.00936, 0.00702],
        ["adam"] * 3,
    ),
    "own": (lambda: Own(0.1), [0.14464, 0.07832, 0.0451], ["sgd"] * 3),
    "rate": (lambda: HalfRate(0.1, 0.9), [0.14464, 0.1086, 0.05928], ["scale", "momentum"] * 3),
    "frozen": (lambda: Frozen(0.1), [0.14464, 0.09133, 0.05966], ["mul_grad", "sgd", "sgd"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_programs_train_as_on_1_8_5(name):
    make, losses, last = CASES[name]
    found, types = trained(make())
    np.testing.assert_allclose(found, losses, atol=6e-6)
    assert types[-len(last) :] == last


def test_an_overridden_pass_sees_the_pairs_and_returns_the_operators():
    seen: list[Any] = []

    class Seeing(Opt.Momentum):
        def _create_optimization_pass(self, parameters_and_grads):
            made = super()._create_optimization_pass(parameters_and_grads)
            seen.append(([param.name for param, _ in parameters_and_grads], [op.type for op in made]))
            return made

    assert trained(Seeing(0.1, 0.9))[0] == trained(Opt.Momentum(0.1, 0.9))[0]
    assert seen == [(["fc_0.w_0", "fc_1.b_0", "w2"], ["momentum"] * 3)]


def imperative(optimizer: Any, steps: int) -> list[float]:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 1, param_attr=C(0.3))
        made = optimizer(layer.parameters())
        for _ in range(steps):
            loss = L.mean(layer(fluid.dygraph.to_variable(X[:1, :2])))
            loss.backward()
            made.minimize(loss)
            layer.clear_gradients()
        return [*layer.weight.numpy().ravel().tolist(), float(made.current_step_lr())]


def test_the_rate_of_a_parameter_in_imperative_mode():
    decay = fluid.dygraph.PiecewiseDecay([1], [0.1, 0.01], 0)
    more = {"regularization": fluid.regularizer.L2Decay(0.1), "grad_clip": fluid.clip.GradientClipByGlobalNorm(0.05)}
    weights = imperative(lambda parameters: HalfRate(decay, 0.9, parameter_list=parameters, **more), 3)
    np.testing.assert_allclose(weights, [0.29781, 0.29745, 0.01], atol=6e-6)


def test_a_pass_that_is_called_in_imperative_mode_moves_the_schedule_on():
    class Direct(Opt.SGD):
        def apply_optimize(self, loss, startup_program, params_grads):
            return self._create_optimization_pass([(param, grad * 2.0) for param, grad in params_grads])

    decay = fluid.dygraph.PiecewiseDecay([1], [0.1, 0.01], 0)
    weights = imperative(lambda parameters: Direct(decay, parameter_list=parameters), 2)
    np.testing.assert_allclose(weights, [0.3, 0.3 - 0.1 * 2 * (0.1 + 0.01), 0.01], rtol=1e-5)


def test_frozen_parameters_stop_gradients():
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        y = L.fc(fluid.data("x", [None, 4]), 1, param_attr=fluid.ParamAttr(name="w", trainable=False))
        assert Opt.SGD(0.1)._get_no_grad_set(L.mean(y), {"x"}) == {"w", "x"}
