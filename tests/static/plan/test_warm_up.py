"""The number of runs before a Plan compiles kernels of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import plan_of
from paddle_lite.static.plan import warm_up
from paddle_lite.static.plan.fusion.fused import FusedCall
from paddle_lite.static.plan.plan import Plan
from paddle_lite.static.plan.warm_up import EXPECTED, KERNEL, LONGEST, batch_of
from tests.static.passes import passes

layers = fluid.layers
ESTIMATED = -1


def chain(steps: int = 4) -> Any:
    """Operators whose results are as large as the input, in one kernel."""
    x = y = fluid.data("x", [None, 1024], "float32")
    for _ in range(steps):
        y = layers.scale(layers.elementwise_add(layers.scale(y, 0.5), x), 0.7)
    return y


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The calls of fused kernels."""
    calls: list[Any] = []
    call = FusedCall.__call__
    monkeypatch.setattr(FusedCall, "__call__", lambda self, *arrays: calls.append(self) or call(self, *arrays))
    yield calls


def plan_after(rows: Sequence[int], flag: int, fetch: Any) -> Plan:
    """The Plan after a run over each of these numbers of rows."""
    exe = fluid.Executor(fluid.CPUPlace())
    with passes("all", warm_up=flag):
        for count in rows:
            exe.run(feed={"x": np.ones([count, 1024], "float32")}, fetch_list=[fetch])
        return plan_of(None, ["x"], [fetch])


def test_a_program_that_moves_much_is_fused_at_its_second_run(ran: list[Any]) -> None:
    y = chain(12)
    plan_after([512], ESTIMATED, y)
    assert not ran
    plan_after([512], ESTIMATED, y)
    assert len(ran) == 1


def test_a_small_program_is_not_fused_and_its_fused_kernels_are_not_even_put_together(ran: list[Any]) -> None:
    plan = plan_after([2] * 20, ESTIMATED, chain())
    assert not ran and plan._warm_up.runs == LONGEST
    assert list(plan._written) == [(False, False)]


def test_a_program_in_between_waits_until_its_kernels_would_have_paid(ran: list[Any]) -> None:
    y = chain(6)
    plan = plan_after([256, 256], ESTIMATED, y)
    least = plan._warm_up.runs
    assert least is not None and 5 < least < LONGEST and not plan._warm_up.exact
    plan_after([256] * least, ESTIMATED, y)
    waits = plan._warm_up.runs
    assert waits is not None and least < waits < LONGEST and plan._warm_up.exact
    plan_after([256] * (waits - least - 1), ESTIMATED, y)
    assert not ran
    plan_after([256], ESTIMATED, y)
    assert len(ran) == 1


def test_the_exact_estimate_is_no_less_than_the_limit_it_starts_with() -> None:
    plan = plan_after([256], ESTIMATED, chain())
    counted = plan._warm_up
    assert plan._built is not None and plan._batch == 256
    counted.start(plan._built, plan._batch)
    least = counted.runs
    counted.settle(plan._function(checked=False, fused=True).writer.graph)
    assert least is not None and counted.runs is not None and 0 < least <= counted.runs < LONGEST


def test_the_estimate_depends_on_the_first_run_and_not_on_kernels_that_are_there(ran: list[Any]) -> None:
    found = []
    for later in (256, 2, 256):
        with fluid.program_guard(fluid.Program()):
            y = chain()
            plan = plan_after([256, later], ESTIMATED, y)
            plan._warm_up.settle(plan._function(checked=False, fused=True).writer.graph)
            found.append(plan._warm_up.runs)
        with fluid.program_guard(fluid.Program()):
            plan_after([256] * 2, 0, chain())
    assert len(ran) == 3 and len(set(found)) == 1 and 0 < found[0] < LONGEST


@pytest.mark.parametrize("flag", [0, 2, 300])
def test_a_flag_outweighs_the_estimate(flag: int, ran: list[Any]) -> None:
    y = chain(12)
    plan_after([1] * (1 + flag), flag, y)
    assert not ran
    plan_after([1], flag, y)
    assert len(ran) == 1


def test_blocks_of_loops_count_several_times() -> None:
    count, limit = layers.fill_constant([1], "int64", 0), layers.fill_constant([1], "int64", 3)
    x = fluid.data("x", [None, 1024], "float32")

    def body(i: Any, y: Any) -> list[Any]:
        return [layers.increment(i), layers.scale(layers.tanh(layers.scale(y, 2.0)), 0.5)]

    _, y = layers.while_loop(lambda i, y: layers.less_than(i, limit), body, [count, x])
    plan = plan_after([64], ESTIMATED, y)
    assert plan._built is not None and plan._batch is not None
    rounds = {step.type: times for step, times in warm_up._steps(plan._built)}
    assert rounds["while"] == 1 and rounds["tanh"] == warm_up.ROUNDS


def test_what_saves_nothing_waits_longest() -> None:
    assert warm_up._runs(KERNEL, 0.0) == LONGEST and warm_up._runs(0.0, 0.0) == LONGEST
    assert warm_up._runs(KERNEL, KERNEL) == warm_up._runs(EXPECTED * KERNEL, KERNEL) == 0
    assert warm_up._runs((EXPECTED + 3) * 1.0, 1.0) == 3


def test_one_size_stands_for_all_unknown_dimensions() -> None:
    assert batch_of([]) == 1 and batch_of([((4, 8), (4, 8))]) == 1
    assert batch_of([((-1, 8), (32, 8)), ((4, 8), (4, 8))]) == 32
    assert batch_of([((-1, 1), (16, 1)), ((-1, -1, 8), (16, 25, 8))]) == 20
    assert batch_of([((-1, 8), (0, 8))]) == 1
