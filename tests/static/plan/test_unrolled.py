"""Recurrences written out step by step, forward and backward, compute what their blocks compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core.errors import ShapeError
from paddle_lite.static import default_main_program, default_startup_program, global_scope, plan_of
from paddle_lite.static.operators import unrolled
from paddle_lite.static.plan import exact
from paddle_lite.static.plan.chains.call import ChainCall
from paddle_lite.static.plan.plan import Plan
from tests.static import recurrence_cases
from tests.static.passes import passes
from tests.static.plan.running import agree

L = fluid.layers


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shapes get a Plan of their own at the second run."""
    monkeypatch.setattr(exact, "AFTER", 0)


def started() -> Any:
    default_startup_program().random_seed = 5
    fluid.Executor().run(default_startup_program())
    return global_scope()


def weight(*shape: int) -> Any:
    return L.create_parameter(list(shape), "float32", default_initializer=fluid.initializer.Uniform(-0.5, 0.5))


def plans(feed: Any, fetches: Sequence[Any], runs: int = 4) -> list[Plan]:
    """The Plans for exact sizes of the default Program, after some runs."""
    exe = fluid.Executor()
    names = [each if isinstance(each, str) else each.name for each in fetches]
    with passes("all", 0):
        for _ in range(runs):
            exe.run(feed=feed, fetch_list=names)
        found = plan_of(default_main_program(), feed, names)._exact
    return [each for each in found._plans.values() if each is not None] if found is not None else []


def chains(plan: Plan) -> int:
    return sum(isinstance(each, ChainCall) for each in plan._function(False, True).writer.scope.values())


def trained(outputs: Sequence[Any], by: Sequence[Any]) -> list[Any]:
    """Results, and the gradients of the mean of their squares."""
    loss = L.sums([L.reduce_mean(L.square(each)) for each in outputs])
    return [*outputs, *(each for each in fluid.gradients(loss, list(by)) if each is not None)]


def lstm(rows: int | None = 3, steps: int = 6, width: int = 4) -> list[Any]:
    x, h = fluid.data("x", [steps, rows, width]), fluid.data("h", [rows, width])
    x.stop_gradient = h.stop_gradient = False
    w, u, b = weight(width, 4 * width), weight(width, 4 * width), weight(4 * width)
    rnn = L.StaticRNN()
    with rnn.step():
        x_t, state, cell = rnn.step_input(x), rnn.memory(init=h), rnn.memory(init=h)
        gates = L.elementwise_add(L.elementwise_add(L.mul(x_t, w), L.mul(state, u)), b)
        i, j, f, o = L.split(gates, 4, dim=1)
        new = cell * L.sigmoid(f) + L.sigmoid(i) * L.tanh(j)
        out = L.tanh(new) * L.sigmoid(o)
        rnn.update_memory(cell, new)
        rnn.update_memory(state, out)
        rnn.step_output(out)
        rnn.step_output(new)
    return trained(rnn(), [x, h, w, u, b])


def fed(rows: int, steps: int = 6, width: int = 4) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(rows)
    return {"x": rng.standard_normal((steps, rows, width)).astype("f"), "h": rng.random((rows, width), "f")}


def test_a_cell_becomes_a_chain_forward_and_backward() -> None:
    """Its two states start with one Variable, whose gradient is that of both."""
    fetches = lstm()
    scope = started()
    [plan] = plans(fed(3), fetches)
    assert chains(plan) == 2 and not any("recurrent" in op.type for op in plan.ops)
    agree([fed(3)] * 3, fetches, scope=scope)


def test_gradients_of_an_input_that_is_only_added_are_rows_of_the_chain() -> None:
    x, h = fluid.data("x", [12, 2, 4]), fluid.data("h", [2, 4])
    x.stop_gradient = False
    u = weight(4, 4)
    rnn = L.StaticRNN()
    with rnn.step():
        word, state = rnn.step_input(x), rnn.memory(init=h)
        new = L.tanh(L.elementwise_add(L.mul(state, u), word))
        rnn.update_memory(state, new)
        rnn.step_output(new)
    fetches = trained([rnn()], [x, u])
    scope = started()
    [plan] = plans(fed(2, 12), fetches)
    assert chains(plan) == 2 and plan.source.count("= joined_rows(") == 2
    agree([fed(2, 12)] * 3, fetches, scope=scope)


def gru(
    rows: int | None = 3, steps: int = 6, width: int = 4, origin_mode: bool = False, bias: bool = True
) -> list[Any]:
    """gru_unit, and lstm_unit of the same step beside it."""
    x, h = fluid.data("x", [steps, rows, width]), fluid.data("h", [rows, width])
    x.stop_gradient = h.stop_gradient = False
    w = weight(width, 3 * width)
    rnn = L.StaticRNN()
    named = [f"{name}{origin_mode}{bias}" for name in "uvlm"]
    u, v, left, right = (fluid.ParamAttr(name, fluid.initializer.Uniform(-0.5, 0.5)) for name in named)
    with rnn.step():
        x_t, state, hidden, cell = rnn.step_input(x), *(rnn.memory(init=h) for _ in range(3))
        new, reset, gates = L.gru_unit(
            L.mul(x_t, w), state, 3 * width, param_attr=u, bias_attr=v if bias else False, origin_mode=origin_mode
        )
        out, kept = L.lstm_unit(x_t, hidden, cell, forget_bias=0.3, param_attr=left, bias_attr=right)
        for memory, value in ((state, new), (hidden, out), (cell, kept)):
            rnn.update_memory(memory, value)
        for value in (new, reset, gates, out):
            rnn.step_output(value)
    block = default_main_program().global_block()
    return trained(rnn(), [x, h, w, *(block.var(name) for name in named if name in block.vars)])


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("origin_mode", [False, True])
def test_units_become_chains(origin_mode: bool, bias: bool) -> None:
    """The gradient of a gru_unit's weight is two products over all steps, put together once."""
    fetches = gru(origin_mode=origin_mode, bias=bias)
    scope = started()
    [plan] = plans(fed(3), fetches)
    assert chains(plan) == 2 and not any("gru_unit" in op.type for op in plan.ops)
    assert sum(op.type == "concat" and op.attr("axis") == 0 for op in plan.ops) == 1
    agree([fed(3)] * 3, fetches, scope=scope)


def test_units_of_sizes_that_are_known_when_they_run() -> None:
    fetches = gru(rows=None)
    scope = started()
    assert chains(plans(fed(2), fetches)[0]) == 2
    agree([fed(n) for n in (2, 3, 2, 3, 5)], fetches, scope=scope)


def test_units_of_very_many_steps_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    fetches = gru()
    scope = started()
    assert exact.size_of(default_main_program().global_block().ops) < exact.MOST_PARTS
    monkeypatch.setattr(exact, "MOST_PARTS", 100)
    [plan] = plans(fed(3), fetches)
    assert sum(op.type == "gru_unit" for op in plan.ops) == 6
    agree([fed(3)] * 3, fetches, scope=scope)


def test_units_in_machine_code(compiled: None) -> None:
    fetches = gru(width=16)
    agree([fed(3, width=16)] * 3, fetches, scope=started())


def test_units_without_a_recurrence() -> None:
    """Steps that are written one after another, of any number of rows."""
    x, h = fluid.data("x", [None, 5, 12]), fluid.data("h", [None, 4])
    h.stop_gradient, state = False, h
    attr = fluid.ParamAttr("w", fluid.initializer.Uniform(-0.5, 0.5))
    for step in L.unstack(x, 1, 5):
        state = L.gru_unit(step, state, 12, param_attr=attr, bias_attr=False)[0]
    fetches = trained([state], [h, default_main_program().global_block().var("w")])
    scope, rng = started(), np.random.default_rng(0)
    feeds = [{"x": rng.random((n, 5, 12), "f"), "h": rng.random((n, 4), "f")} for n in (3, 3, 2, 3)]
    [plan] = plans(feeds[0], fetches)
    assert chains(plan) == 2
    agree(feeds, fetches, scope=scope)


def test_in_machine_code(compiled: None) -> None:
    fetches = lstm()
    agree([fed(3)] * 3, fetches, scope=started())


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_few_steps(steps: int) -> None:
    fetches = lstm(steps=steps)
    agree([fed(3, steps)] * 3, fetches, scope=started())


def test_sizes_that_change_from_run_to_run() -> None:
    fetches = lstm(rows=None)
    agree([fed(rows) for rows in (3, 1, 3, 5, 3, 1, 1, 2, 4, 6, 3)], fetches, scope=started())


def test_no_rows_and_wrong_steps() -> None:
    fetches = lstm(rows=None)
    scope = started()
    results = agree([fed(3), {**fed(3), "h": np.zeros((2, 4), "f")}, fed(3)], fetches, scope=scope)
    assert isinstance(results[1], ShapeError)


@pytest.mark.parametrize("name", [name for name in recurrence_cases.CASES if "dynamic" not in name])
def test_recorded_cases(name: str) -> None:
    build, feed = recurrence_cases.CASES[name]
    fetches = build(fluid)
    agree([feed(fluid)] * 3, fetches, scope=started())


def test_steps_in_reverse() -> None:
    fetches = lstm()
    block = default_main_program().global_block()
    for op in block.ops:
        if op.type in ("recurrent", "recurrent_grad"):
            op.attrs["reverse"] = True
    agree([fed(3)] * 3, fetches, scope=started())


def test_attention_to_a_fixed_memory() -> None:
    x, memory = fluid.data("x", [5, 2, 4]), fluid.data("m", [2, 3, 4])
    x.stop_gradient = memory.stop_gradient = False
    w = weight(8, 4)
    rnn = L.StaticRNN()
    with rnn.step():
        state = rnn.memory(shape=[-1, 4], batch_ref=rnn.step_input(x), init_value=0.1)
        word = rnn.step_input(x)
        share = L.softmax(L.reduce_sum(L.elementwise_mul(memory, L.unsqueeze(state, [1])), dim=2))
        read = L.reduce_sum(L.elementwise_mul(memory, L.unsqueeze(share, [2])), dim=1)
        new = L.tanh(L.matmul(L.concat([word, read], axis=1), w))
        rnn.update_memory(state, new)
        rnn.step_output(new)
        rnn.step_output(share)
    fetches = trained(rnn(), [x, memory, w])
    rng = np.random.default_rng(0)
    agree([{"x": rng.random((5, 2, 4), "f"), "m": rng.random((2, 3, 4), "f")}] * 3, fetches, scope=started())


def test_training_moves_parameters_alike() -> None:
    fetches = lstm()
    loss = L.reduce_mean(fetches[0])
    fluid.optimizer.Adam(0.1).minimize(loss)
    agree([fed(3)] * 6, [loss], scope=started(), rtol=1e-4)


@pytest.mark.parametrize("which", ["dropout", "loop beside", "long"])
def test_others_run_step_by_step(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = fluid.data("x", [4, 2, 3])
    rnn = L.StaticRNN()
    with rnn.step():
        word = rnn.step_input(x)
        state = rnn.memory(shape=[-1, 3], batch_ref=word)
        new = L.tanh(word + state)
        new = L.dropout(new, 0.5) if which == "dropout" else new
        rnn.update_memory(state, new)
        rnn.step_output(new)
    fetches = [rnn()]
    if which == "loop beside":
        i = L.fill_constant([1], "int64", 0)
        fetches.append(L.while_loop(lambda i: i < 3, lambda i: [i + 1], [i])[0])
    if which == "long":
        monkeypatch.setattr(unrolled, "MOST", 3)
    found = plans({"x": np.ones((4, 2, 3), "f")}, fetches)
    assert all(any(op.type == "recurrent" for op in plan.ops) for plan in found)
    assert bool(found) == (which == "long")


def test_more_operators_wait_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert [exact._wait(n) for n in (0, 127, 300, 10**6)] == [16, 16, 32, exact.LONGEST]
    monkeypatch.setattr(exact, "OPERATORS", 100)
    feed, fetches = fed(3), lstm()
    started()
    assert not plans(feed, fetches, 20) and plans(feed, fetches, 20)


# --- cells at random --------------------------------------------------------------------------------------------------

KINDS = ["mul", "add", "times", "tanh", "sigmoid", "relu", "softmax", "half", "norm", "mean"]


@st.composite
def cells(draw: Any) -> Any:
    """(operators of a cell, its states' and its outputs' values, steps, rows)."""
    number = st.integers(0, 30)
    steps = [(draw(st.sampled_from(KINDS)), draw(number), draw(number)) for _ in range(draw(st.integers(1, 7)))]
    states, outputs = draw(st.lists(number, min_size=1, max_size=3)), draw(st.lists(number, min_size=1, max_size=2))
    return steps, states, outputs, draw(st.integers(1, 6)), draw(st.integers(1, 3))


def value(kind: str, a: Any, b: Any, w: Any) -> Any:
    if kind == "mul":
        return L.mul(a, w)
    if kind in ("add", "times"):
        return (L.elementwise_add if kind == "add" else L.elementwise_mul)(a, b)
    if kind == "norm":
        return L.elementwise_sub(a, L.reduce_max(a, dim=1, keep_dim=True))
    if kind == "mean":
        return L.elementwise_add(b, L.reduce_mean(a, dim=1, keep_dim=True))
    return L.scale(a, 0.5) if kind == "half" else getattr(L, kind)(a)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells())
def test_cells_at_random(drawn: Any) -> None:
    kinds, ends, made, steps, rows = drawn
    main, start = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, start), fluid.unique_name.guard(), fluid.scope_guard(fluid.Scope()):
        x, h = fluid.data("x", [steps, rows, 4]), fluid.data("h", [rows, 4])
        x.stop_gradient = h.stop_gradient = False
        w = weight(4, 4)
        rnn = L.StaticRNN()
        with rnn.step():
            word, states = rnn.step_input(x), [rnn.memory(init=h) for _ in ends]
            values = [word, *states]
            for kind, a, b in kinds:
                values.append(value(kind, values[a % len(values)], values[b % len(values)], w))
            for state, end in zip(states, ends, strict=True):
                rnn.update_memory(state, L.tanh(values[-1 - end % len(values)]))
            for each in made:
                rnn.step_output(L.scale(values[-1 - each % len(values)], 0.7))
        found = rnn()
        fetches = trained(found if isinstance(found, list) else [found], [x, h, w])
        agree([fed(rows, steps)] * 3, fetches, scope=started(), program=main)
