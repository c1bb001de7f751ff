"""Products with one weight at every step of an unrolled loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import default_main_program
from tests.static.passes import passes

L = fluid.layers
STEPS, ROWS, WIDTH, HIDDEN = 5, 3, 4, 6
NUMBERS = np.random.RandomState(0)
FEED = {
    "by step": NUMBERS.rand(STEPS, ROWS, WIDTH).astype("float32"),
    "by row": NUMBERS.rand(ROWS, STEPS, WIDTH).astype("float32"),
}


def unstacked(x: Any, axis: int) -> list:
    return L.unstack(x, axis=axis, num=STEPS)


def sliced(x: Any, axis: int) -> list:
    return [L.squeeze(L.slice(x, [axis], [t], [t + 1]), [axis]) for t in range(STEPS)]


def reshaped(x: Any, axis: int) -> list:
    return [L.reshape(L.slice(x, [axis], [t], [t + 1]), [-1, WIDTH]) for t in range(STEPS)]


def indexed(x: Any, axis: int) -> list:
    return [x[t] if axis == 0 else x[:, t] for t in range(STEPS)]


def recurrence(steps: list, product: Any) -> Any:
    """The last state of a small recurrence over the steps."""
    state = None
    for step in steps:
        state = product(step) if state is None else L.tanh(L.elementwise_add(product(step), state))
    return state


def ran(fetch: list) -> tuple[list[np.ndarray], str]:
    """What is fetched, the same with and without passes, and the Plan's source."""
    exe, main = fluid.Executor(fluid.CPUPlace()), default_main_program()
    exe.run(fluid.default_startup_program())
    found = []
    for which in ("none", "all,-fuse"):
        main._plans.clear()
        with passes(which):
            for _ in range(3):
                results = exe.run(
                    main, feed={k: v for k, v in FEED.items() if main.global_block().has_var(k)}, fetch_list=fetch
                )
            found.append(results)
            text = list(main._plans.values())[-1].source
    for plain, rewritten in zip(*found, strict=True):
        np.testing.assert_allclose(rewritten, plain, rtol=1e-5, atol=1e-6)
    return found[1], text


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("cut", [unstacked, sliced, reshaped, indexed])
@pytest.mark.parametrize("product", [L.mul, L.matmul])
def test_one_product_for_all_steps(axis, cut, product):
    shape = [STEPS, None, WIDTH] if axis == 0 else [None, STEPS, WIDTH]
    x = fluid.data("by step" if axis == 0 else "by row", shape, "float32")
    weight = L.create_parameter([WIDTH, HIDDEN], "float32")
    loss = L.reduce_sum(recurrence(cut(x, axis), lambda step: product(step, weight)))
    [(_, gradient)] = fluid.backward.append_backward(loss)
    _, text = ran([loss, gradient])
    assert text.count("product_of_steps(") == 1


def test_weights_that_differ_and_few_steps_are_left_alone():
    x = fluid.data("by step", [STEPS, None, WIDTH], "float32")
    weights = [L.create_parameter([WIDTH, HIDDEN], "float32") for _ in range(STEPS)]
    states = [L.mul(step, weight) for step, weight in zip(unstacked(x, 0), weights, strict=True)]
    few = [L.mul(step, weights[0]) for step in unstacked(x, 0)[:3]]
    _, text = ran([L.reduce_sum(L.concat([*states, *few]))])
    assert "product_of_steps" not in text


def test_a_step_that_is_fetched_and_one_that_is_taken_twice():
    x = fluid.data("by step", [STEPS, None, WIDTH], "float32")
    weight = L.create_parameter([WIDTH, HIDDEN], "float32")
    products = [L.mul(step, weight) for step in [*unstacked(x, 0), unstacked(x, 0)[2]]]
    found, text = ran([products[1], L.reduce_sum(L.concat(products))])
    assert text.count("product_of_steps(") == 1
    assert found[0].shape == (ROWS, HIDDEN)
