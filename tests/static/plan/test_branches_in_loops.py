"""Loops with branches run as one kernel, in which both branches are computed, with the results of the same loops round by round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import declarative, to_variable
from tests.static.passes import passes
from tests.static.plan.running import agree
from tests.static.plan.test_fixed_loops import counted, fc, feeds, inputs, noted, noted_runs, scoped, slopes

L = fluid.layers
WAYS = ("all", "loops")


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """All shapes get kernels at once."""
    monkeypatch.setattr("paddle_lite.static.plan.loops.fixed.call.AFTER", 0)


def number(value: float) -> Any:
    return L.fill_constant([1], "float32", value)


def small(h: Any) -> Any:
    """Whether the mean of some numbers is below a tenth."""
    return L.less_than(L.reduce_mean(h), number(0.1))


def check(fetches: list[Any], gradients: bool = True, rounds: tuple[int, ...] = (3, 1, 6)) -> None:
    """Each run after the first goes through kernels, with the results and gradients of the loop round by round."""
    given = feeds(rounds)
    with noted_runs() as ran:
        agree(given, fetches, WAYS, scope=scoped(), rtol=2e-5)
    runs = (2 * len(given) - 1) * len(WAYS)
    assert ran.count(False) >= runs and (not gradients or ran.count(True) >= runs)


def chosen(h: Any, x: Any) -> list[Any]:
    return [L.cond(small(h), lambda: L.exp(h * 0.3) + x, lambda: L.tanh(h) - 0.5)]


def with_weights(h: Any, x: Any) -> list[Any]:
    return [L.cond(small(h), lambda: fc(h, 4, "yes", act="tanh"), lambda: L.softmax(fc(h, 4, "no")) - x)]


def several_results(h: Any, x: Any) -> list[Any]:
    one, two = L.cond(small(h), lambda: (h + 1.0, L.sigmoid(h)), lambda: (L.sigmoid(h), x))
    return [one * two - h]


def one_in_the_other(h: Any, x: Any) -> list[Any]:
    deep = lambda: L.cond(small(h * h), lambda: h + x, lambda: L.sin(h) * x)  # noqa: E731
    return [L.cond(small(h), lambda: L.tanh(deep()) * 2.0, lambda: h * 0.5 - 1.0)]


def one_after_the_other(h: Any, x: Any) -> list[Any]:
    first = L.cond(small(h), lambda: h + x, lambda: h - x)
    return [L.tanh(L.cond(small(first), lambda: first * 1.5, lambda: L.exp(first * -0.1)))]


def three_cases(h: Any, x: Any) -> list[Any]:
    which = L.cast(small(h), "int32") + L.cast(small(h * h), "int32")
    return [L.switch_case(which, {0: lambda: h * 0.3 - 1.0, 1: lambda: h + x}, lambda: L.tanh(h) + 1.0)]


def the_same_in_all_rounds(h: Any, x: Any) -> list[Any]:
    """The condition, and what the branches compute of x, too."""
    return [L.tanh(h) * 0.5 + L.cond(small(x), lambda: fc(x, 4, "yes"), lambda: L.exp(x) + fc(x, 4, "no", act="tanh"))]


BODIES = [
    the_same_in_all_rounds,
    chosen,
    with_weights,
    several_results,
    one_in_the_other,
    one_after_the_other,
    three_cases,
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_results_and_gradients(body: Any) -> None:
    x, n = inputs()
    check(slopes(counted(lambda h: body(h, x), [x * 0.5], n), [x]))


@pytest.mark.parametrize("body", [with_weights, one_in_the_other], ids=lambda body: body.__name__)
def test_in_machine_code(body: Any, compiled: None) -> None:
    x, n = inputs()
    check(slopes(counted(lambda h: body(h, x), [x * 0.5], n), [x]))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_without_a_gradient(body: Any) -> None:
    x, n = inputs()
    check(counted(lambda h: body(h, x), [x * 0.5], n), gradients=False)


def test_what_is_computed_in_vain_spoils_nothing() -> None:
    """A logarithm of negative numbers in the branch that does not run, whose gradient is no number, either."""
    x, n = inputs()
    body = lambda h: [L.cond(small(h), lambda: h + 0.2, lambda: L.log(L.reduce_mean(h)) + h * 0.1)]  # noqa: E731
    check(slopes(counted(body, [x - 3.0], n), [x]))


def test_a_branch_writes_a_state() -> None:
    """In a While of the older form; the state stays as it is in rounds whose condition is false."""
    x, n = inputs()
    h, i = L.assign(x), L.fill_constant([1], "int64", 0)
    going = L.less_than(i, n)
    loop = L.While(going)
    with loop.block():
        step = L.tanh(h) + 0.3
        switch = L.Switch()
        with switch:
            with switch.case(small(h)):
                L.assign(step, h)
            with switch.default():
                L.assign(h * 0.5 - 1.0, h)
        L.increment(i)
        L.less_than(i, n, cond=going)
    check([h], gradients=False)


def test_a_declared_function() -> None:
    def looped(x: Any, n: Any) -> Any:
        h, i = x * 0.5, L.fill_constant([1], "int64", 0)
        while i < n:
            h = L.tanh(h) + x if L.reduce_mean(h) < 0.1 else h - 0.7
            i = i + 1
        return L.reduce_sum(h * h)

    def trained(function: Any) -> list[Any]:
        found = []
        with fluid.dygraph.guard():
            for feed in feeds((3, 1, 6, 3)):
                x, n = to_variable(feed["x"]), to_variable(feed["n"])
                x.stop_gradient = False
                loss = function(x, n)
                loss.backward()
                found += [loss.numpy(), x.gradient()]
        return found

    expected = trained(looped)
    with passes("all", 0), noted_runs() as ran:
        got = trained(declarative(looped))
    assert ran.count(True) >= 3
    for each, right in zip(got, expected, strict=True):
        np.testing.assert_allclose(each, right, rtol=2e-4, atol=2e-5)


# --- round by round ---------------------------------------------------------------------------------------------------


def read_elsewhere(h: Any, x: Any) -> Any:
    """What a branch may leave without a value, read by something else than what chooses."""
    block = fluid.default_main_program().current_block()
    made = block.create_var(name="made", dtype="float32", shape=[-1, 4])
    with L.control_flow.ConditionalBlock([small(h)], is_scalar_condition=True).block():
        L.assign(h + x, made)
    return made * 1.0


def prints(h: Any, x: Any) -> Any:
    return L.cond(small(h), lambda: L.Print(h) + 1.0, lambda: h)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (read_elsewhere, "scale reads what a branch may leave without a value"),
        (prints, "print draws random numbers, or has other effects"),
        (
            lambda h, x: L.cond(small(h), lambda: L.dropout(h, 0.5), lambda: h),
            "dropout draws random numbers in a branch",
        ),
        (lambda h, x: L.cond(small(h), lambda: L.argsort(h)[0], lambda: h), "argsort has no form in one kernel"),
    ],
)
def test_the_listing_says_why_a_loop_runs_round_by_round(body: Any, reason: str) -> None:
    x, n = inputs()
    said = noted(counted(lambda h: [body(h, x)], [x], n))
    assert "runs block" in said[0] and "round by round: " in said[0] and reason in said[0]
