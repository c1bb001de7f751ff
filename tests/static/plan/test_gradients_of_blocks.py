"""Gradients through loops, branches and recurrences go through the passes: they are the same as without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program, default_startup_program, global_scope
from paddle_lite.static.plan import body
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


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The blocks that are compiled."""
    found = []
    init = body.Body.__init__

    def noted(self: Any, *args: Any, **more: Any) -> None:
        init(self, *args, **more)
        found.append(self)

    monkeypatch.setattr(body.Body, "__init__", noted)
    return found


@pytest.mark.parametrize("program", PROGRAMS)
def test_values_and_gradients(program: Any, bodies: list[Any]) -> None:
    fetches = trained(program)
    agree(given(fetches), fetches, ("all", "-fuse", "-copies", "-unread"), rtol=2e-5, least=1.0, scope=global_scope())
    backward = "".join(each.text.partition("def backward0")[2] for each in bodies)
    assert "backward0" in "".join(each.text for each in bodies) and (kernels(backward) or program is crossed)


def test_a_cell_with_each_pass_left_out() -> None:
    fetches = trained(static_recurrence)
    agree(given(fetches)[:1], fetches, EACH_LEFT_OUT, rtol=2e-5, least=1.0, scope=global_scope())
