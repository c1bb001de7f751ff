"""Plans for exact sizes: recurrences with inputs of unknown sizes run as chains for the shapes that occur often."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.jit import ProgramTranslator, declarative
from paddle_lite.static import default_main_program, default_startup_program, plan_of
from paddle_lite.static.plan.chains.call import ChainCall
from paddle_lite.static.plan.exact import AFTER, MOST
from tests.static.passes import passes

L = fluid.layers
ROUNDS, STATE = 6, 4


def feed(rows: int) -> dict[str, np.ndarray]:
    return {"h": np.random.default_rng(rows).standard_normal((rows, STATE)).astype("float32")}


def recurrence() -> list[Any]:
    """A loss, and gradients of the weight and the first state."""
    h = fluid.data("h", [None, STATE])
    h.stop_gradient = False
    w = L.create_parameter(
        [STATE, STATE], "float32", "w", default_initializer=fluid.initializer.Uniform(-0.5, 0.5, seed=1)
    )
    state = h
    for _ in range(ROUNDS):
        state = L.scale(L.tanh(L.matmul(state, w)), 0.9)
    loss = L.reduce_mean(L.square(state))
    return [loss, *fluid.gradients(loss, [w, h])]


def chains(plan: Any) -> int:
    return sum(isinstance(each, ChainCall) for each in plan._function(False, True).writer.scope.values())


@pytest.fixture
def eager_kernels() -> Any:
    with passes("all", 0):
        yield


def test_shapes_that_occur_often_get_a_plan(eager_kernels: None) -> None:
    fetches, executor = recurrence(), fluid.Executor(fluid.CPUPlace())
    executor.run(default_startup_program())
    plan = plan_of(default_main_program(), feed(2), fetches)
    assert plan._exact is not None and chains(plan) == 0
    first = {rows: executor.run(feed=feed(rows), fetch_list=fetches) for rows in (2, 3)}
    for rows in (2, 3):
        for _ in range(AFTER + 3):
            for got, want in zip(executor.run(feed=feed(rows), fetch_list=fetches), first[rows], strict=True):
                np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-7)
    made = list(plan._exact._plans.values())
    assert [chains(each) for each in made if each is not None] == [2, 2] and len(made) == 2
    assert executor.run(feed=feed(5), fetch_list=fetches)[2].shape == (5, STATE)


def test_few_shapes_get_plans(eager_kernels: None) -> None:
    fetches, executor = recurrence(), fluid.Executor(fluid.CPUPlace())
    executor.run(default_startup_program())
    for rows in range(1, MOST + 3):
        for _ in range(AFTER + 3):
            executor.run(feed=feed(rows), fetch_list=fetches)
    assert len(plan_of(default_main_program(), feed(2), fetches)._exact._plans) == MOST  # type: ignore[union-attr]


def test_others_have_none() -> None:
    x = fluid.data("h", [None, STATE])
    plan = plan_of(default_main_program(), ["h"], [L.softmax(L.fc(x, 3))])
    assert plan._exact is None


def test_a_declared_function(eager_kernels: None) -> None:
    """Its inputs have an unknown first size, parameters that are arguments, too."""

    @declarative
    def loss_of(w: Any, h: Any) -> Any:
        for _ in range(ROUNDS):
            h = L.scale(L.tanh(L.matmul(h, w)), 0.9)
        return L.reduce_mean(L.square(h))

    with fluid.dygraph.guard(fluid.CPUPlace()):
        w = fluid.dygraph.to_variable(np.linspace(-0.5, 0.5, STATE * STATE).reshape(STATE, STATE).astype("float32"))
        h = fluid.dygraph.to_variable(feed(2)["h"])
        w.stop_gradient = h.stop_gradient = False
        seen = []
        for _ in range(AFTER + 4):
            loss_of(w, h).backward()
            seen.append((w.gradient(), h.gradient()))
            w.clear_gradient()
            h.clear_gradient()
        for got, want in zip(seen[-1], seen[0], strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-7)
        concrete = ProgramTranslator().get_program_cache().newest()
        assert concrete is not None
        [bound] = concrete._plans.values()
        assert [chains(plan) for plan in bound.plan._exact._plans.values()] == [2]  # type: ignore
