"""Dropouts of training inside of kernels keep what they keep by themselves, and draw what they draw, in the same order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.fluid.dygraph import declarative, guard, to_variable
from paddle_lite.kernels.cpu.random.random import generator, manual_seed
from paddle_lite.static import Program, Scope, default_main_program, program_guard, scope_guard
from paddle_lite.static.plan.fusion.kernel import Kernel
from paddle_lite.static.plan.loops.fixed import call as fixed_call
from paddle_lite.static.plan.loops.fixed import runs as fixed_runs
from tests.static.passes import passes
from tests.static.plan import networks
from tests.static.plan import test_fixed_loops as fixed
from tests.static.plan.running import equal, kernels, names_of, runs, source
from tests.static.plan.test_fusion import data, normal, started
from tests.static.plan.test_ragged_loops import noted_calls

L = fluid.layers
WAYS = ("upscale_in_train", "downgrade_in_infer")


def dropped(x: Any, p: float = 0.4, way: str = WAYS[0], **more: Any) -> Any:
    return L.dropout(x, p, dropout_implementation=way, **more)


def masks() -> list[str]:
    """The masks of all dropouts of the Program."""
    ops = default_main_program().global_block().ops
    return [op.output("Mask")[0] for op in ops if op.type == "dropout" and op.output("Mask")]


def alone(text: str) -> int:
    """How many dropouts run by themselves."""
    return len(re.findall(r"= k\d+\(.*# dropout \(", text))


def agree(
    feeds: Sequence[Mapping[str, Any]], fetches: Sequence[Any], rtol: float = 1e-5, least: float = 0.0,
    scope: Scope | None = None,
) -> None:  # fmt: skip
    """The same results as operator by operator, masks bit by bit, and the generator is left as it is left by those."""
    manual_seed(3)
    expected = runs(feeds, fetches, "none", scope=scope)
    state = generator().bit_generator.state
    manual_seed(3)
    found = runs(feeds, fetches, "all", scope=scope)
    assert generator().bit_generator.state == state
    for got, want in zip(found, expected, strict=True):
        for name, (array, _), (right, _) in zip(names_of(fetches), got, want, strict=True):
            equal(array, right, name, rtol if right.dtype.kind == "f" else 0.0, least)


# --- what it keeps --------------------------------------------------------------------------------------------------------


def block(x: Any, p: float, way: str) -> Any:
    """The feed-forward block of a transformer."""
    width = x.shape[-1]
    weights = [L.create_parameter(shape, x.dtype) for shape in ([width, 2 * width], [2 * width], [2 * width, width])]
    hidden = dropped(L.gelu(L.elementwise_add(L.matmul(x, weights[0]), weights[1])), p, way)
    return L.layer_norm(L.elementwise_add(dropped(L.matmul(hidden, weights[2]), p, way), x), begin_norm_axis=1)


@pytest.mark.parametrize(
    ("p", "way", "dtype"),
    [
        (0.0, WAYS[0], "float64"),
        (0.25, WAYS[0], "float32"),
        (0.25, WAYS[0], "float64"),
        (0.25, WAYS[1], "float32"),
        (1.0, WAYS[0], "float32"),
        (1.0, WAYS[1], "float64"),
    ],
)
def test_feed_forward_with_its_gradient(p: float, way: str, dtype: str) -> None:
    x = data("x", [-1, 24], dtype)
    y = block(x, p, way)
    fetches = [y, *fluid.gradients(L.reduce_sum(L.square(y) * y), [x]), *masks()]
    text = source(fetches, feeds=["x"])
    assert alone(text) == 2 * (p == 1) and text.count("= dropout_key()") == 2 * (p < 1)
    feeds = [{"x": normal(n, 24, dtype=dtype)} for n in (2, 7, 2)]
    for wanted in (fetches, fetches[:-2]):
        agree(feeds, wanted, 1e-5 if dtype == "float32" else 1e-12, least=1.0, scope=started())


@pytest.mark.usefixtures("compiled")
def test_compiled_feed_forward() -> None:
    x = data("x", [-1, 40], "float32")
    y = block(x, 0.3, WAYS[0])
    fetches = [y, *fluid.gradients(L.reduce_sum(L.square(y) * y), [x]), *masks()]
    agree([{"x": normal(n, 40)} for n in (3, 50)], fetches, 2e-5, least=1.0, scope=started())


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("way", WAYS)
def test_one_dropout_is_bit_by_bit_what_it_is_by_itself(way: str) -> None:
    x = data("x", [-1, 40])
    y = dropped(L.relu(x), 0.3, way)
    fetches = [y, *fluid.gradients(y, [x])]
    assert alone(source(fetches, feeds=["x"])) == 0
    agree([{"x": normal(n, 40)} for n in (1, 50, 300)], fetches, rtol=0.0)


@settings(max_examples=20)
@given(networks.steps(), st.booleans(), st.lists(st.integers(0, 20), min_size=1, max_size=4))
def test_programs_with_dropouts_compute_the_same(steps: list[tuple], slopes: bool, where: list[int]) -> None:
    """Dropouts of some of their Variables, which more is computed of."""
    with unique_name.guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        inputs, made = networks.built(steps)
        for place in where:
            x = made[place % len(made)]
            made.append(L.scale(dropped(L.tanh(x), 0.3, WAYS[place % 2]), 0.5))
        fetches = [made[-1], *masks(), *(networks.gradients(made, inputs) if slopes else [])]
        agree([networks.feed("float32", n) for n in (2, 3, 1)], fetches, 2e-4, least=1.0, scope=started())


# --- where its elements lie -----------------------------------------------------------------------------------------------


def test_broadcast_behind_a_dropout() -> None:
    """What is dropped varies along some dimensions of the loops only: an element is dropped for all that read it."""
    x, y, z = data("x", [-1, 1, 5]), data("y", [-1, 3, 5]), data("z", [3, 1])
    w = L.elementwise_add(dropped(L.exp(x)), L.elementwise_mul(y, dropped(L.tanh(z))))
    fetches = [w, *fluid.gradients(w, [x, y, z]), *masks()]
    assert alone(source(fetches, feeds=["x", "y", "z"])) == 0
    feeds = [{"x": normal(n, 1, 5), "y": normal(n, 3, 5), "z": normal(3, 1)} for n in (4, 1, 4)]
    agree(feeds, fetches)


def test_parts_side_by_side() -> None:
    """Dropouts of an array, of parts of it, and of what they are joined to."""
    x = data("x", [-1, 2, 12])
    left, right = L.split(dropped(L.tanh(x)), 2, -1)
    joined = L.concat([dropped(L.exp(left)), right, dropped(L.sigmoid(right))], -1)
    y = dropped(L.square(joined))
    fetches = [y, *fluid.gradients(y, [x]), *masks()]
    assert alone(source(fetches, feeds=["x"])) == 0
    agree([{"x": normal(n, 2, 12)} for n in (3, 1)], fetches)


def test_rows_in_stages() -> None:
    """What is dropped is read in each pass over a row: the maximum, the sum, the result."""
    x = data("x", [-1, 20])
    y = L.softmax(dropped(L.tanh(x)))
    fetches = [y, *fluid.gradients(L.reduce_sum(L.square(y)), [x])]
    assert kernels(source(fetches, feeds=["x"])) <= 2
    agree([{"x": normal(3, 20)}], [*fetches, *masks()])
    agree([{"x": normal(3, 20)}], fetches)


# --- what it draws --------------------------------------------------------------------------------------------------------


def test_keys_are_drawn_in_the_order_of_the_program() -> None:
    """Others draw between the dropouts of one kernel."""
    x = data("x", [-1, 16])
    y = dropped(L.tanh(x))
    noise = L.uniform_random([16])
    by_itself = dropped(x, 0.2)
    z = dropped(L.elementwise_add(y, noise))
    last = L.gaussian_random([16])
    w = L.elementwise_mul(dropped(L.exp(z)), last)
    fetches = [w, by_itself, noise, last, *masks()]
    text = source(fetches, feeds=["x"])
    assert text.count("= dropout_key()") == 3 and alone(text) == 1 and kernels(text) == 1
    agree([{"x": normal(n, 16)} for n in (3, 40)], fetches)


@pytest.mark.parametrize("seed", [0, 5])
def test_dropouts_with_a_seed_run_by_themselves(seed: int) -> None:
    x = data("x", [-1, 16])
    y = L.exp(dropped(L.tanh(x), seed=seed))
    for op in default_main_program().global_block().ops:
        if op.type == "dropout":
            op._set_attr("fix_seed", True)
    fetches = [y, *masks()]
    assert alone(source(fetches, feeds=["x"])) == 1
    agree([{"x": normal(3, 16)}], fetches)


def test_dropouts_whose_seed_is_an_input_run_by_themselves() -> None:
    x, seed = data("x", [-1, 16]), fluid.data("seed", [1], "int32")
    y = L.exp(dropped(L.tanh(x)))
    [op] = [op for op in default_main_program().global_block().ops if op.type == "dropout"]
    op.inputs["Seed"] = ["seed"]
    assert seed.name == "seed" and alone(source([y], feeds=["x", "seed"])) == 1
    agree([{"x": normal(3, 16), "seed": np.array([n], "int32")} for n in (1, 2)], [y, *masks()])


def test_in_tests_nothing_is_drawn() -> None:
    x = data("x", [-1, 16])
    y = L.exp(dropped(L.tanh(x), way=WAYS[1], is_test=True))
    text = source([y], feeds=["x"])
    assert "dropout_key" not in text and kernels(text) == 1
    agree([{"x": normal(3, 16)}], [y])


def test_operators_one_by_one_use_the_key_that_was_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where arrays fit no kernel."""
    x = data("x", [-1, 40])
    y = dropped(L.elementwise_add(dropped(L.tanh(x), 0.2), x), 0.3, WAYS[1])
    fetches = [y, *fluid.gradients(y, [x]), *masks()]
    assert kernels(source(fetches, feeds=["x"])) > 0
    ran: list[Any] = []
    monkeypatch.setattr(Kernel, "compiled", lambda self: lambda *args: bool(ran.append(args)))
    agree([{"x": normal(n, 40)} for n in (3, 0, 50)], fetches, rtol=0.0)
    assert ran


# --- in halves and blocks -------------------------------------------------------------------------------------------------


def test_declared_functions() -> None:
    """The mask is read in the second half."""
    found = {}
    values = normal(30, 40)
    for which in ("none", "all"):
        with passes(which, 0), guard():

            @declarative
            def function(x: Any) -> Any:
                return L.exp(dropped(L.tanh(x), 0.3))

            manual_seed(5)
            for _ in range(3):
                x = to_variable(values)
                x.stop_gradient = False
                y = function(x)
                y.backward()
                found.setdefault(which, []).append((y.numpy(), x.gradient()))
    for (y, slope), (right, expected) in zip(found["all"], found["none"], strict=True):
        equal(y, right, "result")
        equal(slope, expected, "gradient")


def test_loops_draw_a_key_a_round() -> None:
    x = data("x", [-1, 16])
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 3)
    state = L.assign(x)
    flag = L.less_than(i, n)
    loop = L.While(flag)
    with loop.block():
        L.assign(L.exp(dropped(L.tanh(state))), state)
        L.increment(i, in_place=True)
        L.less_than(i, n, cond=flag)
    agree([{"x": normal(n, 16)} for n in (3, 40)], [state])


@pytest.mark.parametrize("way", WAYS)
def test_rounds_of_one_kernel_draw_their_keys(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds draw ahead, and give back what they do not need: at the end, and where a list needs more memory."""
    monkeypatch.setattr(fixed_call, "AFTER", 0)
    monkeypatch.setattr(fixed_runs, "AT_ONCE", 2000)  # some rounds in a call
    x, n = fixed.inputs()

    def round(h: Any, k: Any) -> list[Any]:
        new = L.tanh(L.fc(dropped(h, 0.3, way), 4, param_attr=fixed.attr("w")) + dropped(L.sigmoid(k), 0.5, way))
        return [new, dropped(h, 0.2, way, is_test=True) + new]

    states = fixed.counted(round, [x, x * 2], n)
    fetches = fixed.slopes(states, [x])
    feeds = fixed.feeds((4, 1, 40, 7))
    with fixed.noted_runs() as ran:
        agree(feeds, fetches, scope=fixed.scoped(), least=1.0)
    assert ran.count(True) >= 6 and ran.count(False) > 6
    with fixed.noted_runs() as ran:
        agree(feeds, states, scope=fixed.scoped(), least=1.0)
    assert ran and not any(ran)


def test_a_list_that_becomes_longer_leaves_the_keys_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rounds begin anew with more memory; one that writes very far behind sends them round by round."""
    monkeypatch.setattr(fixed_call, "AFTER", 0)
    monkeypatch.setattr(fixed_runs, "LEAST_ROUNDS", 2)
    x, n = fixed.inputs()
    i = L.fill_constant([1], "int64", 0)
    array = L.array_write(x, i)
    steps = L.cast(L.reshape(L.reduce_max(x), [1]), "int64")
    flag, state = i < n, L.assign(x)
    loop = L.While(flag)
    with loop.block():
        L.assign(dropped(L.tanh(state + L.array_read(array, i * 0))), state)
        L.increment(i, in_place=True)
        L.array_write(state, i * steps, array)
        L.less_than(i, n, cond=flag)
    pairs = ((1, 3), (3, 20), (900, 2), (1, 9))
    feeds = [{"x": np.full((2, 4), step, "f"), "n": np.array([rounds])} for step, rounds in pairs]
    with fixed.noted_runs() as ran:
        agree(feeds, [state], scope=fixed.scoped(), least=1.0)
    assert len(ran) > 2 * len(pairs) and not any(ran)


@pytest.mark.parametrize("way", WAYS)
def test_steps_of_sequences_draw_their_keys_in_one_kernel(way: str) -> None:
    """Three dropouts of a step, one of them of attention to other sequences, draw in the order of the steps."""
    x, h, seen = (
        fluid.data("x", [None, 3], lod_level=1),
        fluid.data("h", [None, 4]),
        fluid.data("seen", [None, 4], lod_level=1),
    )
    x.stop_gradient = h.stop_gradient = seen.stop_gradient = False
    rnn = L.DynamicRNN()
    with rnn.block():
        now, state, mine = rnn.step_input(x), rnn.memory(init=h, need_reorder=True), rnn.static_input(seen)
        around = L.sequence_pool(dropped(mine * L.sequence_expand(state, mine), 0.3, way), "sum")
        new = L.tanh(L.fc([dropped(now, 0.5, way), around, state], 4))
        rnn.update_memory(state, new)
        rnn.output(dropped(new, 0.2, way))
    out = rnn()
    block = default_main_program().global_block()
    weights = [block.var(each.name) for each in default_main_program().all_parameters()]
    fetches = [out, *fluid.gradients([L.reduce_sum(out * out)], [x, h, seen, *weights])]
    scope, feeds, place = Scope(), [], fluid.CPUPlace()
    fluid.Executor().run(fluid.default_startup_program(), scope=scope)
    for steps, words in (([2, 3, 1], [4, 1, 2]), ([1, 1], [2, 3])):
        rows = {"x": (normal(sum(steps), 3), steps), "seen": (normal(sum(words), 4), words)}
        made = {name: fluid.create_lod_tensor(array, [lengths], place) for name, (array, lengths) in rows.items()}
        feeds.append(made | {"h": normal(len(steps), 4)})
    with noted_calls() as ran:
        agree(feeds, fetches, least=1.0, scope=scope)
    assert len(ran) == 2 * (2 * len(feeds) - 1)
