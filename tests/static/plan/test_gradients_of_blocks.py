"""Gradients through loops, branches and recurrences go through the passes: they are the same as without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as given_by_hypothesis
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.core import unique_name
from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.fluid.dygraph import declarative, to_variable
from paddle_lite.static import (
    Program,
    Scope,
    default_main_program,
    default_startup_program,
    global_scope,
    program_guard,
    scope_guard,
)  # fmt: skip
from paddle_lite.static.plan.loops import body, runtime
from paddle_lite.static.plan.passes.products import summed_products
from tests.static.passes import passes
from tests.static.plan import networks
from tests.static.plan.running import EACH_LEFT_OUT, agree, kernels

L = fluid.layers
ROWS, WIDTH, STEPS = 3, 4, 5
RNG = np.random.default_rng(0)
X = RNG.standard_normal((ROWS, WIDTH)).astype("float32")
SEQUENCE = RNG.standard_normal((STEPS, ROWS, WIDTH)).astype("float32")


def dense(x: Any, size: int, name: str) -> Any:
    return L.fc(x, size, param_attr=f"{name}.w", bias_attr=fluid.ParamAttr(f"{name}.b"))


def lstm(x: Any, h: Any, c: Any) -> tuple[Any, Any]:
    gates = L.elementwise_add(dense(x, 4 * WIDTH, "x"), L.fc(h, 4 * WIDTH, param_attr="h.w", bias_attr=False))
    i, f, g, o = L.split(gates, 4, -1)
    c = L.elementwise_add(L.elementwise_mul(L.sigmoid(f), c), L.elementwise_mul(L.sigmoid(i), L.tanh(g)))
    return L.elementwise_mul(L.sigmoid(o), L.tanh(c)), c


def counted(body: Callable[..., list[Any]], states: list[Any], rounds: int = STEPS) -> list[Any]:
    """A while_loop that counts, too."""
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", rounds)
    ends = L.while_loop(
        lambda i, *_: L.less_than(i, n), lambda i, *now: [L.increment(i), *body(*now)], [i, *map(L.assign, states)]
    )
    return list(ends[1:])


def data(name: str = "x", shape: tuple[int, ...] = (-1, WIDTH), **more: Any) -> Any:
    variable = fluid.data(name, list(shape), **more)
    variable.stop_gradient = False
    return variable


# --- programs: what to fetch, and what to differentiate it by ---------------------------------------------------------------


def cell_in_a_loop() -> tuple[list[Any], list[Any]]:
    x = data()
    return counted(lambda h, c: list(lstm(x, h, c)), [x, L.scale(x, 0.5)]), [x]


def layer_in_a_loop() -> tuple[list[Any], list[Any]]:
    x = data()
    return counted(lambda y: [L.softmax(dense(L.relu(dense(y, 8, "a")), WIDTH, "b"))], [x]), [x]


def nested_loops() -> tuple[list[Any], list[Any]]:
    x = data()

    def outer(y: Any) -> list[Any]:
        [inner] = counted(lambda z: [L.tanh(L.elementwise_add(dense(z, WIDTH, "a"), y))], [L.exp(L.scale(y, 0.1))], 3)
        return [L.elementwise_mul(L.sigmoid(inner), y)]

    return counted(outer, [x], 4), [x]


def branch_in_a_loop() -> tuple[list[Any], list[Any]]:
    x = data()

    def round(y: Any) -> list[Any]:
        flag = L.less_than(L.reduce_sum(y), L.fill_constant([1], "float32", 0.5))
        return [
            L.cond(flag, lambda: L.elementwise_add(L.exp(L.tanh(y)), x), lambda: L.elementwise_sub(dense(L.tanh(y), WIDTH, "a"), x))
        ]  # fmt: skip

    return counted(round, [x]), [x]


def loop_in_a_branch() -> tuple[list[Any], list[Any]]:
    x = data()
    flag = L.less_than(L.reduce_sum(x), L.fill_constant([1], "float32", 100.0))
    found = L.cond(flag, lambda: counted(lambda y: [L.tanh(dense(L.sigmoid(y), WIDTH, "a"))], [x])[0], lambda: L.exp(x))
    return [found], [x]


def arrays_in_a_loop() -> tuple[list[Any], list[Any]]:
    """What each round makes is an element of an array."""
    x = data()
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", STEPS)
    array = L.array_write(L.tanh(x), i)
    flag = L.less_than(i, n)
    loop = L.While(flag)
    with loop.block():
        y = L.array_read(array, i)
        L.increment(i)
        L.array_write(L.softmax(L.elementwise_add(L.exp(L.scale(y, 0.5)), x)), i, array)
        L.less_than(i, n, cond=flag)
    return [L.array_read(array, L.fill_constant([1], "int64", k)) for k in (2, STEPS)], [x]


def crossed() -> tuple[list[Any], list[Any]]:
    """Each becomes the other; one of them is a constant as it is."""
    x = data()
    return counted(lambda a, b, c: [L.tanh(b), L.assign(a), c], [x, L.exp(x), L.scale(x, 2.0)], 4), [x]


def static_recurrence() -> tuple[list[Any], list[Any]]:
    steps = data("steps", (STEPS, ROWS, WIDTH))
    rnn = L.StaticRNN()
    with rnn.step():
        x = rnn.step_input(steps)
        states = [rnn.memory(shape=[-1, WIDTH], batch_ref=x, ref_batch_dim_idx=1) for _ in range(2)]
        news = lstm(x, *states)
        for state, new in zip(states, news, strict=True):
            rnn.update_memory(state, new)
        rnn.step_output(news[0])
        rnn.step_output(L.scale(news[1], 2.0))
    return list(rnn()), [steps]


def dynamic_recurrence() -> tuple[list[Any], list[Any]]:
    words = data("words", (-1, WIDTH), lod_level=1)
    rnn = L.DynamicRNN()
    with rnn.block():
        x = rnn.step_input(words)
        h, c = rnn.memory(shape=[WIDTH], value=0.0), rnn.memory(shape=[WIDTH], value=0.1)
        news = lstm(x, h, c)
        rnn.update_memory(h, news[0])
        rnn.update_memory(c, news[1])
        rnn.output(news[0])
    return [rnn(), L.sequence_last_step(rnn())], [words]


def ragged_rounds() -> tuple[list[Any], list[Any]]:
    """A LoD goes through the loop."""
    words = data("words", (-1, WIDTH), lod_level=1)
    return counted(lambda y: [L.tanh(L.elementwise_add(y, words))], [words]), [words]


PROGRAMS = [
    cell_in_a_loop, layer_in_a_loop, nested_loops, branch_in_a_loop, loop_in_a_branch, arrays_in_a_loop, crossed, static_recurrence,
    dynamic_recurrence, ragged_rounds,
]  # fmt: skip


def feeds() -> list[dict[str, Any]]:
    """Twice other rows."""
    words = [
        fluid.create_lod_tensor(RNG.standard_normal((6, WIDTH)).astype("float32"), [n], fluid.CPUPlace())
        for n in ([3, 2, 1], [1, 5])
    ]
    found: list[dict[str, Any]] = [{"x": X}, {"x": X[:2] * 2}, {"x": X}]
    return [{**each, "steps": SEQUENCE + k, "words": words[k % 2]} for k, each in enumerate(found)]


def trained(program: Callable[[], tuple[list[Any], list[Any]]]) -> list[Any]:
    """The results of a program with the gradients of what it reads and of its parameters, initialised."""
    ends, sources = program()
    parameters = default_main_program().global_block().all_parameters()
    loss = L.reduce_sum(L.sum([L.reduce_sum(L.square(end)) for end in ends]))
    slopes = fluid.gradients(loss, [*sources, *parameters])
    fluid.Executor(fluid.CPUPlace()).run(default_startup_program())
    return [*ends, *slopes]


def given(fetches: list[Any]) -> list[dict[str, Any]]:
    known = default_main_program().global_block().vars
    return [{name: value for name, value in feed.items() if name in known} for feed in feeds()]


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_and_gradients(program: Any, bodies: list[Any]) -> None:
    fetches = trained(program)
    agree(given(fetches), fetches, ("all", "-fuse", "-copies", "-unread"), rtol=2e-5, scope=global_scope())
    backward = "".join(each.text.partition("def backward0")[2] for each in bodies)
    assert "backward0" in "".join(each.text for each in bodies) and (kernels(backward) or program is crossed)


def test_a_cell_with_each_pass_left_out() -> None:
    fetches = trained(static_recurrence)
    agree(given(fetches)[:1], fetches, EACH_LEFT_OUT, rtol=2e-5, scope=global_scope())


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given_by_hypothesis(networks.steps(), st.integers(0, 3), st.booleans())
def test_random_blocks(steps: list[tuple], rounds: int, slopes: bool) -> None:
    """Rounds hand on the last Variables of the shapes of two inputs; they read the others as they are."""
    with unique_name.guard(), program_guard(Program(), Program()), scope_guard(Scope()):
        inputs = networks.inputs("float32")

        def body(a: Any, c: Any) -> list[Any]:
            made = networks.appended(steps, {**inputs, "a": a, "c": c})
            ends = [[v for v in (*made, old) if v.shape == old.shape][-2:][0] for old in (a, c)]
            return [L.tanh(L.elementwise_add(L.scale(end, 0.5), old)) for end, old in zip(ends, (a, c), strict=True)]

        ends = counted(body, [inputs["a"], inputs["c"]], rounds)
        fetches = [*ends, *(networks.gradients(ends, inputs) if slopes else [])]
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(default_startup_program())
        feeds = [networks.feed("float32", n) for n in (2, 3, 2)]
        agree(feeds, fetches, ("all",), rtol=2e-4, scope=global_scope())


# --- what a round leaves ------------------------------------------------------------------------------------------------------


def held(trace: Any) -> int:
    """The bytes of the arrays that a trace keeps alive, each once."""
    found: dict[int, int] = {}

    def look(value: Any) -> None:
        if isinstance(value, (list, tuple)):
            for each in value:
                look(each)
        elif isinstance(value, np.ndarray):
            whole = value if value.base is None else value.base
            found[id(whole)] = whole.nbytes

    look(trace)
    return sum(found.values())


@pytest.mark.parametrize(
    "program", [cell_in_a_loop, layer_in_a_loop, nested_loops, branch_in_a_loop, static_recurrence]
)
def test_rounds_leave_no_more_than_without_passes(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And of what only the shape matters, the shape."""
    kept: list[int] = []
    run = body.Body.run

    def measured(self: Any, name: str, *arguments: Any) -> Any:
        found = run(self, name, *arguments)
        if name == "forward":
            kept.append(held(found if self.op.type == "recurrent" else found[2]))
        return found

    monkeypatch.setattr(body.Body, "run", measured)
    fetches = trained(program)
    sums = []
    for way in ("none", "all"):
        kept.clear()
        once(fetches, way)
        sums.append(sum(kept))
    assert 0 < sums[1] <= sums[0]


def once(fetches: list[Any], way: str) -> list[Any]:
    """The arrays of the second run with these passes."""
    default_main_program()._plans.clear()
    with passes(way, 0):
        executor = fluid.Executor(fluid.CPUPlace())
        return [executor.run(feed=given(fetches)[0], fetch_list=fetches, return_numpy=False) for _ in range(2)][-1]


def test_only_shapes_are_left_of_what_only_shapes_are_read_of(bodies: list[Any]) -> None:
    """The product is added to a bias: its gradient asks for nothing else."""
    once(trained(static_recurrence), "none")
    [loop] = [each for each in bodies if each.op.type == "recurrent"][-1:]
    product = next(each for each in loop.graph.instructions if each.type == "mul")
    kept = product.made["Out"][0].register
    assert f"{kept} = Like({kept})" in loop.text and kept in loop.saved


def test_the_gradient_of_a_weight_is_one_product_for_many_rounds(bodies: list[Any], monkeypatch: Any) -> None:
    fetches = trained(cell_in_a_loop)
    added: list[Any] = []
    monkeypatch.setattr(runtime, "summed_products", lambda xs, ds: added.append(len(xs)) or summed_products(xs, ds))
    agree(given(fetches), fetches, ("all",), rtol=2e-5, scope=global_scope())
    assert "Rows(" in bodies[-1].text and added and set(added) == {STEPS}
    added.clear()
    monkeypatch.setattr(runtime, "MOST_HELD", 2 * ROWS * 5 * WIDTH)
    agree(given(fetches), fetches, ("all",), rtol=2e-5, scope=global_scope())
    assert len(added) > 1 and max(added) < STEPS


def test_what_is_left_is_freed_round_by_round(bodies: list[Any]) -> None:
    once(trained(nested_loops), "all")
    inner, outer = bodies[-2:]
    assert inner.scope["backwards"] is outer.scope["backwards"] is runtime.drained
    trace = [(1,), (2,)]
    assert [entry for (entry,) in runtime.drained(trace)] == [2, 1] and trace == []


def test_kernels_do_not_write_over_what_others_read(bodies: list[Any]) -> None:
    """A gradient's kernel writes into what a round left, where nobody else has it."""
    fetches = trained(layer_in_a_loop)
    agree(given(fetches), fetches, ("all",), rtol=2e-5, scope=global_scope())
    loop = bodies[-1]
    assert any(each.donated for each in loop.graph.instructions if loop.graph.part(each.place) == 1)


def test_two_gradients_of_one_loop() -> None:
    """By other variables, of other ends: each in a block of its own, of the same names."""
    x, w = data(), data("w")
    ends = counted(lambda a, b: [L.tanh(L.elementwise_mul(b, w)), L.elementwise_add(L.exp(L.scale(a, 0.3)), x)], [x, w])
    slopes = [
        *fluid.gradients(L.reduce_sum(L.square(ends[0])), [x]),
        *fluid.gradients(L.reduce_sum(ends[1]), [w]),
        *fluid.gradients(L.reduce_sum(L.exp(ends[0])), [x, w]),
    ]
    feed = {"x": X, "w": X[::-1].copy()}
    together = agree(feed, [*ends, *slopes], ("all", "-fuse"), rtol=2e-5)[0]
    for slope, (array, _) in zip(slopes, together[2:], strict=True):
        [[(alone, _)]] = agree(feed, [slope], ("all",), rtol=2e-5)
        np.testing.assert_allclose(alone, array, rtol=1e-5, atol=1e-6)


def test_gradients_of_a_declared_loop_may_be_asked_for_twice() -> None:
    """What its rounds have left stays."""

    def looped(x: Any) -> Any:
        return counted(lambda y: [L.exp(L.tanh(L.scale(y, 0.5)))], [x], 3)[0]

    slope, y = np.ones_like(X), X
    for _ in range(3):
        t = np.tanh(0.5 * y)
        slope, y = slope * np.exp(t) * (1 - t * t) * 0.5, np.exp(t)
    with fluid.dygraph.guard(), passes("all", 0):
        function = declarative(looped)
        for _ in range(3):
            x = to_variable(X)
            x.stop_gradient = False
            total = L.reduce_sum(function(x))
            for _ in range(2):
                [found] = fluid.dygraph.grad(total, x, retain_graph=True)
                np.testing.assert_allclose(found.numpy(), slope, rtol=1e-5)


def test_errors_in_the_gradient_of_a_block_name_the_operator(bodies: list[Any]) -> None:
    def broken(*_: Any, **more: Any) -> Any:
        raise ValueError("out of luck")

    fetches = trained(layer_in_a_loop)
    with passes("none", 0):
        executor = fluid.Executor(fluid.CPUPlace())
        for _ in range(2):
            executor.run(feed=given(fetches)[0], fetch_list=fetches)
        place = next(k for k, op in enumerate(bodies[-1].ops) if op.type == "relu_grad")
        bodies[-1].scope[f"k{place}"] = broken
        with pytest.raises(EnforceNotMet, match=r"(?s)relu_grad: ValueError: out of luck.*test_gradients_of_blocks.py"):
            executor.run(feed=given(fetches)[0], fetch_list=fetches)
