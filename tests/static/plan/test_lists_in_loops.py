"""Arrays of tensors in loops that run as one kernel, with the results of the same loops round by round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core.errors import IndexRangeError
from paddle_lite.static.plan.loops.fixed import call as fixed_call
from paddle_lite.static.plan.loops.fixed import runs as fixed_runs
from paddle_lite.static.plan.loops.fixed.list_values import List
from tests.static.plan.running import agree, runs
from tests.static.plan.test_fixed_loops import WAYS, check, fc, feeds, inputs, noted, noted_runs, scoped, slopes, weight

L = fluid.layers


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """All shapes get kernels at once."""
    monkeypatch.setattr(fixed_call, "AFTER", 0)


def zero() -> Any:
    return L.fill_constant([1], "int64", 0)


def rounds_of(body: Callable[[Any], Any], n: Any, i: Any = None) -> None:
    """Run `body(i)` for i = 0, 1, ..., n - 1 in a While."""
    i = zero() if i is None else i
    going = L.less_than(i, n)
    loop = L.While(going)
    with loop.block():
        body(i)
        L.increment(i)
        L.less_than(i, n, cond=going)


def joined(array: Any) -> Any:
    return L.tensor_array_to_tensor(array, axis=0, use_stack=True)[0]


# --- bodies -----------------------------------------------------------------------------------------------------------


def memories(x: Any, n: Any) -> list[Any]:
    """A decoder: the state is the element of the round before, the outputs are an array that is empty at first."""
    states, outputs = L.array_write(L.tanh(x), zero()), L.create_array("float32")

    def round(i: Any) -> None:
        h = fc(L.array_read(states, i), 4, "state", act="tanh")
        L.array_write(h * 2, i, outputs)
        L.array_write(h, i + 1, states)

    rounds_of(round, n)
    return [joined(outputs), L.array_read(states, n)]


def one_state(x: Any, n: Any) -> list[Any]:
    """An array whose only element each round reads and writes, and a state of the loop beside."""
    kept = L.array_write(x, zero())
    total = L.scale(x, 0.5)

    def round(i: Any) -> None:
        h = L.array_read(kept, zero())
        L.array_write(L.tanh(h) * 0.9 + total * 0.1, zero(), kept)
        L.assign(total * 0.5 + h, total)

    rounds_of(round, n)
    return [L.array_read(kept, zero()), total]


def read_twice(x: Any, n: Any) -> list[Any]:
    """Rounds that read an array at two places, one of which an earlier round has written, and change one place after it was read."""
    kept = L.array_write(x, zero())
    L.array_write(L.sigmoid(x), zero() + 1, kept)

    def round(i: Any) -> None:
        a, b = L.array_read(kept, i), L.array_read(kept, i + 1)
        L.array_write(L.tanh(a * b), i + 2, kept)
        L.array_write(b + a * 0.5, i, kept)
        c = L.array_read(kept, i)
        L.array_write(c * 0.5, i, kept)

    rounds_of(round, n)
    return [joined(kept)]


def given_elements(x: Any, n: Any) -> list[Any]:
    """An array that the loop only reads, from its end to its beginning, and numbers."""
    given, found = L.array_write(x, zero()), L.create_array("float32")
    for k in range(1, 9):
        L.array_write(L.sin(x * k), L.fill_constant([1], "int64", k), given)
    h = L.tanh(x)

    def round(i: Any) -> None:
        each = L.array_read(given, L.fill_constant([1], "int64", 8) - i)
        L.assign(fc(L.concat([h, each], 1), 4, "joined", act="tanh"), h)
        L.array_write(L.reduce_sum(h), i, found)

    rounds_of(round, n)
    return [h, joined(found)]


def passed_on(x: Any, n: Any) -> list[Any]:
    """An array that is written behind another one, from what was read of it in the same round."""
    first, second = L.array_write(x, zero()), L.array_write(x * 3, zero())
    w = weight([4, 4], "w")

    def round(i: Any) -> None:
        L.array_write(L.tanh(L.matmul(L.array_read(first, i), w)), i + 1, first)
        L.array_write(L.array_read(second, i) * 0.5 + L.array_read(first, i + 1), i + 1, second)

    rounds_of(round, n)
    return [joined(second)]


def appended(x: Any, n: Any) -> list[Any]:
    """Elements at the end of an array, wherever that is."""
    kept, empty = L.array_write(x, zero()), L.create_array("float32")

    def round(i: Any) -> None:
        end = L.array_length(kept)
        h = L.array_read(kept, end - 1) * L.cast(end, "float32")
        L.array_write(L.sin(h), L.array_length(kept), kept)
        L.array_write(L.tanh(h), end + 1, kept)
        L.array_write(h, L.array_length(empty), empty)

    rounds_of(round, n)
    return [L.array_read(kept, n * 2 - 1), joined(empty), L.cast(L.array_length(kept), "float32")]


def end_to_end(x: Any, n: Any) -> list[Any]:
    """The elements one after another, and side by side along a middle axis, of an array that a second loop takes."""
    kept, h = L.array_write(x, zero()), L.scale(x)
    rounds_of(lambda i: L.array_write(L.tanh(L.array_read(kept, i)), i + 1, kept), n)
    rounds_of(lambda i: L.assign(h * 0.5 + L.array_read(kept, i), h), n)
    rows, beside = L.tensor_array_to_tensor(kept, axis=0)[0], L.tensor_array_to_tensor(kept, axis=1, use_stack=True)[0]
    return [L.reduce_mean(rows * rows, 0), L.reduce_sum(L.tanh(beside), [0, 1]), h]


BODIES = [memories, one_state, read_twice, given_elements, passed_on, appended, end_to_end]


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


def test_machine_code(compiled: None) -> None:
    x, n = inputs()
    check(slopes(memories(x, n), [x]), rounds=(3, 40, 2), rtol=1e-4)


def test_no_rounds() -> None:
    x, n = inputs()
    kept = L.array_write(x, zero())
    rounds_of(lambda i: L.array_write(L.tanh(L.array_read(kept, i)), i + 1, kept), n)
    check(slopes([L.array_read(kept, n)], [x]), rounds=(3, 0, 2))


def test_an_array_of_integers() -> None:
    x, n = inputs()
    ids, h = L.create_array("int64"), L.tanh(x)

    def round(i: Any) -> None:
        L.array_write(i * 3, i, ids)
        L.assign(L.tanh(h + L.cast(L.array_read(ids, i), "float32")), h)

    rounds_of(round, n)
    check([joined(ids), *slopes([h], [x])], rounds=(3, 1, 5))


def test_the_elements_one_after_another() -> None:
    """In an array of its own, with the number of rows of each."""
    x, n = inputs()
    kept = L.array_write(x, zero())
    rounds_of(lambda i: L.array_write(L.tanh(L.array_read(kept, i)), i + 1, kept), n)
    rows, sizes = L.tensor_array_to_tensor(kept, axis=0)
    rows.stop_gradient = False
    again = L.array_read(kept, n)
    L.assign(L.scatter(rows, zero(), L.fill_constant([1, 4], "float32", 7.0)), rows)
    check([rows, sizes, *slopes([again], [x])], rounds=(3, 1, 5))


# --- memory -----------------------------------------------------------------------------------------------------------


def test_lists_become_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop begins anew with more memory, and ends there; later runs have it from the beginning."""
    monkeypatch.setattr(fixed_runs, "LEAST_ROUNDS", 2)
    begun: list[int] = []
    begin = fixed_runs.Run._begin
    monkeypatch.setattr(fixed_runs.Run, "_begin", lambda run: begun.append(run.prepared.room) or begin(run))
    x, n = inputs()
    kept = L.array_write(x, zero())

    def round(i: Any) -> None:
        h = L.tanh(L.array_read(kept, i * 5))
        L.array_write(h, i * 5 + 5, kept)

    rounds_of(round, n)
    fetches = slopes([L.array_read(kept, n * 5)], [x])
    with noted_runs() as ran:
        agree(feeds((6,)) * 2, fetches, ("loops",), scope=scoped(), rtol=2e-5)
    assert ran.count(True) == 3
    assert begun[0] < 31 <= begun[-1] == begun[-2] and len(begun) > 3


def test_an_element_far_behind_the_others_goes_round_by_round() -> None:
    x, n = inputs()
    kept = L.array_write(x, zero())

    def round(i: Any) -> None:
        L.array_write(L.tanh(L.array_read(kept, zero())), i + 100_000, kept)

    rounds_of(round, n)
    fetches = slopes([L.array_read(kept, n + 99_999)], [x])
    with noted_runs() as ran:
        agree(feeds((2,)), fetches, ("loops",), scope=scoped(), rtol=2e-5)
    assert ran == [False]


def test_elements_that_were_never_written() -> None:
    """Between the elements that rounds write; reading one raises the error of the operator."""
    x, n = inputs()
    kept = L.array_write(x, zero())

    def round(i: Any) -> None:
        L.array_write(L.tanh(L.array_read(kept, i * 2)), i * 2 + 2, kept)

    rounds_of(round, n)
    fetches = [L.array_read(kept, n * 2), L.array_length(kept)]
    agree(feeds((3, 2)), fetches, WAYS, scope=scoped())
    lost = L.array_read(kept, n)
    found = runs(feeds((1, 4, 3)), [lost], "loops", scope=scoped())
    assert [isinstance(each, IndexRangeError) for each in found] == [True, False, True]


def test_a_round_that_reads_what_is_not_there_raises_the_error_of_the_operator() -> None:
    x, n = inputs()
    kept = L.array_write(x, zero())
    h = L.tanh(x)

    def round(i: Any) -> None:
        L.assign(h * L.array_read(kept, i), h)

    rounds_of(round, n)
    with noted_runs() as ran:
        found = runs(feeds((1, 4)), [h], "loops", scope=scoped())
    assert not isinstance(found[0], Exception) and isinstance(found[1], IndexRangeError)
    assert "read_from_array: Input(I)" in str(found[1])
    assert ran


def test_the_result_keeps_gaps() -> None:
    elements = np.arange(8, dtype="f").reshape(4, 2)
    found = List(elements, np.array([1, 0, 1, 0], np.uint8), np.array([3])).array()
    assert len(found) == 3 and found[1] is None
    np.testing.assert_array_equal(found[2][0], [4, 5])
    assert len(List(elements, np.zeros(4, np.uint8), np.array([0])).array()) == 0


# --- round by round ---------------------------------------------------------------------------------------------------


def test_elements_of_several_shapes_run_round_by_round() -> None:
    x, n = inputs()
    given, h = L.array_write(x, zero()), L.tanh(x)
    L.array_write(L.reduce_sum(x, dim=0, keep_dim=True), zero() + 1, given)
    rounds_of(lambda i: L.assign(L.elementwise_add(h, L.array_read(given, i)), h), n)
    with noted_runs() as ran:
        agree(feeds((1, 1, 2))[::2], slopes([h], [x]), WAYS, scope=scoped(), rtol=2e-5)
    assert not ran


def in_a_branch(kept: Any, i: Any) -> None:
    h = L.array_read(kept, i)
    with L.Switch() as switch, switch.case(L.less_than(i, zero() + 2)):
        L.array_write(h, i, kept)
    L.array_write(h, i + 1, kept)


def made_inside(kept: Any, i: Any) -> None:
    own = L.array_write(L.tanh(L.array_read(kept, i)), zero())
    L.array_write(L.array_read(own, zero()), i + 1, kept)


@pytest.mark.parametrize(
    "body, reason",
    [
        (in_a_branch, "conditional_block of arrays of tensors has no form in one kernel"),
        (made_inside, "write_to_array makes an array of tensors in a round"),
    ],
)
def test_the_listing_says_why_a_loop_runs_round_by_round(body: Any, reason: str) -> None:
    x, n = inputs()
    kept = L.array_write(L.softmax(x), zero())
    rounds_of(lambda i: body(kept, i), n)
    found = [L.array_read(kept, n)]
    [said] = noted(found)
    assert f"round by round: {reason}" in said
    agree(feeds((3, 1)), found, WAYS, scope=scoped(), rtol=2e-5)


# --- loops at random --------------------------------------------------------------------------------------------------


@st.composite
def bodies(draw: Any) -> list[tuple[str, int, int, int]]:
    """What a round does: each step reads or writes an element of one of two arrays, or computes of the values so far."""
    kinds = ["read", "write", "tanh", "mul", "add"]
    return [
        (draw(st.sampled_from(kinds)), draw(st.integers(0, 1)), draw(st.integers(0, 3)), draw(st.integers(0, 30)))
        for _ in range(draw(st.integers(1, 8)))
    ]


def run(steps: Sequence[tuple[str, int, int, int]], arrays: Sequence[Any], h: Any, i: Any) -> Any:
    """Build a round of these steps; return its value of h."""
    values = [h]
    for kind, which, offset, k in steps:
        x, y = values[k % len(values)], values[(k // 2) % len(values)]
        if kind == "read":
            values.append(L.array_read(arrays[which], i + offset))
        elif kind == "write":
            L.array_write(x * 0.7, i + offset, arrays[which])
        else:
            values.append({"tanh": L.tanh(x), "mul": x * y, "add": x + y * 0.5}[kind])
    return L.tanh(values[-1])


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies(), st.integers(1, 4))
def test_loops_at_random(steps: list[tuple[str, int, int, int]], count: int) -> None:
    """Arrays of eight elements each, of which rounds read and write some."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()), fluid.unique_name.guard():
        x, n = inputs()
        arrays = [L.create_array("float32"), L.create_array("float32")]
        for k in range(8):
            for which, array in enumerate(arrays):
                L.array_write(L.sin(x * (k + 1 + which)), L.fill_constant([1], "int64", k), array)
        h = L.tanh(x)
        rounds_of(lambda i: L.assign(run(steps, arrays, h, i), h), n)
        fetches = slopes([h, *map(joined, arrays)], [x])
        feed = {**feeds((count,))[0]}
        with noted_runs() as ran:
            agree(feed, fetches, ("loops",), rtol=2e-5, program=main)
        assert ran == [False, True]
