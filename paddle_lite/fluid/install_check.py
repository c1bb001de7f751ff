"""`fluid.install_check`: a check of the installation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import unique_name
from ..core.missing import missing_names
from ..core.mode import switched
from ..core.place import CPUPlace
from ..imperative.base import guard, to_variable
from ..imperative.layer import Layer
from ..layers.math.arithmetic import mean
from ..layers.math.reduce import reduce_sum
from ..layers.nn.dense import fc
from ..nn.linear import Linear
from ..optimizer.rules import SGD
from ..params.attr import ParamAttr
from ..params.initializer import Constant
from ..static.execution.executor import Executor
from ..static.execution.scope import Scope
from ..static.mode.static_mode import static_mode
from ..static.program.data import data as variable
from ..static.program.program import Program, program_guard

__getattr__ = missing_names(__name__)

__all__ = ["SimpleLayer", "run_check"]


class SimpleLayer(Layer):
    """The sum of what a Linear layer with three outputs and weights of 0.1 makes of its input.

    Arguments:
        input_size: the size of a row of the input.
    """

    def __init__(self, input_size: int) -> None:
        super().__init__()
        self._linear1 = Linear(input_size, 3, param_attr=ParamAttr(initializer=Constant(0.1)))

    def forward(self, inputs: Any) -> Any:
        """Return the sum, of shape [1]."""
        return reduce_sum(self._linear1(inputs))


def run_check() -> None:
    """Train a small layer for one step in both modes, and print that it worked.

    Raises:
        EnforceNotMet: it did not.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.install_check.run_check()
    Running Verify Fluid Program ...
    Your Paddle Fluid is installed successfully! Let's start deep Learning with Paddle Fluid now
    """
    print("Running Verify Fluid Program ...")
    data = np.ones([4, 2], "float32")
    with guard():
        layer = Linear(2, 3)
        before = layer.weight.numpy()
        loss = mean(layer(to_variable(data)))
        loss.backward()
        SGD(learning_rate=0.5, parameter_list=layer.parameters()).minimize(loss)
        _check_step(before, layer.weight.numpy())
    with switched(static_mode, CPUPlace(), None), unique_name.guard():
        _check_program(data)
    print("Your Paddle Fluid is installed successfully! Let's start deep Learning with Paddle Fluid now")


def _check_program(data: np.ndarray) -> None:
    """Train the same step with an Executor."""
    main, startup, scope = Program(), Program(), Scope()
    with program_guard(main, startup):
        loss = mean(fc(variable("x", [None, 2], "float32"), 3, param_attr=ParamAttr(name="weight")))
        SGD(learning_rate=0.5).minimize(loss)
    executor = Executor(CPUPlace())
    executor.run(startup, scope=scope)
    weight = scope.var("weight").get_tensor()
    before = np.array(weight)
    executor.run(main, feed={"x": data}, fetch_list=[loss], scope=scope)
    _check_step(before, np.array(scope.var("weight").get_tensor()))


def _check_step(before: np.ndarray, after: np.ndarray) -> None:
    # each weight's gradient is the mean over 4 rows of ones, spread over 3 outputs
    np.testing.assert_allclose(after, before - 0.5 / 3, rtol=1e-5, atol=1e-6)
