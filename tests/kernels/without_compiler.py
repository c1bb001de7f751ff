"""Trains the tutorials' MNIST network, in both modes, and networks of other layers, where packages are not installed.

`python -m tests.kernels.without_compiler numba llvmlite` prints the losses as JSON. Without llvmlite, nothing may ask for
the compiled form of a kernel, whose Python source would run instead, far more slowly than NumPy.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import numpy as np

import paddle_lite as paddle
from paddle_lite import fluid
from paddle_lite.kernels import numba_jit

STEPS = 6


class Absent:
    """A finder on sys.meta_path that makes packages look as if they were not installed."""

    def __init__(self, packages: list[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] in self.packages:
            raise ImportError(f"{name} is not installed", name=name)


def never(self: Any) -> Any:
    raise AssertionError(f"{self} was called")


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Images in which the place of a square tells the class."""
    rng = np.random.RandomState(0)
    label = rng.randint(0, 10, (32, 1)).astype("int64")
    image = rng.rand(32, 1, 28, 28).astype("float32") / 2
    for k, [number] in enumerate(label):
        image[k, 0, 2 * number : 2 * number + 6, 2 * number : 2 * number + 6] = 1
    return image, label


class Network(fluid.dygraph.Layer):
    """The tutorials' MNIST network, with dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.first = fluid.dygraph.Conv2D(1, 20, 5, act="relu")
        self.second = fluid.dygraph.Conv2D(20, 50, 5, act="relu")
        self.pool = fluid.dygraph.Pool2D(2, "max", 2)
        self.last = fluid.dygraph.Linear(800, 10, act="softmax")

    def forward(self, image: Any) -> Any:
        y = self.pool(self.second(self.pool(self.first(image))))
        return self.last(fluid.layers.dropout(fluid.layers.reshape(y, [-1, 800]), 0.2))


def eager() -> list[float]:
    image, label = digits()
    losses = []
    with fluid.dygraph.guard():
        paddle.manual_seed(3)
        network = Network()
        clip = fluid.clip.GradientClipByGlobalNorm(5.0)
        adam = fluid.optimizer.Adam(1e-3, parameter_list=network.parameters(), grad_clip=clip)
        for _ in range(STEPS):
            scores = network(paddle.imperative.to_variable(image))
            loss = fluid.layers.mean(fluid.layers.cross_entropy(scores, paddle.imperative.to_variable(label)))
            loss.backward()
            adam.minimize(loss)
            network.clear_gradients()
            losses.append(float(loss))
    paddle.manual_seed(0)
    return losses


def convolutions(image: Any) -> Any:
    y = fluid.nets.simple_img_conv_pool(image, 20, 5, 2, 2, act="relu")
    return fluid.nets.simple_img_conv_pool(y, 50, 5, 2, 2, act="relu")


def normed(image: Any) -> Any:
    y = fluid.layers.conv2d(image, 8, 3, stride=2, padding=1, bias_attr=False)
    y = fluid.layers.batch_norm(fluid.layers.conv2d(y, 16, 3, groups=8), act="relu")
    y = fluid.layers.conv2d_transpose(y, 4, filter_size=2, stride=2)
    return fluid.layers.layer_norm(fluid.layers.pool2d(y, 3, "avg", 2))


def rows(image: Any) -> Any:
    steps = fluid.layers.transpose(fluid.layers.reshape(image, [-1, 28, 28]), [1, 0, 2])
    words = fluid.layers.cast(fluid.layers.reshape(image, [-1, 784]) * 9.0, "int64")
    table = fluid.embedding(words, [10, 4], is_sparse=True)
    cell = fluid.layers.LSTMCell(16)
    _, [hidden, _] = fluid.layers.rnn(cell, steps, time_major=True)
    return fluid.layers.concat([hidden, fluid.layers.reduce_mean(table, 1)], 1)


def static(body: Any, rate: float) -> list[float]:
    image, label = digits()
    program, startup = fluid.Program(), fluid.Program()
    program.random_seed = startup.random_seed = 3
    with fluid.program_guard(program, startup), fluid.unique_name.guard():
        x, y = fluid.data("image", [None, 1, 28, 28]), fluid.data("label", [None, 1], "int64")
        loss = fluid.layers.mean(fluid.layers.cross_entropy(fluid.layers.fc(body(x), 10, act="softmax"), y))
        fluid.optimizer.Adam(rate).minimize(loss)
    executor = fluid.Executor()
    with fluid.scope_guard(fluid.Scope()):
        executor.run(startup)
        fed = {"image": image, "label": label}
        return [float(executor.run(program, fed, [loss])[0][0]) for _ in range(STEPS)]


def losses() -> dict[str, list[float]]:
    """The loss of each step of each network."""
    bodies = ((convolutions, 1e-3), (normed, 1e-2), (rows, 1e-2))
    return {"eager": eager(), **{body.__name__: static(body, rate) for body, rate in bodies}}


def main(absent: list[str]) -> None:
    sys.meta_path.insert(0, Absent(absent))
    if "llvmlite" in absent:
        numba_jit.Jitted.compiled = never
    fluid.set_flags({"FLAGS_plan_warm_up": 2})  # runs until Plans would call fused kernels
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = losses()
    loaded = [name for name in absent if name in sys.modules]
    print(json.dumps({"losses": found, "warnings": [str(each.message) for each in said], "loaded": loaded}))


if __name__ == "__main__":
    main(sys.argv[1:])
