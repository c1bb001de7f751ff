"""A small net with an optimizer's state, and what a Scope holds of it."""

from __future__ import annotations

import numpy as np

import paddle_lite.fluid as fluid


class Net:
    """A small net in a Scope of its own, trained for a step."""

    def __init__(self) -> None:
        self.main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(self.main, startup), fluid.unique_name.guard():
            x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
            self.out = fluid.layers.fc(x, 1, param_attr="w", bias_attr="b")
            self.loss = fluid.layers.mean(fluid.layers.square_error_cost(self.out, y))
            fluid.optimizer.Momentum(0.1, 0.9).minimize(self.loss)
        self.exe = fluid.Executor(fluid.CPUPlace())
        self.exe.run(startup)
        self.feed = {"x": np.ones((2, 4), "float32"), "y": np.zeros((2, 1), "float32")}
        self.step()

    def step(self) -> float:
        return float(self.exe.run(self.main, feed=self.feed, fetch_list=[self.loss])[0][0])


ALL = ["b", "b_velocity_0", "learning_rate_0", "w", "w_velocity_0"]


def value(name: str) -> np.ndarray:
    return np.array(fluid.global_scope().find_var(name).get_tensor())


def state() -> dict[str, list]:
    return {name: value(name).tolist() for name in ALL}
