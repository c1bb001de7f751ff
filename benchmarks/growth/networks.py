"""Networks with many examples, steps, layers and words."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid import layers

from .subject import Phases, subject


@subject("examples", (1, 4, 16, 64, 256, 1024))
def batch(size: int, phases: Phases) -> None:
    """an MLP with 256 units, by batch"""

    def network() -> Any:
        x = fluid.data("x", [None, 256])
        return layers.mean(layers.fc(layers.fc(x, 256, act="relu"), 10, act="softmax"))

    _step(network, {"x": np.ones((size, 256), "float32")}, phases)


@subject("steps", (8, 32, 128, 512, 2048, 4096))
def lstm(size: int, phases: Phases) -> None:
    """an LSTM with 32 units, by sequence"""

    def network() -> Any:
        x = fluid.data("x", [None, 128], lod_level=1)
        return layers.mean(layers.dynamic_lstm(x, 128, use_peepholes=False)[0])

    values = np.full((size, 128), 0.1, "float32")
    _step(network, {"x": fluid.create_lod_tensor(values, [[size]], fluid.CPUPlace())}, phases)


@subject("steps", (8, 32, 128, 512, 2048), step=2)
def attention(size: int, phases: Phases) -> None:
    """attention with 64 units, by sequence"""

    def network() -> Any:
        x = fluid.data("x", [1, None, 64])
        q, k, v = (layers.fc(x, 64, num_flatten_dims=2) for _ in range(3))
        return layers.mean(layers.matmul(layers.softmax(layers.matmul(q, k, transpose_y=True, alpha=0.125)), v))

    _step(network, {"x": np.full((1, size, 64), 0.1, "float32")}, phases)


@subject("layers", (1, 3, 10, 30, 100, 200))
def depth(size: int, phases: Phases) -> None:
    """an MLP with 64 units, by layers"""

    def network() -> Any:
        y = fluid.data("x", [None, 64])
        for _ in range(size):
            y = layers.layer_norm(layers.fc(y, 64, act="relu"))
        return layers.mean(y)

    _step(network, {"x": np.ones((16, 64), "float32")}, phases)


@subject("words", (1000, 10_000, 100_000, 1_000_000, 10_000_000), step=0)
def sparse_words(size: int, phases: Phases) -> None:
    """a table of 8 columns with sparse gradients, by words"""
    _table(size, phases, sparse=True)


@subject("words", (1000, 10_000, 100_000, 1_000_000))
def dense_words(size: int, phases: Phases) -> None:
    """a table of 8 columns with dense gradients, by words"""
    _table(size, phases, sparse=False)


def _table(size: int, phases: Phases, sparse: bool) -> None:
    def network() -> Any:
        rows = layers.embedding(fluid.data("x", [None, 1], "int64"), [size, 8], is_sparse=sparse)
        return layers.mean(layers.fc(rows, 8))

    _step(network, {"x": np.arange(0, size, size // 500)[:500, None]}, phases)


def _step(network: Any, feed: dict[str, Any], phases: Phases) -> None:
    """Time the median of 5 steps behind those that compile."""
    main, startup = fluid.Program(), fluid.Program()
    executor = fluid.Executor(fluid.CPUPlace())
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        loss = network()
        fluid.optimizer.SGD(0.01).minimize(loss)
        executor.run(startup)
        for _ in range(4):
            executor.run(main, feed=feed, fetch_list=[loss])
        found = []
        for _ in range(5):
            one = Phases()
            one.time("step", lambda: executor.run(main, feed=feed, fetch_list=[loss]))
            found.append(one.seconds["step"])
        phases.seconds["step"] = sorted(found)[2]
