"""Products with one weight at every step of a recurrence: it is laid out once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.kernels.cpu.math import packed_matrix
from paddle_lite.static import default_startup_program, global_scope
from tests.static.plan.running import agree, source

L = fluid.layers
STEPS, WIDTH = 7, 96


def recurrence(rows: int = -1, width: int = WIDTH, steps: int = STEPS) -> tuple[Any, Any]:
    """The last state of h = tanh(h w), and w."""
    start = fluid.initializer.Uniform(-0.1, 0.1, seed=1)
    w = L.create_parameter([width, width], "float32", "w", default_initializer=start)
    h = fluid.data("h", [rows, width])
    for _ in range(steps):
        h = L.tanh(L.mul(h, w))
    return h, w


def feed(rows: int, width: int = WIDTH) -> dict[str, np.ndarray]:
    return {"h": np.random.default_rng(0).standard_normal((rows, width)).astype("float32")}


def check(fetches: list[Any], given: dict[str, np.ndarray], factors: int) -> None:
    assert source(fetches, "factors", list(given)).count("= Factor(") == factors
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    agree(given, fetches, ("factors", "all"), rtol=1e-5, scope=global_scope())


@pytest.mark.parametrize("rows", [0, 1, 20, 300])
def test_forward(rows: int) -> None:
    check([recurrence()[0]], feed(rows), factors=1)


def test_large_enough_for_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(packed_matrix, "is_faster", lambda rows, inner, columns: [True, taken.append(rows)][0])
    monkeypatch.setattr(packed_matrix, "suitable", lambda matrix: True)
    h, w = recurrence()
    check([h, *fluid.gradients(L.reduce_sum(L.square(h)), [w])], feed(20), factors=1)
    assert set(taken) == {20}


def test_training_in_place() -> None:
    loss = L.reduce_mean(L.square(recurrence()[0]))
    fluid.optimizer.SGD(0.5).minimize(loss)
    check([loss], feed(20), factors=1)
    agree([feed(20)] * 4, [loss, "w"], ("factors", "all"), rtol=1e-5, scope=global_scope())


def test_few_products_are_left_alone() -> None:
    check([recurrence(steps=3)[0]], feed(3), factors=0)


def test_small_weights_are_left_alone() -> None:
    check([recurrence(width=16)[0]], feed(3, 16), factors=0)


def test_many_rows_are_left_alone() -> None:
    check([recurrence(rows=1000)[0]], feed(1000), factors=0)
