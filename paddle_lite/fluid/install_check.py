"""`fluid.install_check`: does it work here?"""

from __future__ import annotations

import numpy as np

from ..core.missing import missing_names
from ..imperative import guard, to_variable
from ..layers.math import mean
from ..nn import Linear
from ..optimizer import SGD

__getattr__ = missing_names(__name__)

__all__ = ["run_check"]


def run_check() -> None:
    """Train a small layer for one step, and say that it worked.

    Raises:
        EnforceNotMet: it did not.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.install_check.run_check()
    Running Verify Fluid Program ...
    Your Paddle Fluid is installed successfully! Let's start deep Learning with Paddle Fluid now
    """
    print("Running Verify Fluid Program ...")
    with guard():
        layer = Linear(2, 3)
        before = layer.weight.numpy()
        loss = mean(layer(to_variable(np.ones([4, 2], "float32"))))
        loss.backward()
        SGD(learning_rate=0.5, parameter_list=layer.parameters()).minimize(loss)
        # each weight's gradient is the mean over 4 rows of ones, spread over 3 outputs
        np.testing.assert_allclose(layer.weight.numpy(), before - 0.5 / 3, rtol=1e-5, atol=1e-6)
    print("Your Paddle Fluid is installed successfully! Let's start deep Learning with Paddle Fluid now")
