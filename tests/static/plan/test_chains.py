"""Chains: the rounds of unrolled recurrences run as one kernel, forward and backward, with the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite import fluid
from paddle_lite.static import Executor, default_main_program, default_startup_program, global_scope, plan_of
from paddle_lite.static.plan.chains.rounds import LONGEST, repeats
from tests.static.passes import passes
from tests.static.plan.running import agree, source

L = fluid.layers
ROUNDS, ROWS, WIDTH, STATE = 7, 2, 4, 6
WAYS = ("all", "-concats", "-chains")


def weight(name: str, *shape: int, dtype: str = "float32") -> Any:
    start = fluid.initializer.Uniform(-0.4, 0.4, seed=sum(map(ord, name)))
    return L.create_parameter(list(shape), dtype, name, default_initializer=start)


def inputs(rows: int = ROWS, rounds: int = ROUNDS, dtype: str = "float32") -> tuple[Any, Any]:
    return fluid.data("x", [rounds, rows, WIDTH], dtype), fluid.data("h", [rows, STATE], dtype)


def feed(rows: int = ROWS, rounds: int = ROUNDS, dtype: str = "float32") -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {
        "x": rng.standard_normal((rounds, rows, WIDTH)).astype(dtype),
        "h": rng.standard_normal((rows, STATE)).astype(dtype),
    }


def rows_of(x: Any) -> list[Any]:
    return L.unstack(x, axis=0, num=x.shape[0])


def lstm(x: Any, h: Any) -> tuple[list[Any], list[Any]]:
    """The states of an LSTM whose cell starts with 0.5 h, and its weights."""
    w, b = weight("w", WIDTH + STATE, 4 * STATE, dtype=x.dtype), weight("b", 4 * STATE, dtype=x.dtype)
    c, states = L.scale(h, 0.5), []
    for x_t in rows_of(x):
        gates = L.elementwise_add(L.matmul(L.concat([x_t, h], 1), w), b)
        i, j, f, o = L.split(gates, 4, dim=1)
        c = c * L.sigmoid(f + 1.0) + L.sigmoid(i) * L.tanh(j)
        h = L.tanh(c) * L.sigmoid(o)
        states.append(h)
    return states, [w, b]


def gru(x: Any, h: Any) -> tuple[list[Any], list[Any]]:
    gates, candidate, states = weight("g", WIDTH + STATE, 2 * STATE), weight("c", WIDTH + STATE, STATE), []
    for x_t in rows_of(x):
        r, u = L.split(L.sigmoid(L.matmul(L.concat([x_t, h], 1), gates)), 2, dim=1)
        h = u * h + (1.0 - u) * L.tanh(L.matmul(L.concat([x_t, r * h], 1), candidate))
        states.append(h)
    return states, [gates, candidate]


def attention(x: Any, h: Any) -> tuple[list[Any], list[Any]]:
    """A decoder that attends to a memory of five vectors in each round."""
    keys, memory, w, states = weight("k", STATE, 5), weight("m", 5, STATE), weight("v", WIDTH, STATE), []
    for x_t in rows_of(x):
        scores = L.softmax(L.matmul(h, keys))
        h = L.tanh(L.matmul(scores, memory) + L.matmul(x_t, w) + h)
        states.append(h)
    return states, [keys, memory, w]


def two_layers(x: Any, h: Any) -> tuple[list[Any], list[Any]]:
    """Two layers whose steps alternate, of one width."""
    first, second, v, states = weight("f", STATE, STATE), weight("s", STATE, STATE), weight("v", WIDTH, STATE), []
    below = above = h
    for x_t in rows_of(x):
        below = L.tanh(L.matmul(below, first) + L.matmul(x_t, v))
        above = L.tanh(L.matmul(above, second) + below)
        states.append(above)
    return states, [first, second, v]


def normalized(x: Any, h: Any) -> tuple[list[Any], list[Any]]:
    """A cell with sums over rows."""
    w, a, states = weight("n", STATE, STATE), weight("a", STATE), []
    for _ in range(ROUNDS):
        h = L.layer_norm(L.sin(L.matmul(h, w)) * a + h, scale=False, shift=False)
        states.append(L.exp(h))
    return states, [w, a]


CELLS: dict[str, Callable[[Any, Any], tuple[list[Any], list[Any]]]] = {
    "lstm": lstm, "gru": gru, "attention": attention, "two layers": two_layers, "normalized": normalized,
}  # fmt: skip


def chains(text: str) -> int:
    return sum(line.strip().startswith("r") and " = x" in line for line in text.splitlines())


def loss_and_gradients(cell: Callable[[Any, Any], tuple[list[Any], list[Any]]], **more: Any) -> list[Any]:
    x, h = inputs(**more)
    h.stop_gradient = False
    states, weights = cell(x, h)
    loss = L.reduce_mean(L.square(L.stack(states)))
    return [loss, *fluid.gradients(loss, [*weights, h])]


def check(fetches: list[Any], given: dict[str, np.ndarray], expected: int, ways: tuple[str, ...] = WAYS) -> str:
    text = source(fetches, "all", list(given))
    assert chains(text) == expected, text
    Executor(fluid.CPUPlace()).run(default_startup_program())
    agree(given, fetches, ways, rtol=2e-5, scope=global_scope())
    return text


@pytest.mark.parametrize("name", CELLS)
def test_any_cell_forward_and_backward(name: str) -> None:
    check(loss_and_gradients(CELLS[name]), feed(), 2)


@pytest.mark.parametrize("rows", [1, 3, 7])
def test_compiled(rows: int, compiled: None) -> None:
    """The kernels of machine code, with tiles of several heights."""
    check(loss_and_gradients(lstm, rows=rows), feed(rows), 2, ("all",))


def test_float64() -> None:
    check(loss_and_gradients(lstm, dtype="float64"), feed(dtype="float64"), 2, ("all",))


def test_inference_keeps_only_what_is_read() -> None:
    """Rows are used again if nobody reads them afterwards: one for gates, two for what is handed on."""
    states, _ = lstm(*inputs())
    text = check([states[-1]], feed(), 1, ("all",))
    assert f"{len(states)} rounds" not in text
    plan = plan_of(default_main_program(), ["x", "h"], [states[-1]])
    [call] = [each for key, each in plan._function(False, True).writer.scope.items() if key.startswith("x")]
    assert {shape[0] for shape, _ in call.made} <= {1, 2}


def test_states_that_are_fetched_are_there() -> None:
    states, _ = gru(*inputs())
    check([states[-1], states[2], states[0]], feed(), 1)


def test_gradients_are_those_of_finite_differences(compiled: None) -> None:
    fetches = loss_and_gradients(lstm, dtype="float64")
    executor, given = Executor(fluid.CPUPlace()), feed(dtype="float64")
    executor.run(default_startup_program())
    with passes("all", 0):
        for _ in range(3):
            _, _, _, slope = executor.run(feed=given, fetch_list=fetches)

        def loss(change: float) -> float:
            moved = given["h"].copy()
            moved[1, 2] += change
            return executor.run(feed={**given, "h": moved}, fetch_list=fetches[:1])[0].item()

        for _ in range(3):
            numeric = (loss(1e-6) - loss(-1e-6)) / 2e-6
    np.testing.assert_allclose(slope[1, 2], numeric, rtol=1e-6)


def test_training_in_place() -> None:
    """The optimizer writes into weights behind all rounds."""
    states, _ = lstm(*inputs())
    loss = L.reduce_mean(L.square(L.stack(states)))
    fluid.optimizer.SGD(0.5).minimize(loss)
    check([loss], feed(), 2, ("all",))
    agree([feed()] * 4, [loss, "w"], ("all",), rtol=2e-5, scope=global_scope())


def test_inputs_that_are_not_contiguous() -> None:
    states, _ = attention(*inputs())
    check([states[-1]], {name: np.asfortranarray(value) for name, value in feed().items()}, 1, ("all",))


def test_rounds_in_steps_of_two_are_lists() -> None:
    """Rows of an array that do not follow each other."""
    x, h = inputs(rounds=2 * ROUNDS)
    v, w = weight("v", WIDTH, STATE), weight("w", STATE, STATE)
    products = [L.matmul(x_t, v) for x_t in rows_of(x)]
    for row in products[::2]:
        h = L.tanh(L.matmul(h, w) + row)
    check([h, products[1]], feed(rounds=2 * ROUNDS), 1)


@pytest.mark.parametrize("rounds, expected", [(3, 0), (4, 1)])
def test_few_rounds_are_left_alone(rounds: int, expected: int) -> None:
    h, w = inputs()[1], weight("f", STATE, STATE)
    for _ in range(rounds):
        h = L.scale(L.tanh(L.matmul(h, w)), 0.5)
    check([h], {"h": feed()["h"]}, expected)


def test_unknown_sizes_are_left_alone() -> None:
    states, _ = lstm(*inputs(rows=-1))
    check([states[-1]], feed(), 0, ("all",))


def test_an_operator_between_the_rounds_leaves_them_alone() -> None:
    h, w = inputs()[1], weight("f", STATE, STATE)
    for _ in range(ROUNDS):
        h = L.cumsum(L.scale(L.tanh(L.matmul(h, w)), 0.5), axis=1)
    check([h], {"h": feed()["h"]}, 0)


def test_a_state_from_two_rounds_before_is_left_alone() -> None:
    h, w = inputs()[1], weight("f", STATE, STATE)
    states = [h, h]
    for _ in range(ROUNDS):
        states.append(L.tanh(L.matmul(states[-1], w)) + states[-2])
    check([states[-1]], {"h": feed()["h"]}, 0)


def test_readers_take_the_arrays_of_rows() -> None:
    """A stack and sums of states, and the gradients of weights; the first or the last state is apart."""
    text = check(loss_and_gradients(lstm), feed(), 2)
    assert [text.count(f" = {name}(") for name in ("products_of_rows", "joined_rows", "summed_rows")] == [1, 1, 1]
    assert "summed_products(" not in text


def test_rows_that_only_chains_read_are_not_unpacked() -> None:
    """The gradients of all states come as one array, of which only the last round takes its row."""
    text = check(loss_and_gradients(lstm), feed(), 2)
    [whole] = [line for line in text.splitlines() if "stack_grad" in line]
    assert f"[{ROUNDS - 1}]" in whole and "," not in whole
    states, _ = lstm(*inputs())
    mixed = L.stack([*states, *L.unstack(L.scale(L.stack(states), 2.0))])
    check([mixed], feed(), 1)


def test_rows_in_any_order() -> None:
    """Rows of a list that do not follow each other are taken one by one, or as several pieces."""
    states, _ = lstm(*inputs())
    mixed = [states[i] for i in (4, 3, 2, 1, 0, 1, 2, 3, 4, 6)]
    text = check([L.stack(mixed), L.sums(mixed), L.stack(states[::2])], feed(), 1)
    assert [text.count(f" = {name}(") for name in ("joined_rows", "summed_rows")] == [1, 1]


def test_the_listing_says_how_many_rounds() -> None:
    states, _ = lstm(*inputs())
    with passes("all", 0):
        listing = plan_of(default_main_program(), ["x", "h"], [states[-1]]).listing()
    [row] = [row for row in listing.rows if row.kernel.startswith("chain:")]
    assert row.note == f"{ROUNDS - 2} rounds of 2 kernels" and row.flops is not None


@given(st.lists(st.integers(0, 2), max_size=24))
def test_repeats(signatures: list[int]) -> None:
    for period, spans in enumerate(repeats(signatures), 1):
        assert period <= LONGEST
        for first, span in enumerate(spans):
            same = [a == b for a, b in zip(signatures[first:], signatures[first + period :], strict=False)]
            assert span == next((i for i, each in enumerate(same) if not each), len(same))
