"""Functions that run in several threads at the same time, and models to train in them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import paddle_lite.fluid as fluid

LIMIT = 120  # seconds after which a wait is an error; nothing comes near it


def together(functions: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run each function in a thread of its own, all begun at once; return their results, raise their first error."""
    start = threading.Barrier(len(functions))
    results: list[Any] = [None] * len(functions)
    errors: list[BaseException] = []

    def run(place: int) -> None:
        try:
            start.wait(LIMIT)
            results[place] = functions[place]()
        except BaseException as error:
            errors.append(error)
            start.abort()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]
    return results


def batches(number: int, steps: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The batches of a model, of a size of its own."""
    random = np.random.RandomState(number)
    return [
        (random.rand(4 + number % 3, 6).astype("float32"), random.randint(0, 3, (4 + number % 3, 1)).astype("int64"))
        for _ in range(steps)
    ]


class Net(fluid.dygraph.Layer):
    """Two layers with dropout by a function between them, which follows train() and eval()."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = fluid.dygraph.Linear(6, width, act="tanh")
        self.second = fluid.dygraph.Linear(width, 3)

    def forward(self, x: Any) -> Any:
        """Return the scores of the classes."""
        return self.second(fluid.layers.dropout(self.first(x), 0.3, seed=5))


class DeclaredNet(Net):
    """The same as a Program."""

    forward = fluid.dygraph.declarative(Net.forward)


def train_imperative(number: int, steps: int = 6, kind: type[Net] = Net) -> list[bytes]:
    """Train a model in imperative mode, and evaluate it without gradients between the steps; return every bit of it."""
    with fluid.dygraph.guard():
        fluid.default_main_program().random_seed = number + 1
        net = kind(5 + number)
        adam = fluid.optimizer.Adam(0.01, parameter_list=net.parameters())
        seen = [parameter.name.encode() for parameter in net.parameters()]
        for x, y in batches(number, steps):
            x, y = fluid.dygraph.to_variable(x), fluid.dygraph.to_variable(y)
            loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(net(x), y))
            loss.backward()
            seen += [loss.numpy().tobytes(), *(p.gradient().tobytes() for p in net.parameters())]
            adam.minimize(loss)
            net.clear_gradients()
            net.eval()
            seen.append(net(x).numpy().tobytes())
            net.train()
            with fluid.dygraph.no_grad():
                assert net(x).stop_gradient
        return [*seen, *(p.numpy().tobytes() for p in net.parameters())]


def train_declared(number: int, steps: int = 6) -> list[bytes]:
    """Train a model whose forward pass is a declared function."""
    return train_imperative(number, steps, DeclaredNet)


def train_static(number: int, steps: int = 6) -> list[bytes]:
    """Train a model as a Program in a scope of its own."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = number + 1
    with fluid.unique_name.guard(), fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
        x, y = fluid.data("x", [None, 6], "float32"), fluid.data("y", [None, 1], "int64")
        with fluid.name_scope(f"model{number}"):
            hidden = fluid.layers.dropout(fluid.layers.fc(x, 5 + number, act="relu"), 0.3, seed=5)
            scores = fluid.layers.fc(hidden, 3)
        loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(scores, y))
        test = main.clone(for_test=True)
        fluid.optimizer.Momentum(0.05, 0.9).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        assert main.lint() == startup.lint() == test.lint() == []
        seen = [loss.name.encode(), *(p.name.encode() for p in main.all_parameters())]
        for a, b in batches(number, steps):
            seen += [found.tobytes() for found in exe.run(feed={"x": a, "y": b}, fetch_list=[loss])]
            seen += [found.tobytes() for found in exe.run(test, feed={"x": a, "y": b}, fetch_list=[scores])]
        return [
            *seen,
            *(np.array(fluid.global_scope().find_var(p.name).get_tensor()).tobytes() for p in main.all_parameters()),
        ]


def mixed(number: int) -> list[bytes]:
    """Train a model of the kind that belongs to a number."""
    return (train_imperative, train_static, train_declared)[number % 3](number)
