"""What imperative mode expects of gradients: terms that cancel have bounds, branches that are not taken give zeros."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.static import Program, program_guard
from tests.static.plan.running import interpreted

from . import bounds, ways
from .builder import Builder, Drawn, Environment, Input
from .kinds.layers import deviates
from .kinds.pointwise import UNARY
from .trial import Comparison, Trial, program_of, tried

L = fluid.layers


@pytest.fixture(autouse=True)
def _kernels_of_python() -> Iterator[None]:
    with interpreted():
        yield


def results(make: Any, key: str) -> list[np.ndarray]:
    """What make(builder, x, w) gives for x = 3 and w = 6, as it is and when every value is rounded otherwise."""
    with unique_name.guard(), program_guard(Program(), Program()):
        b = Builder("float32", {}, Environment({}, []), [])
        x, w = b.given("x", Input((4,), "float32")), b.given("w", Input((4,), "float32"))
        made = make(b, x, w)
        drawn = Drawn(fluid.default_main_program(), b.inputs, b.calls, b.values, [], [], made, ["x", "w"], [])
    feed = {"x": np.full(4, 3, "float32"), "w": np.full(4, 6, "float32")}
    hooks = [None, *(bounds.shaken(np.random.default_rng(k)) for k in range(bounds.REPETITIONS))]
    return [ways.imperatively(drawn, feed, hook)[key][0] for hook in hooks]


def spread(make: Any) -> float:
    """How far x@GRAD moves, relative to w."""
    return float(np.ptp(results(make, "x@GRAD")[1:], axis=0).max() / 6)


def test_gradients_that_cancel_as_they_are_added_have_a_bound() -> None:
    """x is used twice, with 12 and -12 or so: any way may round these one by one before it adds them."""
    eps = float(np.finfo("float32").eps)

    def twice(b: Builder, x: Any, w: Any) -> Any:
        [nothing] = b.call("sub", L.elementwise_sub, x, x)
        return b.call("add", L.elementwise_add, nothing, w)

    def as_target(b: Builder, x: Any, w: Any) -> Any:
        """A target that the other target uses: 3 and 6 - 3 give 6 and -6."""
        [same] = b.call("scale", lambda x: L.scale(x, 1.0), x)
        return [same, *b.call("sub", L.elementwise_sub, w, same)]

    def in_a_loop(b: Builder, x: Any, w: Any) -> Any:
        def run(x: Any) -> Any:
            i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 2)
            body = lambda i, s: [L.increment(i), L.scale(s, 1.0)]  # noqa: E731
            return L.while_loop(lambda i, _: L.less_than(i, n), body, [i, x])[1]

        [looped] = b.call("loop", run, x)
        [nothing] = b.call("sub", L.elementwise_sub, looped, x)
        return b.call("add", L.elementwise_add, nothing, w)

    for make in (twice, as_target, in_a_loop):
        assert eps / 4 < spread(make) < 100 * eps, make.__name__


def step(kind: str, *numbers: int, inner: tuple = ()) -> tuple:
    return kind, numbers or (0,), inner


def branched(name: str) -> Trial:
    """A value, a function of it, and a branch that is not taken and would read that."""

    def unary(name: str, back: int) -> tuple:
        return step("unary", list(UNARY).index(name), back)

    cond = step("cond", 1, 0, inner=((unary("tanh", 0),), (unary("tanh", 1),)))
    return Trial([step("dense", 0), unary(name, 0), cond], "float32", 1)


@pytest.mark.filterwarnings("ignore")
def test_zeros_of_a_branch_that_is_not_taken_become_nan_where_a_slope_is_nan() -> None:
    """As in PaddlePaddle 1.8.5, which gives NaN there too (measured)."""
    trial = branched("sqrt")
    with np.errstate(all="ignore"), program_of(trial) as drawn:
        assert "tanh(v1)\n        -> v2\n    block:\n        tanh(v0)\n        -> v2" in drawn.listing()
        right = Comparison(drawn, trial).right[0]
        assert np.array_equal(np.isnan(right["a@GRAD"][0]), np.isnan(right["v1"][0]))
        assert np.isnan(right["v1"][0]).any() and np.isfinite(right["v1"][0]).any()
    assert tried(trial).differences == []


def test_nan_in_one_way_only_is_found_where_there_are_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    executed = ways.executed

    def wrong(*arguments: Any) -> Any:
        made = executed(*arguments)
        made[0]["a@GRAD"][0][0, 0] = np.nan
        return made

    monkeypatch.setattr(ways, "executed", wrong)
    found = tried(branched("square")).differences
    assert {d.way for d in found} == {"unfused", "fused", "reloaded", "reloaded and fused"}


def test_a_repetition_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it nothing would be allowed but the rounding of the result itself."""

    def broken(value: Any) -> Any:
        raise KeyError("hook")

    monkeypatch.setattr(bounds, "shaken", lambda rng: broken)
    with pytest.raises(KeyError, match="hook"):
        tried(branched("square"))


def test_normalized_numbers_have_the_rounding_of_their_row() -> None:
    """A row of 0 and 3 becomes -1 and 1: the mean moves what is made of 0, too."""

    def normalized(b: Builder, x: Any, w: Any) -> Any:
        [mixed] = b.call("mask", lambda x: L.elementwise_mul(x, L.assign(np.array([0, 1, 0, 1], "float32"))), x)
        [rows] = b.call("reshape", lambda x: L.reshape(x, [2, 2]), mixed)
        return b.call("layer_norm", lambda x: L.layer_norm(x, False, False), rows, cancels=deviates(lambda x: (1,)))

    [first, *others] = results(normalized, "v4")
    assert np.ptp(others, axis=0).min() > np.finfo("float32").eps and np.allclose(np.abs(first), 1, atol=1e-4)
