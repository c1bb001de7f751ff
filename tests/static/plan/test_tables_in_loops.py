"""Rows of tables, and integers that operators refuse, in loops that run as one kernel, with the results of the loops round by round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core.errors import EnforceNotMet, IndexRangeError
from paddle_lite.static.plan.loops.fixed import call as fixed_call
from paddle_lite.static.plan.loops.fixed import form as fixed_form
from tests.static.plan.running import agree, runs
from tests.static.plan.test_fixed_loops import (
    WAYS,
    attr,
    check,
    counted,
    fc,
    feeds,
    inputs,
    noted,
    noted_runs,
    scoped,
    slopes,
    weight,
)

L = fluid.layers


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """All shapes get kernels at once."""
    monkeypatch.setattr(fixed_call, "AFTER", 0)


def rest(x: Any, divisor: int) -> Any:
    return L.elementwise_mod(x, L.fill_constant([1], "int64", divisor))


def ids_of(x: Any) -> Any:
    """Integers from 0 to 3, one for each row of x."""
    return rest(L.cast(L.abs(L.reduce_sum(x * 10, dim=1, keep_dim=True)), "int64"), 4)


# --- bodies -----------------------------------------------------------------------------------------------------------


def embedded(x: Any, n: Any) -> list[Any]:
    """A decoder whose word is a number that it computes of the one before."""

    def round(h: Any, word: Any) -> list[Any]:
        row = L.embedding(word, [11, 4], param_attr=attr("words"))
        return [fc(L.concat([h, row], 1), 4, "cell", act="tanh"), rest(word * 3 + 2, 11)]

    return counted(round, [x, ids_of(x)], n)[:1]


def padded(x: Any, n: Any) -> list[Any]:
    """Two look-ups in one table, one of which leaves a row out, of ids [N] and [N, 1]."""

    def round(h: Any, word: Any) -> list[Any]:
        row = L.embedding(word, [5, 4], padding_idx=2, param_attr=attr("words"))
        other = fluid.embedding(L.reshape(word, [-1]), [5, 4], param_attr=attr("words"))
        return [L.tanh(h + row * other), rest(word + 1, 4)]

    return counted(round, [x, ids_of(x)], n)[:1]


def only_padded(x: Any, n: Any) -> list[Any]:
    def round(h: Any, word: Any) -> list[Any]:
        return [L.tanh(h + L.embedding(word, [5, 4], padding_idx=2, param_attr=attr("words"))), rest(word + 1, 4)]

    return counted(round, [x, ids_of(x)], n)[:1]


def gathered(x: Any, n: Any) -> list[Any]:
    """A row of a table at the place of the round, and of a state; of each several, some of them twice."""
    table = weight([9, 4], "table")
    first, pairs = L.fill_constant([2], "int64", 0), L.assign(np.array([0, 0, 1], "int64"))

    def round(h: Any, place: Any) -> list[Any]:
        row = L.gather(table, place)
        several = L.gather(L.tanh(h), first * place, overwrite=False)
        last = L.gather(table, pairs + place)
        mixed = L.reduce_sum(several, dim=0, keep_dim=True) + row + L.reduce_sum(last, dim=0, keep_dim=True)
        return [L.tanh(L.elementwise_add(h * 0.5, L.reshape(mixed, [4]))), place + 1]

    return counted(round, [x, L.fill_constant([1], "int64", 1)], n)[:1]


BODIES = [embedded, padded, only_padded, gathered]


@pytest.mark.parametrize("build", BODIES)
def test_loops_with_gradients(build: Any) -> None:
    x, n = inputs()
    check(slopes(build(x, n), [x]), rounds=(4, 1, 7))


@pytest.mark.parametrize("build", BODIES)
def test_loops_without_gradients(build: Any) -> None:
    x, n = inputs()
    fetches = build(x, n)
    with noted_runs() as ran:
        agree(feeds((4, 1, 7)), fetches, WAYS, scope=scoped(), rtol=2e-5)
    assert ran and not any(ran)


@pytest.mark.parametrize("build", [only_padded, gathered])
def test_machine_code(build: Any, compiled: None) -> None:
    x, n = inputs()
    check(slopes(build(x, n), [x]), rounds=(3, 7, 2), rtol=1e-4)


def in_a_table(body: Callable[[Any, Any], Any]) -> list[Any]:
    """A loop that takes rows of a table of 80 elements, with the gradients."""
    x, n = inputs()
    table = weight([20, 4], "table")
    found = counted(lambda h, word: [L.tanh(h + body(table, word)), rest(word + 1, 4)], [x, ids_of(x)], n)
    return slopes(found[:1], [x])


def test_a_table_may_be_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as rounds only take rows of it, and its gradient is a sum of such rows."""
    monkeypatch.setattr(fixed_form, "LARGEST", 40)
    check(in_a_table(lambda table, word: L.gather(table, word, overwrite=False)), rounds=(4, 1))


def test_a_large_table_whose_gradient_each_round_sums_runs_round_by_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixed_form, "LARGEST", 40)
    twice = in_a_table(lambda table, word: L.gather(table, word) + L.gather(table, word + 1))
    with noted_runs() as ran:
        agree(feeds((3, 1)), twice, WAYS, scope=scoped(), rtol=2e-5)
    assert not ran


# --- numbers that are refused -----------------------------------------------------------------------------------------


def test_integers_are_divided() -> None:
    """In both branches of a condition, by a number that changes."""
    x, n = inputs()

    def round(h: Any, k: Any, by: Any) -> list[Any]:
        odd = L.equal(rest(k, 2), L.fill_constant([1], "int64", 1))
        h = L.cond(odd, lambda: L.tanh(h), lambda: h * 0.9)
        return [h, L.elementwise_floordiv(k * 7, by), by + 1]

    number = L.fill_constant([1], "int64", 3)
    check(slopes(counted(round, [x, number, number - 1], n)[:1], [x]), rounds=(4, 1, 7))


def test_a_round_that_divides_by_zero_raises_the_error_of_the_operator() -> None:
    x, n = inputs()

    def round(h: Any, k: Any) -> list[Any]:
        return [L.softmax(h), L.elementwise_mod(L.fill_constant([1], "int64", 5), k) * 0 + k - 1]

    found = counted(round, [x, L.fill_constant([1], "int64", 3)], n)
    with noted_runs() as ran:
        results = runs(feeds((3, 4)), found, "loops", scope=scoped())
    wanted = runs(feeds((3, 4)), found, "none", scope=scoped())
    assert ran and not isinstance(results[0], EnforceNotMet)
    assert isinstance(results[1], EnforceNotMet) and type(results[1]) is type(wanted[1])


@pytest.mark.parametrize("step", [-1, 3])
def test_a_row_outside_of_the_table_raises_the_error_of_the_operator(step: int) -> None:
    x, n = inputs()
    table = weight([5, 4], "table")
    start = L.fill_constant([1], "int64", 1)
    found = counted(lambda h, k: [L.elementwise_add(h, L.reshape(L.gather(table, k), [4])), k + step], [x, start], n)
    results = runs(feeds((2, 3)), slopes(found[:1], [x]), "loops", scope=scoped())
    assert not isinstance(results[0], Exception) and isinstance(results[1], IndexRangeError)
    assert "gather: Input(Index)" in str(results[1])


def test_a_gradient_of_some_rows_runs_round_by_round() -> None:
    x, n = inputs()

    def round(h: Any, word: Any) -> list[Any]:
        return [L.tanh(h + L.embedding(word, [5, 4], is_sparse=True, param_attr=attr("words"))), rest(word + 1, 4)]

    fetches = slopes(counted(round, [x, ids_of(x)], n)[:1], [x])
    assert "makes a gradient of some rows only" in noted(fetches)[0]


def test_what_is_refused_in_a_branch_that_does_not_run_is_no_error() -> None:
    """Such runs go round by round; after some of them all do."""
    x, n = inputs()
    table = weight([3, 4], "table")

    def round(h: Any, k: Any) -> list[Any]:
        inside = L.less_than(k, L.fill_constant([1], "int64", 3))
        return [h + L.cond(inside, lambda: L.reduce_sum(L.gather(table, k)), lambda: L.reduce_sum(h) * 0.1), k + 1]

    fetches = slopes(counted(round, [x, L.fill_constant([1], "int64", 0)], n)[:1], [x])
    with noted_runs() as ran:
        agree(
            [feeds((2,))[0], *feeds((5,)) * fixed_call.MOST_REFUSED, *feeds((2,))],
            fetches,
            ("loops",),
            scope=scoped(),
            rtol=2e-5,
        )
    assert ran == [False, True, *[False] * fixed_call.MOST_REFUSED]


# --- loops at random --------------------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
    st.integers(1, 5),
    st.integers(1, 4),
)
def test_rows_at_random(places: list[int], overwrite: bool, of_state: bool, factor: int, rounds: int) -> None:
    """Rows of a table that all rounds read, or of one that they change, some of them several times."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x, n = inputs()
        w, index = fluid.data("w", [6, 4]), fluid.data("index", [None], "int64")
        w.stop_gradient = False

        def round(h: Any, table: Any, k: Any) -> list[Any]:
            rows = L.gather(table, k, overwrite=overwrite)
            h = L.tanh(L.elementwise_add(h, L.reduce_mean(rows * rows, dim=0)))
            return [h, L.sin(table * 2) if of_state else table, rest(k * factor + 1, 6)]

        fetches = slopes(counted(round, [x, w * 1.0, index], n)[:2], [x, w])
        feed = {
            **feeds((rounds,))[0],
            "w": np.random.default_rng(0).standard_normal((6, 4)).astype("f"),
            "index": np.array(places),
        }
        with noted_runs() as ran:
            agree(feed, fetches, ("loops",), rtol=2e-5, program=main)
        assert ran == [False, True]
