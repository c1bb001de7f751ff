"""Kernels that write into what they read: only where nobody can tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from paddle_lite.static.plan.fusion import fused
from tests.static.passes import passes

L = fluid.layers
X = np.random.RandomState(0).randn(5, 4).astype("float32")
W = np.random.RandomState(1).randn(4, 6).astype("float32")


@pytest.fixture
def product() -> Any:
    x, w = fluid.data("x", [None, 4], "float32"), fluid.data("w", [4, 6], "float32")
    x.stop_gradient = w.stop_gradient = False
    return L.mul(x, w)


def ran(fetch: list, rounds: int = 3) -> tuple[list[np.ndarray], list[fused.FusedCall]]:
    """What is fetched in the last of some runs, the same in all, and the fused calls of the Plan."""
    exe, main = fluid.Executor(fluid.CPUPlace()), default_main_program()
    with passes("none"):
        plain = exe.run(main, feed={"x": X, "w": W}, fetch_list=fetch)
    main._plans.clear()
    with passes():
        for _ in range(rounds):
            found = exe.run(main, feed={"x": X, "w": W}, fetch_list=fetch)
            for a, b in zip(plain, found, strict=True):
                np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-6)
    [plan] = main._plans.values()
    plan.source  # noqa: B018 - it is written then
    return found, [
        v for v in plan._function(checked=False, fused=True).writer.scope.values() if isinstance(v, fused.FusedCall)
    ]


def test_a_product_is_written_over(product):
    y = L.relu(L.scale(product, 2.0, bias=1.0))
    _, [call] = ran([L.mul(y, L.transpose(y, [1, 0]))])
    assert call.into == {0: 0}


def test_what_is_fetched_is_an_array_of_its_own(product):
    _, [call] = ran([L.relu(L.scale(product, 2.0, bias=1.0))])
    assert call.into == {}


def test_what_is_fetched_stays(product):
    y = L.relu(L.scale(product, 2.0, bias=1.0))
    (found, _), _ = ran([product, L.mul(y, L.transpose(y, [1, 0]))])
    np.testing.assert_allclose(found, X @ W, rtol=1e-5)


def test_what_a_gradient_reads_stays(product):
    y = L.square(L.scale(product, 2.0))
    [gradient] = fluid.gradients(L.reduce_sum(L.mul(y, L.transpose(y, [1, 0]))), product)
    (_, found), _ = ran([y, gradient])
    p = X @ W
    at = np.ones([5, 5], "float32")
    np.testing.assert_allclose(found, ((at + at.T) @ (4 * p**2)) * 8 * p, rtol=1e-4)


class Readied(fused.FusedCall):
    """What a call would write into."""

    def __init__(self) -> None:
        self.count, self.uneven, self.into = 1, (), {0: 0}

    def __call__(self, *arrays: Any) -> Any:
        return self._made_ready(arrays)[0]


def test_an_array_that_somebody_holds_is_copied():
    f1 = Readied()

    def plan(values: list) -> Any:
        v1 = values.pop()
        return f1(v1)

    alone, held = [np.ones(3)], np.ones(3)
    before = id(alone[0])
    assert id(plan(alone)) == before
    given = plan([held])
    assert given is not held
    np.testing.assert_array_equal(given, held)


def test_a_view_is_copied_unless_it_is_all_that_there_is():
    f1 = Readied()

    def plan(values: list) -> Any:
        v1 = values.pop()
        return f1(v1)

    part = [np.ones(4)[1:]]
    before = id(part[0])
    assert id(plan(part)) != before
    whole = [np.ones(4).reshape(2, 2)]
    before = id(whole[0])
    assert id(plan(whole)) == before
    base = np.ones(4)
    given = plan([base.reshape(2, 2)])
    assert not np.shares_memory(given, base)


def test_an_unknown_size_is_that_of_the_result():
    x, bias = fluid.data("x", [5, 4], "float32"), fluid.data("bias", [None], "float32")
    left, right = L.split(L.elementwise_add(x, bias), 2, dim=1)
    y = L.elementwise_mul(L.tanh(left), L.sigmoid(right))
    exe, feed = fluid.Executor(fluid.CPUPlace()), {"x": X, "bias": np.arange(4, dtype="float32")}
    with passes():
        for _ in range(3):
            [found] = exe.run(feed=feed, fetch_list=[y])
    whole = X + feed["bias"]
    np.testing.assert_allclose(found, np.tanh(whole[:, :2]) / (1 + np.exp(-whole[:, 2:])), rtol=1e-5)
    [plan] = default_main_program()._plans.values()
    [call] = [v for v in plan._function(False, True).writer.scope.values() if isinstance(v, fused.FusedCall)]
    assert all(call.known.values())  # it never went operator by operator
